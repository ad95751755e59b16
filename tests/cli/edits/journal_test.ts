import assert from "node:assert/strict";
import {
  type Journal,
  parseJournal,
  printJournal,
} from "../../../src/cli/edits/journal.ts";

const JOURNAL: Journal = {
  owner: "wrap-claude",
  files: [{
    path: "/home/a/f",
    target: "/home/a/real",
    before: null,
    digest: null,
    after: "00",
    format: "jsonc",
    directories: ["/home/a"],
    steps: [{
      path: ["a", "b"],
      value: "c",
      edit: { at: 0, removed: "", inserted: "x" },
    }],
  }],
  emptied: [],
  pending: [{ target: "/home/a/real", from: null, to: "x" }],
};

Deno.test("parseJournal reads what printJournal wrote", () => {
  assert.deepEqual(parseJournal(printJournal(JOURNAL)), JOURNAL);
});

Deno.test("parseJournal refuses what is no journal", () => {
  const [file] = JOURNAL.files;
  const cases: unknown[] = [
    null,
    [],
    {},
    { ...JOURNAL, version: 2 },
    { ...JOURNAL, version: 1, owner: 1 },
    { ...JOURNAL, version: 1, files: [{ ...file, format: "toString" }] },
    { ...JOURNAL, version: 1, files: [{ ...file, steps: [{}] }] },
    { ...JOURNAL, version: 1, pending: [{ target: "/a" }] },
  ];
  for (const value of cases) {
    assert.throws(() => parseJournal(JSON.stringify(value)), SyntaxError);
  }
  assert.throws(() => parseJournal(""), SyntaxError);
});
