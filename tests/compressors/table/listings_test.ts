import assert from "node:assert/strict";
import { findListings } from "../../../src/compressors/table/listings.ts";
import { cellText } from "../../../src/compressors/table/table.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "./samples.ts";

Deno.test("findListings finds each directory of ls -lR", () => {
  const tables = findListings(indexLines(inputOf("fold_ls_recursive")));
  assert.equal(tables.length, 2);
  assert.equal(tables[0]!.names!.at(-1), "name");
  assert.equal(cellText(tables[0]!, 0, 8), "compressor.ts");
  assert.ok(tables.every(({ plain }) => !plain.includes(1)));
});

Deno.test("findListings knows names with blanks, links and dates in ISO form", () => {
  const rows = [
    "-rw-r--r-- 1 ada staff  120 2026-01-02 10:11 a b.txt",
    "lrwxrwxrwx 1 ada staff    7 2026-01-02 10:11 x -> a b.txt",
    "drwxr-xr-x 2 ada staff 4096 2026-01-02 10:11 src",
  ];
  const [table] = findListings(indexLines(rows.join("\n")));
  assert.equal(table!.columns, 8);
  assert.equal(cellText(table!, 0, 7), "a b.txt");
  assert.equal(cellText(table!, 1, 7), "x -> a b.txt");
});

Deno.test("findListings knows packages, and marks rows that are padded otherwise", () => {
  const [apt] = findListings(indexLines(inputOf("apt_list")));
  assert.equal(apt!.layout.name, "apt list");
  const padded = inputOf("apt_list").replace("adduser/oldstable,now ", "$&");
  const [other] = findListings(indexLines(padded.replace(" all", " all ")));
  assert.equal(other!.plain.includes(1), false);
  const [dpkg] = findListings(indexLines(inputOf("fold_dpkg")));
  assert.equal(dpkg!.names![4], "description");
  assert.deepEqual(findListings(indexLines("a\nb\nc\nd\n")), []);
});
