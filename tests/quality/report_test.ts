import assert from "node:assert/strict";
import type { Judged, Place } from "./judge.ts";
import {
  factList,
  itemTable,
  kindTable,
  percent,
  reasonTable,
  savedShare,
  sizeTable,
  weightedTotal,
} from "./report.ts";

function row(
  file: string,
  [before, after]: readonly [number, number],
  change: { places?: Place[]; reason?: string; heldOut?: boolean } = {},
): Judged {
  const { places = ["inline"], reason = "", heldOut = false } = change;
  return {
    item: {
      file,
      kind: file.split("/")[0]!,
      tool: "Bash",
      args: {},
      query: "",
      heldOut,
      facts: places.map((place) => `a ${place} fact`),
    },
    kind: "log",
    size: "100-500",
    strategy: reason === "" ? "log" : "-",
    elided: reason === "",
    form: "",
    reason,
    before,
    after,
    places,
  };
}

function cells(table: string, name: string): readonly string[] {
  const line = table.split("\n").find((each) => each.startsWith(`| ${name} |`));
  return line!.slice(2, -2).split(" | ");
}

Deno.test("savedShare weighs items by their tokens and knows nothing of no items", () => {
  assert.equal(savedShare([row("a/1", [100, 50]), row("a/2", [300, 250])]), 25);
  assert.equal(savedShare([]), undefined);
  assert.equal(percent(undefined), "-");
});

Deno.test("kindTable keeps the halves apart and names the aim", () => {
  const table = kindTable([
    row("grep/1", [100, 50]),
    row("grep/2", [100, 80], { heldOut: true, places: ["recoverable"] }),
  ]);
  assert.deepEqual(cells(table, "grep"), [
    ..."grep 2 200 50.0 20.0 35.0 35.0 60 2 1 1 0 -".split(" "),
  ]);
  assert.equal(cells(table, "all")[1], "2");
});

Deno.test("kindTable counts the failures that are inline, and no other facts", () => {
  const places: Place[] = ["inline", "recoverable", "recoverable"];
  const plain = row("grep/1", [100, 50], { places });
  const facts = plain.item.facts.map((fact, i) =>
    i === 2 ? fact : { all: [`${fact}`], failure: true } as const
  );
  const table = kindTable([
    { ...plain, item: { ...plain.item, facts } },
    row("grep/2", [100, 50]),
  ]);
  assert.equal(cells(table, "grep").at(-1), "1 of 2, 50.0 %");
});

Deno.test("sizeTable has a row for a class without items", () => {
  const table = sizeTable([row("grep/1", [100, 50])]);
  assert.equal(cells(table, "under 100")[1], "0");
  assert.equal(cells(table, "100-500")[1], "1");
  assert.equal(cells(table, "100-500")[7], "20");
});

Deno.test("reasonTable counts the items left alone, the most frequent reason first", () => {
  const table = reasonTable([
    row("a/1", [10, 10], { reason: "too_small" }),
    row("b/1", [10, 10], { reason: "no_kind" }),
    row("a/2", [10, 10], { reason: "no_kind" }),
    row("a/3", [10, 5]),
  ]);
  assert.deepEqual(table.split("\n").slice(2), [
    "| no_kind | 2 | 20 | a, b |",
    "| too_small | 1 | 10 | a |",
  ]);
});

Deno.test("itemTable says of each item what was decided", () => {
  const places: Place[] = ["inline", "lost"];
  const table = itemTable([
    row("a/1", [10, 5], { places }),
    row("a/2", [10, 10], { reason: "no_kind" }),
  ]);
  assert.deepEqual(table.split("\n").slice(2), [
    "| a/1 | log | log | 10 | 5 | 50.0 | 1/2, 1 lost | - |",
    "| a/2 | log | - | 10 | 10 | 0.0 | 1/1 | no_kind |",
  ]);
});

Deno.test("factList names the facts of one place with their files", () => {
  const rows = [row("a/1", [10, 5], { places: ["inline", "lost"] })];
  assert.deepEqual(factList(rows, "lost"), ['a/1: "a lost fact"']);
});

Deno.test("weightedTotal goes by the shares of kinds, not by the tokens here", () => {
  const rows = [
    row("markdown/1", [10, 5]),
    row("prose/1", [10_000, 10_000]),
  ];
  assert.equal(percent(weightedTotal(rows)), percent(50 * 28 / 30));
  const extra = {
    ...row("prose/1", [10, 1]),
    item: { ...rows[0]!.item, extra: true },
  };
  assert.equal(weightedTotal([extra]), undefined);
});
