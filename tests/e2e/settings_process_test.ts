/** Settings that change while the real program runs, in one process and in several. */
import assert from "node:assert/strict";
import { startProxyProcess } from "./proxy_process.ts";
import { startProvider } from "./scripted_provider.ts";

/** Connections of a port are spread over processes only here. */
const ignore = Deno.build.os !== "linux";
/** Enough for every process to be asked. */
const MANY = 12;

for (const args of [[], ["--workers", "2"]]) {
  const name = args.length === 0 ? "one process" : "two processes";
  Deno.test({
    name:
      `settings that are stored and applied over HTTP hold at once in ${name}; a port is named as waiting, and a value that cannot be used changes nothing`,
    ignore,
    async fn() {
      const provider = startProvider(() => ({ text: "fine" }));
      try {
        await using proxy = await startProxyProcess({
          args,
          // What the program is started with would win over what is stored later.
          settings: '{"port": 0}',
          isPortStored: true,
          env: { CHAT_TARGET_API_URL: provider.url, SVC_CACHE_ENABLED: "0" },
        });
        const post = async (path: string, body: unknown) => {
          const response = await fetch(proxy.url + path, {
            method: "POST",
            // A connection of its own: it may come to any process.
            headers: { "connection": "close" },
            body: JSON.stringify(body),
          });
          return { status: response.status, body: await response.json() };
        };
        const chat = {
          model: "gpt-4o",
          messages: [{ role: "user", content: "Which?" }],
        };
        const statuses = async () => {
          const all = await Promise.all(
            Array.from(
              { length: MANY },
              () => post("/v1/chat/completions", chat),
            ),
          );
          return all.map(({ status }) => status).sort();
        };
        assert.deepEqual(await statuses(), Array(MANY).fill(200));
        const stored = await post("/settings", {
          values: { rpm: 3, port: 8799 },
        });
        assert.equal(stored.status, 200, JSON.stringify(stored.body));
        assert.deepEqual(await statuses(), Array(MANY).fill(200));

        const { status, body } = await post("/settings/apply", {});
        assert.equal(status, 200, JSON.stringify(body));
        assert.deepEqual(body.applied, ["rpm"]);
        assert.deepEqual(body.needs_restart, ["port"]);
        assert.match(body.instruction, /start it again/);
        assert.deepEqual(
          await statuses(),
          [...Array(3).fill(200), ...Array(MANY - 3).fill(429)],
        );
        await proxy.saw(/^Settings were read again: SVC_RPM changed;/m);

        const bad = await post("/settings/apply", { values: { rpm: "often" } });
        assert.equal(bad.status, 422);
        const off = await post("/settings/apply", { values: { rpm: null } });
        assert.deepEqual(off.body.applied, ["rpm"]);
        assert.deepEqual(await statuses(), Array(MANY).fill(200));
      } finally {
        await provider.stop();
      }
    },
  });
}
