import assert from "node:assert/strict";
import { planColumns } from "../../../src/compressors/table/plan.ts";
import {
  AS_IT_WAS,
  headText,
  rowText,
  splitFor,
  type Writing,
} from "../../../src/compressors/table/write.ts";
import { inputOf, podLines, tableOf } from "./samples.ts";

function writing(text: string): Writing {
  const table = tableOf(text);
  return { table, plans: planColumns(table, true), split: splitFor(table)! };
}

Deno.test("splitFor takes a blank, and a bar or tab where cells hold blanks", () => {
  assert.equal(splitFor(tableOf(podLines(9).join("\n"))), " ");
  assert.equal(splitFor(tableOf(inputOf("kubectl_pods"))), "|");
  const barred = inputOf("kubectl_pods").replace("checkout", "check|ut");
  assert.equal(splitFor(tableOf(barred)), "\t");
  assert.equal(
    splitFor(tableOf(barred.replace("payments", "pay|ents"))),
    "\t",
  );
});

Deno.test("headText and rowText leave out what all rows share", () => {
  const write = writing(
    "id,path,kind\n1,src/table/a.ts,x\n2,src/table/b.ts,x\n3,src/table/cd.ts,x\n4,src/table/e.ts,x\n",
  );
  assert.equal(headText(write), "id,path=src/table/*,kind=x");
  assert.equal(rowText(write, 3), "3,cd.ts");
});

Deno.test("rowText writes a repeated cell again in every tenth row", () => {
  const rows = Array.from(
    { length: 25 },
    (_, i) => `${i},${i < 24 ? "repeated" : "changed"}`,
  );
  const write = writing(["id,value", ...rows].join("\n"));
  const shown = Array.from({ length: 25 }, (_, i) => rowText(write, i + 1))
    .filter((row) => row.endsWith("repeated"));
  assert.deepEqual(shown, ["0,repeated", "10,repeated", "20,repeated"]);
});

Deno.test("rowText writes a row that follows no layout as it was", () => {
  const write = writing(
    "a,b\n1,2\nragged\n3,4\n5,6\n7,8\n9,1\n2,3\n4,4\n5,5\n6,6\n7,7\n",
  );
  assert.equal(rowText(write, 2), `${AS_IT_WAS}ragged`);
});
