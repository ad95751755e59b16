import assert from "node:assert/strict";
import {
  type Install,
  parseRecord,
  printRecord,
  recordPath,
  withInstall,
  withoutInstall,
} from "../../../src/cli/agents/install_record.ts";
import { LAUNCH, OTHER } from "./config_texts.ts";

const install: Install = {
  agent: "codex",
  file: "/c",
  launch: LAUNCH,
  created: false,
  edit: { at: 3, removed: "", inserted: "x" },
};
const { edit: _, ...plain } = install;

Deno.test("parseRecord reads what printRecord writes", () => {
  const installs = [install, { ...plain, file: "/d" }];
  assert.deepEqual(parseRecord(printRecord(installs)), installs);
  assert.deepEqual(parseRecord(undefined), []);
  assert.deepEqual(parseRecord(" \n"), []);
});

Deno.test("parseRecord refuses what is no record", () => {
  const bad = [
    "{",
    "[]",
    '{"version":2,"installs":[]}',
    '{"version":1,"installs":[{}]}',
    printRecord([install]).replace("codex", "emacs"),
    printRecord([install]).replace('"at": 3', '"at": "3"'),
  ];
  for (const text of bad) {
    assert.throws(() => parseRecord(text), SyntaxError, text);
  }
});

Deno.test("withInstall has one registration per agent and file, in its place", () => {
  const second = { ...install, file: "/d" };
  const newer = { ...install, launch: OTHER };
  assert.deepEqual(withInstall([install, second], newer), [newer, second]);
  assert.deepEqual(withInstall([install], second), [install, second]);
  assert.deepEqual(withoutInstall([install, second], newer), [second]);
});

Deno.test("recordPath is in the workspace", () => {
  assert.equal(recordPath("/w"), "/w/mcp_installs.json");
});
