import assert from "node:assert/strict";
import { planColumns } from "../../../src/compressors/table/plan.ts";
import { tableOf } from "./samples.ts";

function plans(text: string, mayDitto = true) {
  return planColumns(tableOf(text), mayDitto);
}

const PATHS =
  "id,path,kind\n1,src/table/a.ts,x\n2,src/table/b.ts,x\n3,src/table/cd.ts,x\n4,src/table/e.ts,x\n";

Deno.test("planColumns finds constants and common starts that end at a mark", () => {
  assert.deepEqual(plans(PATHS), [
    { type: "own" },
    { type: "affix", prefix: "src/table/", suffix: "" },
    { type: "constant", value: "x" },
  ]);
});

Deno.test("planColumns needs longer starts where rows are left out", () => {
  assert.deepEqual(plans(PATHS, false)[1], { type: "own" });
});

Deno.test("planColumns leaves cells alone that a start would make empty or quoted", () => {
  const empty =
    "a,b\n1,src/table/\n2,src/table/b\n3,src/table/c\n4,src/table/d\n5,src/table/e\n";
  assert.deepEqual(plans(empty)[1], { type: "own" });
  const quoted =
    'a,b\n1,"src/table/a"\n2,"src/table/b"\n3,"src/table/c"\n4,"src/table/d"\n5,"src/table/e"\n';
  assert.deepEqual(plans(quoted)[1], { type: "own" });
});

Deno.test("planColumns repeats long cells by a sign unless the table holds it", () => {
  const rows = [
    "a,b",
    "1,long-value",
    "2,long-value",
    "3,long-value",
    "4,other-value",
    "5,other-value",
    "6,other-value",
  ];
  assert.deepEqual(plans(rows.join("\n"))[1], {
    type: "affix",
    prefix: "",
    suffix: "-value",
  });
  const mixed = rows.map((row) => row.replace("other-value", "secondary"));
  assert.deepEqual(plans(mixed.join("\n"))[1], { type: "ditto" });
  assert.deepEqual(plans(mixed.join("\n"), false)[1], { type: "own" });
  assert.deepEqual(plans([...mixed, "7,″"].join("\n"))[1], { type: "own" });
});

Deno.test("planColumns keeps one column, and all where names could not be told from values", () => {
  assert.equal(plans("a,b,c\nx,y,z\nx,y,z\nx,y,z\nx,y,z\n")[0]!.type, "own");
  assert.ok(
    plans("| a=b | c |\n| --- | --- |\n| 1 | x |\n| 2 | x |\n| 3 | x |\n")
      .every(({ type }) => type === "own"),
  );
});
