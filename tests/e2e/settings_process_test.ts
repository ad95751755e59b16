/** Settings that change while the real program runs, in one process and in several. */
import assert from "node:assert/strict";
import { deploymentVariables } from "../../src/settings/deployment.ts";
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
      await using provider = startProvider(() => ({ text: "fine" }));
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
    },
  });
}

for (const args of [[], ["--workers", "2"], ["--offline"]]) {
  Deno.test({
    name: `a service starts again by itself for a setting that needs it${
      args.length === 0 ? "" : `, with ${args.join(" ")}`
    }`,
    ignore,
    async fn() {
      await using proxy = await startProxyProcess({
        args,
        env: deploymentVariables({
          profile: "default",
          preset: "persistent-service",
          runtime: "deno",
          supervisor: "systemd",
          scope: "user",
        }),
      });
      const log = `${proxy.workspace}/requests.jsonl`;
      const before = proxy.said().length;
      const response = await fetch(`${proxy.url}/settings/apply`, {
        method: "POST",
        headers: { "connection": "close" },
        body: JSON.stringify({ values: { log_file: log } }),
      });
      const body = await response.json();
      assert.equal(response.status, 202, JSON.stringify(body));
      assert.deepEqual([body.restarted, body.mode], [true, "service"]);
      assert.deepEqual(body.needs_restart, ["log_file"]);
      const [, url] = await proxy.saw(/listens on (http:\S+)/, before);
      assert.match(proxy.said().slice(before), new RegExp(`log +.*${log}`));
      const health = await (await fetch(`${url}/health`)).json();
      assert.equal(health.deployment.supervisor, "systemd");
      proxy.kill("SIGTERM");
      assert.equal(await proxy.ended(), 0);
    },
  });
}
