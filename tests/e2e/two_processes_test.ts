/** Two programs that write to one workspace at the same time. */
import assert from "node:assert/strict";
import { assertAgreement, assertSavingsFile } from "./day_agreement.ts";
import { startProxyProcess } from "./proxy_process.ts";
import { startProvider } from "./scripted_provider.ts";

/** Requests to each, all at once. */
const MANY = 40;

Deno.test("46 what two processes write to one ledger at the same time counts once, for either: rows, all time, the runs, the exported file", async () => {
  const dir = await Deno.makeTempDir();
  const provider = startProvider((_, n) =>
    n % 7 === 3
      ? { error: { status: 500, body: '{"error":{"message":"no"}}' } }
      : { text: `answer ${n}` }
  );
  try {
    const env = {
      CHAT_TARGET_API_URL: provider.url,
      SVC_WORKSPACE_DIR: dir,
      SVC_CACHE_ENABLED: "0",
    };
    await using first = await startProxyProcess({ env });
    await using second = await startProxyProcess({ env });
    const proxies = [first, second];
    const ask = async (url: string, i: number) => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "x-svc-project": `p${i % 3}` },
        body: JSON.stringify({
          model: "gpt-4o",
          messages: [{ role: "user", content: `What is ${i}?` }],
        }),
      });
      await response.bytes();
    };
    await Promise.all(
      proxies.flatMap(({ url }) =>
        Array.from({ length: MANY }, (_, i) => ask(url, i))
      ),
    );
    const urls = proxies.map(({ url }) => url);
    const rows = await assertAgreement({
      dir,
      urls,
      before: 0,
      now: Date.now(),
    });
    assert.equal(rows.length, proxies.length * MANY);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    for (const proxy of proxies) {
      proxy.kill("SIGTERM");
      assert.equal(await proxy.ended(), 0);
    }
    await assertSavingsFile(dir, rows);
  } finally {
    await provider.stop();
    await Deno.remove(dir, { recursive: true });
  }
});
