import assert from "node:assert/strict";
import { checkShell } from "../../../src/cli/doctor/shell_check.ts";
import { foundIn } from "./world.ts";

const check = async (env: Record<string, string>) =>
  checkShell(await foundIn({ env }));
const HERE = "http://localhost:8787";

Deno.test("checkShell passes when all base URLs lead to the proxy", async () => {
  const both = { ANTHROPIC_BASE_URL: HERE, OPENAI_BASE_URL: `${HERE}/v1` };
  const { status, summary } = await check(both);
  assert.equal(status, "pass");
  assert.match(summary, /^ANTHROPIC_BASE_URL, OPENAI_BASE_URL point to/);
});

Deno.test("checkShell skips a shell without any, and says how to route it", async () => {
  const { status, hint } = await check({});
  assert.equal(status, "skip");
  assert.match(hint ?? "", /^export ANTHROPIC_BASE_URL=http:.*:8787 OPENAI/);
});

Deno.test("checkShell says the worst", async () => {
  const past = { ANTHROPIC_BASE_URL: "https://x.example/secret" };
  assert.equal((await check(past)).status, "warn");
  const wrong = { ...past, OPENAI_BASE_URL: "no url" };
  assert.equal((await check(wrong)).status, "fail");
  assert(!JSON.stringify(await check(wrong)).includes("secret"));
  const doubled = { ANTHROPIC_BASE_URL: `${HERE}/v1` };
  assert.equal((await check(doubled)).status, "fail");
});
