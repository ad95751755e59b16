/** Secrets stay where they are used: no file, no report and no log has one. */
import assert from "node:assert/strict";
import { LOG } from "../e2e/agent.ts";
import { startProxy } from "../../src/cli/start_proxy.ts";
import { resolveConfig } from "../../src/settings/resolve.ts";
import { filesBelow } from "./workspace_files.ts";
import { replies, upstreamsAt } from "./world.ts";
import { type Answer, startUpstream } from "../e2e/upstream.ts";

/** Wherever it turns up, it is found. */
const SECRET = /sesame/i;

/** Fields that carry credentials, or anything that the client does not want kept. */
const FIELDS = {
  authorization: "Bearer sesame-bearer",
  "x-api-key": "sk-ant-sesame-key",
  "api-key": "sesame-api-key",
  "x-private": "sesame-private",
  "content-type": "application/json",
};

/** Fields that a request without a conversation would be sent to Google for. */
const GOOGLE_FIELDS = {
  "x-goog-api-key": "AIzaSesame",
  "x-goog-user-project": "sesame-user-project",
};

/** A conversation with a secret in everything but the result of its tool, which is kept so that it can be given back. */
const CONVERSATION = {
  model: "claude-sonnet-4-5",
  max_tokens: 9,
  temperature: 0.5,
  metadata: { user_id: "sesame-user" },
  system: "You know that the word is sesame-system.",
  tools: [{ name: "Bash", input_schema: { type: "object" } }],
  messages: [
    { role: "user", content: "My password is sesame-password." },
    {
      role: "assistant",
      content: [
        { type: "text", text: "sesame-answer" },
        {
          type: "tool_use",
          id: "t1",
          name: "Bash",
          input: { command: "login sesame-argument" },
        },
      ],
    },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: LOG }],
    },
  ],
};

/** Answers, refuses and breaks with secrets in its words. */
const upstreamAnswer: Answer = async (request, n, signal) => {
  if (request.path.includes("refused")) {
    return Response.json({ error: { message: "bad key sesame-refused" } }, {
      status: 400,
      headers: { "x-request": "sesame-response-field" },
    });
  }
  if (request.path.includes("broken")) {
    return new Response("sesame-broken", { status: 500 });
  }
  const answered = await replies({ text: "sesame-said" })(request, n, signal);
  answered.headers.set("set-cookie", "sesame-set");
  return answered;
};

Deno.test("66: by default no file of the workspace, no report, no feed and no log has a secret of headers, bodies, addresses or settings", async () => {
  const workspace = await Deno.makeTempDir();
  const upstream = startUpstream(upstreamAnswer);
  const env = {
    ...upstreamsAt(upstream.url),
    FOUNDRY_TARGET_API_URL: "http://127.0.0.1:9",
    MSG_TARGET_API_HEADERS: '{"x-operator":"sesame-operator"}',
    SVC_PROXY_TOKEN: "sesame-proxy-token-0123456789",
    SVC_OTEL_METRICS_HEADERS: "authorization=sesame-otel",
    SVC_WORKSPACE_DIR: workspace,
    SVC_PORT: "0",
    SVC_RETRY_BASE_DELAY_MS: "1",
  };
  const records: string[] = [];
  const proxy = await startProxy(resolveConfig({ env }), {
    log: (...record) => void records.push(JSON.stringify(record)),
    env,
    stderr: (text) => void records.push(text),
    clock: { now: Date.now, monotonic: () => performance.now() },
    applySettings: undefined,
    place: undefined,
  });
  const url = `http://127.0.0.1:${proxy.port}`;
  const shown: Record<string, string> = {};
  let isStopped = false;
  try {
    await sendSecrets(url);
    assert(upstream.received.some(({ text }) => SECRET.test(text)));
    const paths = [
      "/stats",
      "/stats-lifetime",
      "/stats-history?history_mode=full",
      "/stats-history?format=csv",
      "/metrics",
      "/health",
      "/transformations/feed?limit=100",
      "/settings",
      "/settings/schema",
    ];
    for (const path of paths) {
      shown[path] = await (await fetch(url + path)).text();
    }
    const { transformations } = JSON.parse(
      shown["/transformations/feed?limit=100"]!,
    );
    assert(transformations.length >= 6);
    for (const { request_id } of transformations) {
      const path = `/transformations/${request_id}`;
      shown[path] = await (await fetch(url + path)).text();
    }
    await proxy.stop();
    isStopped = true;
    const files = await filesBelow(workspace);
    for (const name of ["ledger.db", "logs/proxy.log", "proxy_savings.json"]) {
      assert(files.has(name), name);
    }
    for (const name of files.keys()) {
      const { mode } = await Deno.stat(`${workspace}/${name}`);
      assert.equal(mode! & 0o077, 0, name);
    }
    const all = [...Object.entries(shown), ...files];
    for (const [name, text] of all) {
      const [found] = new RegExp(`.{0,80}${SECRET.source}.{0,40}`, "is")
        .exec(text) ?? [];
      assert.equal(found, undefined, name);
    }
    assert.doesNotMatch(records.join("\n"), SECRET);
  } finally {
    if (!isStopped) await proxy.stop();
    await upstream.stop();
    await Deno.remove(workspace, { recursive: true });
  }
});

async function sendSecrets(url: string): Promise<void> {
  const post = async (path: string, body: unknown, headers = {}) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { ...FIELDS, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    await response.bytes();
  };
  await post("/v1/messages?key=sesame-query", CONVERSATION, GOOGLE_FIELDS);
  await post("/v1/messages", CONVERSATION, { cookie: "a=sesame-cookie" });
  await post("/v1/messages", { ...CONVERSATION, stream: true });
  await post("/v1/messages", '{"model":"sesame-not-json');
  await post("/v1/responses", {
    model: "gpt-4o",
    input: "sesame-input",
    prompt_cache_key: "sesame-cache",
    user: "sesame-user",
  });
  const chat = {
    model: "gpt-4o",
    temperature: 0,
    messages: [{ role: "user", content: "sesame-question" }],
  };
  await post("/v1/chat/completions", chat);
  await post("/v1/chat/completions", chat);
  await post("/v1/embeddings/refused?token=sesame-token", chat);
  await post("/v1/chat/completions/broken", chat);
  await post("/v1/batches/sesame-id", chat);
  // Nobody listens there.
  await post("/anthropic/v1/messages?key=sesame-dead", CONVERSATION);
  const elsewhere = "http://sesame:sesame-pass@127.0.0.1:9/sesame?k=sesame";
  await post("/v1/messages", CONVERSATION, { "x-svc-base-url": elsewhere });
  await post("/v1/retrieve", { hash: "sesame-hash" });
  await post("/settings/sesame-route", {});
  await post("/settings", { values: { "sesame-name": "sesame-value" } });
  await post("/admin/runtime-env", { SVC_OUTPUT_SHAPER: "sesame-env" });
}
