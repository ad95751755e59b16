import assert from "node:assert/strict";
import fc from "fast-check";
import {
  diffView,
  editBetween,
  type FileChange,
  maskedChange,
  maskedContext,
  takenBack,
} from "../../../src/cli/agents/text_edit.ts";
import { stringify } from "smol-toml";
import {
  type Install,
  openRecord,
  recordPath,
} from "../../../src/cli/agents/record.ts";
import { LAUNCH, OTHER } from "./config_texts.ts";
import { CliFailure, systemError } from "../../../src/cli/failure.ts";
import { fakeFiles } from "../fake_io.ts";

Deno.test("takenBack undoes what editBetween saw, whatever was inserted", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "b", "\n") });
  fc.assert(fc.property(texts, texts, texts, texts, (head, old, now, tail) => {
    fc.pre(now !== "");
    const before = head + old + tail;
    const after = head + now + tail;
    const edit = editBetween(before, after);
    if (edit.inserted === "") return;
    assert.equal(takenBack(after, edit), before);
  }));
});

Deno.test("editBetween is as small as one replacement can be", () => {
  assert.deepEqual(editBetween("abcd", "abXcd"), {
    at: 2,
    removed: "",
    inserted: "X",
  });
  assert.deepEqual(editBetween("same", "same"), {
    at: 4,
    removed: "",
    inserted: "",
  });
});

Deno.test("takenBack finds the inserted text at another place, if it is there once", () => {
  const edit = { at: 1, removed: "-", inserted: "XY" };
  assert.equal(takenBack("longer XY.", edit), "longer -.");
  assert.equal(takenBack("XY and XY", edit), undefined);
  assert.equal(takenBack("nothing", edit), undefined);
  assert.equal(takenBack("abc", { ...edit, inserted: "" }), undefined);
});

/** The view of a change from one text to another; only brackets and `ours` are shown. */
function view(
  before: FileChange["before"],
  after: FileChange["after"],
  ours: readonly string[] = [],
): string {
  return diffView({ file: "/f", before, after, known: new Set(ours) });
}

Deno.test("diffView shows the change with three lines around it", () => {
  const before = "{\n[\n{\n[\n5\n{\n[\n{\n[\n";
  assert.equal(
    view(before, before.replace("5\n", "6\n7\n")),
    "--- /f\n+++ /f\n@@ -2,7 +2,8 @@\n [\n {\n [\n-5\n+6\n+7\n {\n [\n {\n",
  );
});

Deno.test("diffView shows our values, and none of others", () => {
  const before =
    '{\n  "key": "sk-1",\n  "svc": {"args": ["sk-2"]},\n  "x": ["sk-3"]\n}\n';
  const after = before.replace('["sk-2"]', '["serve"]');
  const shown = view(before, after, ["serve"]);
  assert.doesNotMatch(shown, /sk-/);
  assert.equal(
    shown.slice(shown.indexOf("@@\n") + 3),
    ' {\n   "key": …\n-  "svc": {"args": ["…"]},\n+  "svc": {"args": ["serve"]},\n   "x": …\n }\n',
  );
});

Deno.test("diffView shows a new and a removed file", () => {
  assert.equal(
    view(undefined, "[a]\n[b]\n"),
    "--- /dev/null\n+++ /f\n@@ -0,0 +1,2 @@\n+[a]\n+[b]\n",
  );
  assert.equal(
    view("[a]\n", undefined),
    "--- /f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-[a]\n",
  );
});

Deno.test("diffView says where the last line has no end", () => {
  assert.equal(
    view("[a]", "[a]\n"),
    "--- /f\n+++ /f\n@@ -1,1 +1,1 @@\n-[a]\n\\ No newline at end of file\n+[a]\n",
  );
});

Deno.test("maskedContext shows keys, tables and brackets, no values", () => {
  const cases = [
    ["{\n", "{\n"],
    ["  },\r\n", "  },\r\n"],
    ["\n", "\n"],
    ['  "mcpServers": {\n', '  "mcpServers": {\n'],
    ['  "key": "secret",\n', '  "key": …\n'],
    ['{"a":{"key":"secret"}}', '{"a":…'],
    ['  "secret",\n', "  …\n"],
    ["// key: secret\n", "…\n"],
    ["# key = secret\n", "…\n"],
    ["[mcp_servers.x.env]\n", "[mcp_servers.x.env]\n"],
    ["args = [\n", "args = [\n"],
    ["a.b = 'secret'\r\n", "a.b = …\r\n"],
    ["n=5\n", "n=…\n"],
    ["c2VjcmV0==\n", "…\n"],
    ['secret"""\n', "…\n"],
  ] as const;
  for (const [line, shown] of cases) assert.equal(maskedContext(line), shown);
});

Deno.test("maskedChange shows keys and known values", () => {
  const known = new Set(["serve", 'a"b']);
  const cases = [
    ['"args": ["serve", "secret"],\n', '"args": ["serve", "…"],\n'],
    ['{"svc":{"command":"a\\"b","on":true}}', null],
    ["args = [ \"serve\", 'secret' ]\n", 'args = [ "serve", "…" ]\n'],
    ['command = "serve"\r\n', null],
    ["enabled = true\n", null],
    ["[mcp_servers.svc]\n", null],
    ["token = secret\n", "token = …\n"],
    ['"serve" // secret\n', "…\n"],
    ['a = "serve" # secret\n', "a = …\n"],
    ['secret"""\n', "…\n"],
  ] as const;
  for (const [line, shown] of cases) {
    assert.equal(maskedChange(line, known), shown ?? line);
  }
});

Deno.test("neither shows a value of any JSON or TOML that it does not know", () => {
  const secrets = fc.string({ unit: "binary" }).map((text) => `sk-${text}-sk`);
  const values = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,5}$/),
    fc.oneof(
      secrets,
      fc.array(secrets, { maxLength: 3 }),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), secrets),
    ),
  );
  const known = new Set(["serve"]);
  fc.assert(fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
    const texts = [JSON.stringify(value, null, indent), stringify(value)];
    for (const line of texts.flatMap((text) => text.split("\n"))) {
      assert.ok(!maskedContext(line).includes("sk-"), line);
      assert.ok(!maskedChange(line, known).includes("sk-"), line);
    }
  }));
});

const install: Install = {
  agent: "codex",
  file: "/c",
  launch: LAUNCH,
  created: false,
  edit: { at: 3, removed: "", inserted: "x" },
};
const { edit: _, ...plain } = install;
const PATH = "/project/w/mcp_installs.json";

/** The record of a workspace, as this text if any; `again` is what the next command reads. */
async function world(text?: string) {
  const files = fakeFiles(new Map(text === undefined ? [] : [[PATH, text]]));
  const io = { env: { SVC_WORKSPACE_DIR: "w" }, cwd: "/project", files };
  const again = () => openRecord(io);
  return { files, again, record: await again() };
}

Deno.test("openRecord keeps what is put, one registration per agent and file, in its place", async () => {
  const { files, record, again } = await world();
  assert.deepEqual(record.installs, []);
  const second = { ...plain, file: "/d" };
  await record.put(install);
  await record.put(second);
  assert.deepEqual([...files.texts.keys()], [recordPath("/project/w")]);
  const newer = { ...install, launch: OTHER };
  await (await again()).put(newer);
  const both = await again();
  assert.deepEqual(both.installs, [newer, second]);
  assert.deepEqual(both.of("codex", "/d"), second);
  assert.equal(both.of("claude", "/d"), undefined);
});

Deno.test("openRecord forgets what is dropped, and removes a record without anything", async () => {
  const { files, record, again } = await world();
  await record.drop(install);
  await record.put(install);
  await record.drop({ ...install, file: "/d" });
  assert.deepEqual((await again()).installs, [install]);
  await record.drop(install);
  assert.equal(files.texts.size, 0);
  assert.deepEqual((await world(" \n")).record.installs, []);
});

Deno.test("openRecord refuses a record that it cannot understand, with its path", async () => {
  const { files, record } = await world();
  await record.put(install);
  const good = files.texts.get(PATH)!;
  const bad = [
    "{",
    "[]",
    good.replace('"version": 1', '"version": 2'),
    '{"version":1,"installs":[{}]}',
    good.replace("codex", "emacs"),
    good.replace('"at": 3', '"at": "3"'),
  ];
  for (const text of bad) {
    await assert.rejects(
      world(text),
      (error) => error instanceof CliFailure && error.message.includes(PATH),
      text,
    );
  }
});

Deno.test("openRecord says that the record cannot be written and that nothing was changed", async () => {
  const { files, again } = await world();
  files.replace = () => Promise.reject(systemError("EACCES", "no"));
  const record = await again();
  await assert.rejects(record.put(install), /EACCES.*Nothing was changed/);
});

Deno.test("openRecord says that the record cannot be read", async () => {
  const { files, again } = await world();
  files.read = () => Promise.reject(systemError("ENOTDIR", "no directory"));
  await assert.rejects(
    again(),
    (error) =>
      error instanceof CliFailure && /ENOTDIR\)\. Set SVC_/.test(error.message),
  );
});
