import assert from "node:assert/strict";
import { isServiceInstalled } from "../../../src/cli/edits/service.ts";

function isInstalled(text: string | undefined): Promise<boolean> {
  return isServiceInstalled("http://127.0.0.1:8787", {
    ask: ({ href }) => {
      assert.equal(href, "http://127.0.0.1:8787/health");
      return Promise.resolve(text === undefined ? text : { status: 200, text });
    },
  });
}

Deno.test("isServiceInstalled is true for a proxy that says who supervises it", async () => {
  const health = {
    service: "svc-proxy",
    deployment: { supervisor: "systemd" },
  };
  assert.equal(await isInstalled(JSON.stringify(health)), true);
});

Deno.test("isServiceInstalled is false for all else that answers, or does not", async () => {
  const cases = [
    undefined,
    "",
    "[]",
    '{"deployment": {"supervisor": "systemd"}}',
    '{"service": "svc-proxy"}',
    '{"service": "svc-proxy", "deployment": {"supervisor": "none"}}',
  ];
  for (const text of cases) assert.equal(await isInstalled(text), false);
});
