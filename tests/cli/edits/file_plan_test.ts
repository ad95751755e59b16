import assert from "node:assert/strict";
import {
  type FormatId,
  VALUE_FORMATS,
} from "../../../src/cli/edits/value_format.ts";
import fc from "fast-check";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import {
  editText,
  undoText,
  type WantedValue,
} from "../../../src/cli/edits/file_plan.ts";
import { KEEPABLE, keptFile } from "../../../src/cli/edits/keep_rows.ts";
import { codexProvider, ownKeyTexts } from "./edited_texts.ts";
import {
  type Journal,
  parseJournal,
  printJournal,
} from "../../../src/cli/edits/journal.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";

const { jsonc, toml } = VALUE_FORMATS;

Deno.test("VALUE_FORMATS set values in objects that are made for them", () => {
  assert.equal(jsonc.set('{"c": 2}', ["a", "b"], 1), '{"c": 2, "a": {"b":1}}');
  assert.equal(
    jsonc.set("\uFEFF", ["a", "b"], 1),
    '\uFEFF{\n  "a": {\n    "b": 1\n  }\n}\n',
  );
  assert.equal(
    toml.set("\uFEFF# a\r\n", ["a", "b"], { c: 1 }),
    "\uFEFF# a\r\n\r\n[a.b]\r\nc = 1\r\n",
  );
});

Deno.test("VALUE_FORMATS put a plain value of TOML before the first table", () => {
  assert.equal(toml.set("[t]\n", ["a"], "b"), 'a = "b"\n[t]\n');
  assert.equal(
    toml.set("[t]\na = 'c'\n", ["a"], "b"),
    "a = \"b\"\n[t]\na = 'c'\n",
  );
  assert.equal(toml.set("a = 'c' # d", ["a"], "b"), 'a = "b" # d');
});

Deno.test("VALUE_FORMATS remove a value, or the object around it", () => {
  const text = '{"a": {"b": 1}, "c": 2}';
  assert.equal(jsonc.remove(text, ["a", "b"], ["a", "b"]), '{"a": {}, "c": 2}');
  assert.equal(jsonc.remove(text, ["a", "b"], ["a"]), '{ "c": 2}');
  assert.equal(jsonc.remove(text, ["x"], ["x"]), text);
  assert.equal(
    toml.remove('a = "b"\nc = 1\n\n[t.s]\nd = 1\n', ["a"], ["a"]),
    "c = 1\n\n[t.s]\nd = 1\n",
  );
  assert.equal(
    toml.remove("c = 1\n\n[t.s]\nd = 1\n", ["t", "s"], []),
    "c = 1\n",
  );
});

const URL = "http://127.0.0.1:8787";
const CLAUDE = KEEPABLE.claude.values(URL);
const CODEX = codexProvider(URL);

function edit(
  format: FormatId,
  text: string | undefined,
  values: readonly WantedValue[],
) {
  return editText(text, { format, values, past: undefined });
}

const { claude, codex, opencode } = KEEPABLE;
const EDITS = {
  "claude": claude,
  "codex": codex,
  "a provider of codex": { ...codex, values: codexProvider },
  "opencode": opencode,
};

for (const [name, { id, format, values }] of Object.entries(EDITS)) {
  const wanted = values(URL);
  const rules = VALUE_FORMATS[format];

  Deno.test(`undoText gives back what editText began with, for ${name}`, () => {
    fc.assert(fc.property(ownKeyTexts(id, values), (text) => {
      const { text: after, made } = edit(format, text, wanted);
      assert.deepEqual(undoText(after, made), { text, kept: [] });
    }));
  });

  Deno.test(`editText sets another address as if it were the first, for ${name}`, () => {
    fc.assert(fc.property(ownKeyTexts(id, values), (text) => {
      const first = edit(format, text, wanted);
      const others = values("http://127.0.0.1:9000");
      const past = first.made;
      const second = editText(first.text, { format, values: others, past });
      assert.deepEqual(second, edit(format, text, others));
    }));
  });

  Deno.test(`undoText keeps later edits of the user, for ${name}`, () => {
    fc.assert(
      fc.property(ownKeyTexts(id, values), fc.boolean(), (text, isFirst) => {
        const { text: after, made } = edit(format, text, wanted);
        const path = format === "toml" ? ["later"] : ["later", "inner"];
        const line = format === "toml" && isFirst ? "# mine\n" : "";
        const mark = after.startsWith("\uFEFF") ? "\uFEFF" : "";
        const rest = after.slice(mark.length);
        const later = rules.set(mark + line + rest, path, "user's");
        const undone = undoText(later, made);
        assert.deepEqual(undone.kept, []);
        assert.deepEqual(
          undone.text === undefined ? {} : plain(rules.parse(undone.text)),
          plain(rules.parse(rules.set(text, path, "user's"))),
        );
        assert.ok(undone.text?.includes(line));
      }),
    );
  });

  Deno.test(`undoText makes no file of one that held our values only, for ${name}`, () => {
    const { text, made } = edit(format, undefined, wanted);
    assert.deepEqual(undoText(text, made), { text: undefined, kept: [] });
    // A program that prints it anew leaves our values.
    const printed = format === "toml" ? text + "\n" : text.replace(/\s/g, "");
    assert.deepEqual(undoText(printed, made), { text: undefined, kept: [] });
  });
}

/** Values with ordinary prototypes, without tables that are empty. */
function plain(values: unknown): unknown {
  return JSON.parse(
    JSON.stringify(
      values,
      (_, value) => typeof value === "bigint" ? Number(value) : value,
    ),
    (_, value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) &&
        Object.keys(value).length === 0
        ? undefined
        : value,
  );
}

Deno.test("editText keeps comments, the style and a value that is to stay if it is set", () => {
  const text =
    '{\r\n    // mine\r\n    "env": {\r\n        "ENABLE_TOOL_SEARCH": "auto", // so\r\n    },\r\n}';
  const { text: after } = edit("jsonc", text, CLAUDE);
  assert.equal(
    after,
    text.replace(
      "// so\r\n",
      `// so\r\n        "ANTHROPIC_BASE_URL": "${URL}",\r\n`,
    ),
  );
});

Deno.test("editText replaces the provider that a user chose, once, and undoText puts it back beside later edits", () => {
  const text =
    'model = "x"\nmodel_provider = "azure" # work\n\n[model_providers.azure]\nname = "Azure"\n\n[model_providers.svc]\n# why\nname = "older" # so\nrequest_max_retries = 4\n';
  const { text: after, made } = edit("toml", text, CODEX);
  assert.match(after, /^model_provider = "svc" # work$/m);
  assert.equal(after.match(/model_provider =/g)?.length, 1);
  assert.equal(after.match(/\[model_providers\.svc\]/g)?.length, 1);
  const later = `# later\n${after}`;
  assert.equal(undoText(later, made).text, `# later\n${text}`);
});

Deno.test("undoText leaves a value that the user changed since, and names it", () => {
  const { text, made } = edit("jsonc", '{"env":{"A":"1"}}', CLAUDE);
  const changed = text.replace(URL, "https://gateway.example");
  const { text: undone, kept } = undoText(changed, made);
  assert.deepEqual(kept, [["env", "ANTHROPIC_BASE_URL"]]);
  assert.deepEqual(JSON.parse(undone!), {
    env: { A: "1", ANTHROPIC_BASE_URL: "https://gateway.example" },
  });
});

Deno.test("editText changes nothing of a text that it cannot parse, or not edit safely", () => {
  const cases: [FormatId, string, readonly WantedValue[]][] = [
    ["jsonc", '{"env":', CLAUDE],
    ["jsonc", '{"env":[]}', CLAUDE],
    ["jsonc", "[]", CLAUDE],
    ["toml", "model_provider = ", CODEX],
    ["toml", 'model_providers = { a = { name = "b" } }', CODEX],
    ["toml", 'model_provider = """a"""', CODEX],
  ];
  for (const [format, text, values] of cases) {
    assert.throws(() => edit(format, text, values), ConfigFault, text);
  }
});

Deno.test("editText gives only a new file what its program would add", () => {
  const { format, values } = KEEPABLE.opencode;
  assert.match(edit(format, undefined, values(URL)).text, /"\$schema"/);
  assert.doesNotMatch(edit(format, "{}", values(URL)).text, /"\$schema"/);
});

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

function fileOf(
  id: keyof typeof KEEPABLE,
  env: Record<string, string>,
  present: readonly string[] = [],
): Promise<string> {
  const files = fakeFiles(new Map(present.map((path) => [path, ""])));
  return keptFile(KEEPABLE[id], fakeIo({ files, env, cwd: "/work" }));
}

Deno.test("keptFile follows the variables that place agents' files", async () => {
  const env = { HOME: "/home/a" };
  const cases = [
    ["claude", {}, "/home/a/.claude/settings.json"],
    ["claude", { CLAUDE_CONFIG_DIR: "c" }, "/work/c/settings.json"],
    ["codex", {}, "/home/a/.codex/config.toml"],
    ["codex", { CODEX_HOME: "/x" }, "/x/config.toml"],
    ["opencode", {}, "/home/a/.config/opencode/opencode.json"],
    ["opencode", { OPENCODE_CONFIG: "/o.json" }, "/o.json"],
  ] as const;
  for (const [id, more, path] of cases) {
    assert.equal(await fileOf(id, { ...env, ...more }), path);
  }
});

Deno.test("keptFile takes the file that is there", async () => {
  const path = "/home/a/.config/opencode/opencode.jsonc";
  assert.equal(await fileOf("opencode", { HOME: "/home/a" }, [path]), path);
});
