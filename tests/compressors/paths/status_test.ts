import assert from "node:assert/strict";
import { statusForm } from "../../../src/compressors/paths/status.ts";
import { inputOf } from "./samples.ts";

const print = (text: string) =>
  statusForm.print(statusForm.read(text)!.text, "");

Deno.test("statusForm leaves the usual hints out and puts them back", () => {
  const text = inputOf("gitStatus");
  const list = statusForm.read(text)!;
  assert.ok(text.includes("(use "));
  assert.ok(!list.text.includes("(use "));
  assert.equal(print(text), text);
});

Deno.test("statusForm knows the hints of branches and of endings", () => {
  const text = "On branch main\n" +
    "Your branch is ahead of 'origin/main' by 2 commits.\n" +
    '  (use "git push" to publish your local commits)\n\n' +
    "Untracked files:\n" +
    '  (use "git add <file>..." to include in what will be committed)\n' +
    "\tsrc/a.ts\n\n" +
    'nothing added to commit but untracked files present (use "git add" to track)\n';
  assert.ok(!statusForm.read(text)!.text.includes("use"));
  assert.equal(print(text), text);
});

Deno.test("statusForm leaves a status without hints and other texts alone", () => {
  assert.equal(
    statusForm.read("On branch main\nUntracked files:\n\ta.ts\n"),
    undefined,
  );
  assert.equal(statusForm.read("src/a.ts\n"), undefined);
});
