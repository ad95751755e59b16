/** The proxy as a job in a container starts it: nothing but the network is permitted, and the environment is empty. */
import assert from "node:assert/strict";
import { serviceLog } from "../bench/corpus.ts";
import {
  cacheOfRuntime,
  type ProxyProcess,
  startProxyProcess,
} from "./proxy_process.ts";
import {
  type Answer,
  ask,
  BASH,
  type Case,
  CaseModel,
  play,
} from "./retrieval_talk.ts";
import { startProvider } from "./scripted_provider.ts";
import { SDK_CLIENTS } from "./sdk_clients.ts";

const FLAGS = { permissions: ["--allow-net"], isEnvEmpty: true } as const;

/** What nobody should read who did nothing wrong. */
const TROUBLE =
  /NotCapable|Requires \w+ access|Warning|rror:|\n\s+at |undefined/;

/** The model looks at results, wants two originals back, and uses a tool beside. */
const CASE: Case = {
  rounds: ({ log, rows }) => [
    { text: "I look closer. ", calls: [ask({ hash: log })] },
    { text: "And there. ", calls: [ask({ hash: rows }), BASH] },
  ],
  answers: [
    ({ original_content }: Answer, { log }) =>
      assert.equal(original_content, log),
    ({ original_content }: Answer, { rows }) =>
      assert.equal(original_content, rows),
  ],
};

Deno.test("svc proxy --stateless with --allow-net alone streams conversations, compresses results and answers retrievals, in every format", async (t) => {
  const model = new CaseModel();
  await using provider = startProvider(model.script);
  await using proxy = await startProxyProcess({
    ...FLAGS,
    args: [
      ...["--stateless", "--anthropic-api-url", provider.url],
      ...["--set", `CHAT_TARGET_API_URL=${provider.url}`],
      // The prefix is compared byte for byte: breakpoints of ours would move.
      ...["--set", "SVC_AUTO_CACHE=0"],
    ],
  });
  await proxy.saw(/^ +files +none; originals in memory only/m);
  await proxy.saw(/^ +log +stderr only/m);
  for (const client of SDK_CLIENTS) {
    await t.step(client.format, async () => {
      const place = { client, proxy, provider, model, streaming: true };
      await play(place, { name: client.format, one: CASE });
    });
  }
  await t.step(
    "reports, dashboard, compression and MCP over HTTP",
    () => usesRoutes(proxy),
  );
  proxy.kill("SIGTERM");
  assert.equal(await proxy.ended(), 0);
  assert.doesNotMatch(proxy.said(), TROUBLE);
});

async function usesRoutes({ url }: ProxyProcess): Promise<void> {
  const get = async (path: string) => {
    const response = await fetch(url + path);
    assert.equal(response.status, 200, path);
    return await response.text();
  };
  const stats = JSON.parse(await get("/stats"));
  const { requests_compressed } = stats.summary.compression;
  assert(requests_compressed >= 3, `${requests_compressed}`);
  assert.match(await get("/metrics"), /^svc_requests_total\S* [1-9]/m);
  assert.match(await get("/dashboard"), /<script>/);
  for (const path of ["/livez", "/readyz", "/health", "/stats-history"]) {
    JSON.parse(await get(path));
  }
  const post = async (path: string, body: unknown) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, path);
    return await response.text();
  };
  const log = serviceLog(20_000, 77);
  const compressed = JSON.parse(
    await post("/v1/compress", {
      model: "gpt-4o",
      messages: [
        { role: "user", content: "Why do jobs fail?" },
        {
          role: "assistant",
          tool_calls: [{
            id: "c1",
            type: "function",
            function: { name: "Bash", arguments: "{}" },
          }],
        },
        { role: "tool", tool_call_id: "c1", content: log },
      ],
    }),
  );
  assert(compressed.tokens_saved > 1000, JSON.stringify(compressed));
  const called = await post("/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "headroom_compress", arguments: { content: log } },
  });
  assert.match(called, /hash=/);
}

/** Starts it with that, and gives what it said and how it ended. */
async function refused(
  permissions: readonly string[],
  args: readonly string[],
) {
  const main = new URL("../../main.ts", import.meta.url);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--no-check", ...permissions, main.href],
      ...["proxy", "--port", "0", ...args],
    ],
    clearEnv: true,
    env: cacheOfRuntime(),
    stdin: "null",
  }).output();
  return { code, said: new TextDecoder().decode(stderr) };
}

Deno.test("svc proxy without the permission to keep files says what to do, and ends with 2", async () => {
  const bare = await refused(["--allow-net"], []);
  assert.equal(bare.code, 2);
  assert.match(bare.said, /^error: Cannot place files: .*--stateless.*\n$/);
  const placed = await refused(["--allow-net"], [
    "--set",
    "SVC_WORKSPACE_DIR=/nowhere/ws",
  ]);
  assert.equal(placed.code, 2);
  assert.match(
    placed.said,
    /^error: Cannot keep files in \/nowhere\/ws: .*--allow-write=\/nowhere\/ws.*--stateless.*\n$/,
  );
  const deaf = await refused([], ["--stateless"]);
  assert.equal(deaf.code, 1);
  assert.match(deaf.said, /^error: .*--allow-net=127\.0\.0\.1:0.*\n$/);
});

Deno.test("the library compresses and gives originals back without any permission", async () => {
  const program = new URL("./library_alone.ts", import.meta.url);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", program.href],
    clearEnv: true,
    env: cacheOfRuntime(),
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assert.equal(decoder.decode(stderr), "");
  const { ratio, simulated, ...facts } = JSON.parse(decoder.decode(stdout));
  assert.deepEqual(facts, {
    permitted: [],
    compressed: true,
    isOriginal: true,
  });
  assert(ratio < 0.5, `${ratio}`);
  assert(simulated > 10_000, `${simulated}`);
});
