import assert from "node:assert/strict";
import {
  chooseUnits,
  readDirectories,
} from "../../../src/compressors/paths/directories.ts";
import { readExtensions } from "../../../src/compressors/paths/extension_table.ts";
import { selectPaths } from "../../../src/compressors/paths/select.ts";
import { manyPaths, rowsOf } from "./samples.ts";

function select(
  lines: readonly string[],
  { terms = [] as string[], isSized = false, isScattered = false } = {},
): string[] {
  const rows = rowsOf(lines.join("\n"), isSized);
  const directories = readDirectories(rows);
  const units = chooseUnits(directories, "", "");
  const keep = selectPaths({
    rows,
    directories,
    units,
    extensions: readExtensions(rows),
    terms,
    isSized,
    isScattered,
  });
  return lines.filter((_, i) => keep[i]);
}

const MANY = manyPaths(10, 80);

/** Needles that stay wherever they stand. */
const NEEDLES: Record<string, string> = {
  manifest: "packages/part003/src/package.json",
  readme: "packages/part003/src/README.md",
  settings: "packages/part003/src/jest.config.ts",
  lock: "packages/part003/src/deps.lock",
  hidden: "packages/part003/src/.env.local",
  rare: "packages/part003/src/schema.prisma",
  error: "find: ‘packages/x’: Permission denied",
  total: "12 directories, 800 files",
  truncated: "(Results are truncated. Consider using a more specific path.)",
  modified: " M packages/part003/src/cart_reader.ts",
  conflict: "UU packages/part003/src/cart_reader.ts",
  longModified: "\tboth modified:   packages/part003/src/cart_reader.ts",
};

for (const [name, needle] of Object.entries(NEEDLES)) {
  Deno.test(`selectPaths keeps ${name} at every place`, () => {
    for (const at of [1, 40, 321, 555, MANY.length - 2]) {
      for (const isScattered of [false, true]) {
        const lines = MANY.toSpliced(at, 0, needle);
        assert.ok(select(lines, { isScattered }).includes(needle), `${at}`);
      }
    }
  });
}

Deno.test("selectPaths keeps what the query asks for", () => {
  const needle = "packages/part004/src/zebra_loader.ts";
  const lines = MANY.toSpliced(350, 0, needle);
  assert.ok(!select(lines).includes(needle));
  assert.ok(select(lines, { terms: ["zebra"] }).includes(needle));
});

Deno.test("selectPaths keeps the ends of each directory, and leaves most out", () => {
  const kept = select(MANY);
  assert.ok(kept.length < MANY.length / 4, `${kept.length}`);
  for (let i = 0; i < 10; i++) {
    assert.ok(kept.includes(MANY[i * 80]!));
    assert.ok(kept.includes(MANY[i * 80 + 79]!));
  }
});

Deno.test("selectPaths keeps numbered names, and those that break a pattern", () => {
  const frames = Array.from({ length: 90 }, (_, i) => `data/f_${i + 10}.png`);
  const hashes = Array.from(
    { length: 90 },
    (_, i) => `blob/part-${(i * 7919) % 1009}.png`,
  );
  const odd = "blob/thumbnail.png";
  const lines = [...MANY, ...frames, ...hashes.toSpliced(50, 0, odd)];
  const kept = select(lines);
  for (const frame of frames) assert.ok(kept.includes(frame), frame);
  assert.ok(kept.includes(odd));
  assert.ok(kept.filter((line) => line.startsWith("blob/")).length < 40);
});

Deno.test("selectPaths keeps nothing of what nobody wrote by hand but what is asked for", () => {
  const bulk = MANY.map((path) => `node_modules/${path}`);
  const asked = "node_modules/packages/part001/src/README.md";
  const kept = select([...MANY, ...bulk, asked]);
  assert.ok(!kept.some((path) => path.startsWith("node_modules/")));
  const found = select([...MANY, ...bulk, asked], { terms: ["readme"] });
  assert.ok(found.includes(asked));
});

Deno.test("selectPaths keeps the first paths of a list in no order of names", () => {
  const kept = select(MANY, { isScattered: true });
  assert.deepEqual(kept.slice(0, 60), MANY.slice(0, 60));
  assert.equal(kept.at(-1), MANY.at(-1));
});

Deno.test("selectPaths keeps the largest of a list with sizes", () => {
  const lines = MANY.map((path, i) => `${path}|${i % 50}`);
  const large = `${MANY[444]!}|1.5M`;
  lines[444] = large;
  assert.ok(select(lines, { isSized: true }).includes(large));
});
