import assert from "node:assert/strict";
import {
  cellText,
  PLAIN,
  RULE,
} from "../../../src/compressors/table/layout.ts";
import {
  findListings,
  findPadded,
} from "../../../src/compressors/table/padded.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "../goldens.ts";
import { podLines } from "./samples.ts";

const find = (text: string) => findPadded(indexLines(text));

Deno.test("findPadded finds the table below a prompt and before other lines", () => {
  const [table] = find([
    "$ kubectl get pods",
    ...podLines(12),
    "these pods are all that are there in the cluster at this time.",
  ].join("\n"));
  assert.equal(table!.rowLine[0], 1);
  assert.equal(table!.rowLine.at(-1), 14);
  assert.deepEqual(table!.names, [
    "NAME",
    "READY",
    "STATUS",
    "RESTARTS",
    "AGE",
  ]);
});

Deno.test("findPadded finds every block of a text", () => {
  const block = podLines(5).join("\n");
  const tables = find(`${block}\n\nother\n\n${block}\n`);
  assert.deepEqual(tables.map(({ rowLine }) => rowLine[0]), [0, 9]);
});

Deno.test("findPadded takes a line of dashes for none of the rows", () => {
  const [table] = find(inputOf("table/pip_list"));
  assert.deepEqual(table!.names, ["Package", "Version"]);
  assert.equal(table!.states[1], RULE);
  assert.equal(table!.states.filter((state) => state === PLAIN).length, 0);
});

Deno.test("findPadded gives names and cells of two words their column", () => {
  const [docker] = find(inputOf("table/fold_docker_ps"));
  assert.deepEqual(docker!.names?.slice(0, 3), [
    "CONTAINER ID",
    "IMAGE",
    "COMMAND",
  ]);
  assert.equal(cellText(docker!, 1, 3), "3 hours ago");
  const [df] = find(inputOf("table/df"));
  assert.equal(df!.names?.at(-1), "Mounted on");
});

Deno.test("findPadded leaves code, prose, help, lists and logs alone", () => {
  const texts = [
    "type A struct {\n\tName   string\n\tAge    int\n\tMail   string\n}\n",
    "The Quick Start\nshows how to begin with it\nin a few steps and\nnothing else\n",
    "Usage: x [options]\n\n  -a  all\n  -b  both\n  -c  none\n",
    "A B C\nsome words in a line\nother words in it too\nthen more of them\n",
    "total 3\n",
    `Exit code 1\n${"10:00:01  INFO  worker-1  done in 3 ms\n".repeat(9)}`,
  ];
  for (const text of texts) assert.deepEqual(find(text), [], text);
});

Deno.test("findListings names the columns of ls -l, dpkg -l and apt list", () => {
  const names = (file: string) =>
    findListings(indexLines(inputOf(`table/${file}`)))[0]?.names?.join(" ");
  assert.equal(
    names("ls_long"),
    "mode links owner group size month day time name",
  );
  assert.equal(names("fold_dpkg"), "state name version arch description");
  assert.equal(names("apt_list"), "package version arch state");
  assert.equal(names("ps_aux"), undefined);
});

Deno.test("findListings finds every directory of ls -lR", () => {
  const tables = findListings(indexLines(inputOf("table/fold_ls_recursive")));
  assert.ok(tables.length > 1);
});
