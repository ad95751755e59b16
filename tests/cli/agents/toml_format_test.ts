import assert from "node:assert/strict";
import { ConfigFault } from "../../../src/cli/agents/agent.ts";
import { tomlFormat } from "../../../src/cli/agents/toml_format.ts";

const format = tomlFormat("mcp_servers");
const BLOCK = '[mcp_servers.svc]\ncommand = "a"';

Deno.test("tomlFormat adds the block behind everything else, an empty line between", () => {
  const value = { command: "a" };
  assert.equal(format.set("", value), `${BLOCK}\n`);
  assert.equal(format.set("x = 1", value), `x = 1\n\n${BLOCK}\n`);
  assert.equal(format.set("x = 1\n# c\n", value), `x = 1\n# c\n\n${BLOCK}\n`);
  assert.equal(
    format.set("x = 1\r\n", value),
    'x = 1\r\n\r\n[mcp_servers.svc]\r\ncommand = "a"\r\n',
  );
});

Deno.test("tomlFormat replaces the block in its place, with the tables below it", () => {
  const text = `x = 1\n\n[ mcp_servers . "svc" ] # mine\ncommand = "b"\n\n` +
    `# env\n[mcp_servers.svc.env]\nA = "b"\n\n# next\n[y]\nz = 1\n`;
  assert.equal(
    format.set(text, { command: "a" }),
    `x = 1\n\n${BLOCK}\n\n# next\n[y]\nz = 1\n`,
  );
  assert.equal(format.remove(text, false), "x = 1\n\n# next\n[y]\nz = 1\n");
});

Deno.test("tomlFormat removes tables of the entry that do not stand together", () => {
  const text = `${BLOCK}\n\n[y]\nz = 1\n\n[mcp_servers.svc.env]\nA = "b"\n`;
  assert.equal(format.remove(text, false), "[y]\nz = 1\n");
});

Deno.test("tomlFormat leaves tables with a name that only begins alike", () => {
  const text = '[mcp_servers.svc2]\ncommand = "a"\n\n[[mcp_servers_svc]]\n';
  assert.equal(format.remove(text, false), text);
});

Deno.test("tomlFormat names the line of a fault", () => {
  assert.throws(
    () => format.parse("a = 1\nb = ["),
    (error) =>
      error instanceof ConfigFault && error.line === 2 &&
      error.message === "it is not valid TOML (unfinished array)",
  );
});

Deno.test("tomlFormat reads integers that a number cannot hold", () => {
  assert.deepEqual({ ...format.parse("a = 9223372036854775807") }, {
    a: 9223372036854775807n,
  });
});
