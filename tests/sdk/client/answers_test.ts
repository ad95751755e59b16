import assert from "node:assert/strict";
import {
  clientOriginal,
  setupReport,
  toolCallAnswer,
} from "../../../src/sdk/client/answers.ts";
import { healthStatus } from "../../../src/sdk/client/reports.ts";
import { SvcAuthError, SvcConnectionError } from "../../../src/sdk/errors.ts";

const checks = (facts: object) => ({
  ledger: { enabled: true, ready: true, status: "healthy", ...facts },
});
const report = (status: string, facts: object = {}) =>
  setupReport(
    Promise.resolve(healthStatus({ status, checks: checks(facts) })),
  );

Deno.test("setupReport finds a healthy proxy valid, and tells what is degraded or broken", async () => {
  const fine = { provider: "", warnings: [], errors: [], config: {} };
  assert.deepEqual(await report("healthy"), { ...fine, valid: true });
  const degraded = await report("healthy", { degraded: true });
  assert.deepEqual(degraded.warnings, ["ledger is degraded"]);
  assert.equal(degraded.valid, true);
  const broken = await report("healthy", { ready: false });
  assert.deepEqual(broken.errors, ["ledger does not work"]);
  assert.equal(broken.valid, false);
  assert.equal((await report("unhealthy")).valid, false);
  const off = await report("healthy", { enabled: false, ready: false });
  assert.equal(off.valid, true);
});

Deno.test("setupReport finds a proxy that cannot be reached not valid, and throws what is no answer to that", async () => {
  const gone = new SvcConnectionError("Cannot reach svc");
  const { valid, errors } = await setupReport(Promise.reject(gone));
  assert.deepEqual([valid, errors], [false, ["Cannot reach svc"]]);
  const refused = new SvcAuthError("No key");
  await assert.rejects(setupReport(Promise.reject(refused)), refused);
});

Deno.test("clientOriginal and toolCallAnswer rename our members, and never the provider's", () => {
  const original = { hash: "h", original_content: "a_b", tool_name: "my_tool" };
  const renamed = { hash: "h", originalContent: "a_b", toolName: "my_tool" };
  assert.deepEqual(clientOriginal(original), renamed);
  const result = { type: "tool_result", tool_use_id: "t", content: "a" };
  const answer = { tool_result: result, success: true, data: original };
  assert.deepEqual(toolCallAnswer(answer), {
    toolResult: result,
    success: true,
    data: renamed,
  });
});
