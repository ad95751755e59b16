import assert from "node:assert/strict";
import { Hono } from "hono";
import type { ProxyEnv } from "../../../src/proxy/env.ts";
import { resetStats } from "../../../src/proxy/handlers/stats_reset.ts";

Deno.test("resetStats resets, and says so once it is done", async () => {
  const steps: string[] = [];
  const app = new Hono<ProxyEnv>().post(
    "/stats/reset",
    resetStats(async () => {
      await Promise.resolve();
      steps.push("reset");
    }),
  );
  const response = await app.request("/stats/reset", { method: "POST" });
  assert.deepEqual(steps, ["reset"]);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: "reset" });
});
