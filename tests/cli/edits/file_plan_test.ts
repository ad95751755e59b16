import assert from "node:assert/strict";
import fc from "fast-check";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import {
  editText,
  undoText,
  type WantedValue,
} from "../../../src/cli/edits/file_plan.ts";
import {
  type FormatId,
  VALUE_FORMATS,
} from "../../../src/cli/edits/value_format.ts";
import { KEEPABLE } from "../../../src/cli/edits/keep_rows.ts";
import { codexProvider, ownKeyTexts } from "./edited_texts.ts";

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
