import assert from "node:assert/strict";
import { elidePaths } from "../../../src/compressors/paths/elide.ts";
import {
  pathsOf,
  readGroup,
} from "../../../src/compressors/paths/group_line.ts";
import { inputOf, listOf, manyPaths } from "./samples.ts";

const options = { query: "", firstLine: 1 };

/** Paths that stand in an elided text, and ranges of lines that it says are left out. */
function read(text: string) {
  const [heading, ...body] = text.replace(/\n$/, "").split("\n");
  const root = / in (.+); names fill/.exec(heading!)?.[1] ?? "";
  const paths: string[] = [];
  const gaps: (readonly [number, number])[] = [];
  for (const line of body) {
    const gap = /^… lines (\d+)-(\d+) omitted/.exec(line);
    if (gap !== null) gaps.push([Number(gap[1]), Number(gap[2])]);
    else if (!line.startsWith("… ")) {
      const group = readGroup(line);
      paths.push(...group === undefined ? [line] : pathsOf(group, root, false));
    }
  }
  return { heading: heading!, paths, gaps };
}

function assertComplete(text: string, firstLine = 1): void {
  const elided = elidePaths(listOf(text), { query: "", firstLine })!;
  const { paths, gaps } = read(elided.text);
  const lines = text.replace(/\n$/, "").split("\n");
  const isGone = lines.map((_, i) =>
    gaps.some(([from, to]) => from - firstLine <= i && i <= to - firstLine)
  );
  assert.deepEqual(lines.filter((_, i) => !isGone[i]), paths);
  assert.deepEqual(elided.omitted, {
    count: isGone.filter(Boolean).length,
    total: lines.length,
    unit: "lines",
  });
}

Deno.test("elidePaths shows each path or covers it with a range", () => {
  assertComplete(manyPaths(12, 50).join("\n"));
  assertComplete(
    manyPaths(12, 50).map((path) => `/a/b/${path}`).join("\n"),
    70,
  );
  assertComplete(inputOf("findLarge"));
  assertComplete(inputOf("globLarge"));
});

Deno.test("elidePaths tells what each gap holds", () => {
  const elided = elidePaths(listOf(manyPaths(6, 60).join("\n")), options)!;
  assert.match(
    elided.text,
    /^… lines \d+-\d+ omitted: part003\/src\/ \d+ \.ts$/m,
  );
  assert.match(elided.text, /^… 72 of 360 paths in packages\/; /);
});

Deno.test("elidePaths tells the folders of a scattered list once", () => {
  const { text } = elidePaths(listOf(inputOf("globLarge")), options)!;
  assert.equal(text.match(/data\/frames\/ \d+ \(/g)?.length, 1);
});

Deno.test("elidePaths leaves small lists and lists of changes alone", () => {
  assert.equal(
    elidePaths(listOf(manyPaths(2, 50).join("\n")), options),
    undefined,
  );
  const names = manyPaths(12, 50);
  const width = Math.max(...names.map(({ length }) => length));
  const stat = names.map((path) => ` ${path.padEnd(width)} | 3 +++`).join("\n");
  const list = listOf(stat);
  assert.equal(list.form.isSized, true);
  assert.equal(elidePaths(list, options), undefined);
  const changes = manyPaths(12, 50).map((path) => ` M ${path}`).join("\n");
  assert.equal(elidePaths(listOf(changes), options), undefined);
});

Deno.test("elidePaths keeps all changes of a status with many untracked files", () => {
  const changed = manyPaths(1, 9).map((path) => `\tmodified:   ${path}`);
  const untracked = manyPaths(9, 60).map((path) => `\tout/${path}`);
  const text = [
    "On branch main",
    "Changes not staged for commit:",
    '  (use "git add <file>..." to update what will be committed)',
    '  (use "git restore <file>..." to discard changes in working directory)',
    ...changed,
    "",
    "Untracked files:",
    '  (use "git add <file>..." to include in what will be committed)',
    ...untracked,
    "",
  ].join("\n");
  const elided = elidePaths(listOf(text), options)!;
  const { paths, gaps } = read(elided.text);
  for (const line of changed) assert.ok(paths.includes(line), line);
  for (const [from, to] of gaps) {
    assert.ok(from > 15 && to <= 16 + untracked.length);
  }
});

Deno.test("elidePaths names the directory of each path of ls -R", () => {
  const sections = Array.from({ length: 8 }, (_, i) => {
    const names = manyPaths(1, 60).map((path) => path.replace(/.*\//, `n${i}`));
    return `./part${i}:\n${names.join("\n")}\n`;
  });
  const text = sections.join("\n");
  const elided = elidePaths(listOf(text), options)!;
  assert.match(elided.text, /^part3\/|^\.\/part3\//m);
  assert.match(elided.text, /omitted: (?:\.\/)?part3\/ \d+ \.ts/);
});
