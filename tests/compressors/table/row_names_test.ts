import assert from "node:assert/strict";
import {
  namesBetween,
  namesOf,
} from "../../../src/compressors/table/row_names.ts";
import { inputOf, orderLines, tableOf } from "./samples.ts";

Deno.test("namesOf and namesBetween list files and packages", () => {
  const files = tableOf(inputOf("ls_long"));
  const names = namesOf(files)!;
  assert.ok(names.isList);
  assert.match(
    namesBetween(files, names, [0, 3]),
    /^: \w+\.ts, \w+\.ts, \w+\.ts$/,
  );
  const apt = tableOf(inputOf("apt_list"));
  assert.equal(namesBetween(apt, namesOf(apt), [0, 1]), ": adduser");
  assert.ok(namesOf(tableOf(inputOf("pip_list")))!.isList);
});

Deno.test("namesBetween gives the ends of a gap when the names of a wide table are in order", () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) => `key-${String.fromCharCode(97 + i)},1,2,${i}`,
  );
  const table = tableOf(["key,a,b,c", ...rows].join("\n"));
  assert.equal(namesBetween(table, namesOf(table), [3, 8]), ": key-c … key-g");
  assert.equal(namesBetween(table, namesOf(table), [3, 4]), "");
});

Deno.test("namesOf finds none in numbers or in unordered names of a wide table", () => {
  const orders = tableOf(orderLines(20).join("\n"));
  assert.equal(namesOf(orders), undefined);
  assert.equal(namesBetween(orders, undefined, [1, 5]), "");
});
