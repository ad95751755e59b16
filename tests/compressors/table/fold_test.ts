import assert from "node:assert/strict";
import { foldTables, NOTE } from "../../../src/compressors/table/fold.ts";
import { findTables } from "../../../src/compressors/table/find.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { podLines } from "./samples.ts";

function fold(text: string) {
  const lines = indexLines(text);
  return foldTables(lines, findTables(lines));
}

Deno.test("foldTables says in one line what was done and keeps the text around", () => {
  const text = ["$ kubectl get pods", ...podLines(20), "", "$ date"].join("\n");
  const folded = fold(text)!;
  const lines = folded.split("\n");
  assert.equal(lines[0], "$ kubectl get pods");
  assert.equal(
    lines[1],
    "… (21 lines of table unpadded <<<<< gap 3; name=value holds for all rows)",
  );
  assert.equal(lines[2], "NAME READY=1/1 STATUS=Running RESTARTS AGE");
  assert.deepEqual(lines.slice(-2), ["", "$ date"]);
});

Deno.test("foldTables counts the lines of cells with newlines", () => {
  const text =
    'id,note,kind\n1,"a\nb",long-kind\n2,c,long-kind\n3,d,long-kind\n4,e,long-kind\n5,f,long-kind\n6,g,long-kind\n7,h,long-kind\n8,i,long-kind\n';
  assert.ok(fold(text)!.startsWith(`${NOTE}10 lines of CSV;`));
});

Deno.test("foldTables leaves text with lines like its notes, and tables without gain, alone", () => {
  const table = podLines(20).join("\n");
  assert.equal(fold(`${NOTE}x)\n\n${table}`), undefined);
  assert.equal(fold(`${table}\n\n${NOTE}x)`), undefined);
  assert.equal(fold("a,b\n1,2\n3,4\n5,6\n"), undefined);
});
