import assert from "node:assert/strict";
import fc from "fast-check";
import { stringify } from "smol-toml";
import {
  maskedChange,
  maskedContext,
} from "../../../src/cli/agents/value_mask.ts";

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
