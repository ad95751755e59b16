import assert from "node:assert/strict";
import { probeMcp } from "../../src/cli/probe_mcp.ts";

/** A server of one line of code. */
function server(code: string) {
  return { command: [Deno.execPath(), "eval", code], env: { MARK: "here" } };
}

const READ =
  "const b = new Uint8Array(9999); const n = Deno.stdin.readSync(b);" +
  "const q = JSON.parse(new TextDecoder().decode(b.subarray(0, n)));";

Deno.test("probeMcp is content with a program that answers the greeting, with its own variables", async () => {
  const code = READ +
    "if (q.method === 'initialize' && Deno.env.get('MARK')) " +
    "console.log(JSON.stringify({ jsonrpc: '2.0', id: q.id, result: {} }));" +
    "setInterval(() => {}, 1000);";
  assert.equal(await probeMcp(server(code)), undefined);
});

Deno.test("probeMcp says what is wrong with a program that is no server", async () => {
  assert.equal(
    await probeMcp({ command: ["/nowhere/svc"], env: {} }),
    "it cannot be started (ENOENT)",
  );
  assert.equal(await probeMcp(server("")), "it ended without an answer");
  assert.equal(
    await probeMcp(server("console.log('hello')")),
    "its answer is not that of a server",
  );
  assert.equal(
    await probeMcp(server(READ + "console.log('{\"error\":1}')")),
    "its answer is not that of a server",
  );
});

Deno.test("probeMcp ends a program that does not answer in time", async () => {
  const code = "setInterval(() => {}, 1000)";
  assert.equal(
    await probeMcp(server(code), 50),
    "it did not answer within 0.05 s",
  );
});
