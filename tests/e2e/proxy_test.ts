import assert from "node:assert/strict";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";
import { LOG } from "./agent.ts";
import { type Rig, startProxy, withProxy } from "./proxy.ts";
import type { Script } from "./scripted_provider.ts";

const ok: Script = () => ({ text: "fine" });
const decoder = new TextDecoder();

/** The begin of a conversation, and its first tool result. */
const talk = {
  question: "why?",
  steps: [{
    calls: [{ id: "c1", tool: "Bash", args: { command: "x" }, result: LOG }],
  }],
};
const begin = bodyOf(messagesClient, talk, 0);
const withResult = bodyOf(messagesClient, talk, 1);

function post(
  { url }: Pick<Rig, "url">,
  body: BodyInit | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": "k",
      ...headers,
    },
    body: body as BodyInit,
  });
}

/** Sends and reads to the end. */
async function exchange(
  rig: Pick<Rig, "url">,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  const response = await post(rig, body, headers);
  await response.clone().bytes();
  return response;
}

const sentText = ({ provider }: Pick<Rig, "provider">) =>
  decoder.decode(provider.received.at(-1)!.body);

Deno.test("a tool result is sent shortened, and the headers say what was saved", () =>
  withProxy(ok, async (rig) => {
    await exchange(rig, begin);
    const response = await exchange(rig, withResult);
    const [before, after, saved] = ["before", "after", "saved"].map((name) =>
      Number(response.headers.get(`x-svc-tokens-${name}`))
    );
    assert.match(sentText(rig), /Retrieve more: hash=/);
    assert(before! > 5000 && after! < before! / 2);
    assert.equal(saved, before! - after!);
    assert.equal(rig.provider.received[1]!.path, "/v1/messages?beta=true");
  }));

Deno.test("bypass headers forward the client's bytes and add no tool", () =>
  withProxy(ok, async (rig) => {
    for (
      const headers of [
        { "x-svc-bypass": "TRUE" },
        { "x-svc-mode": "Passthrough" },
      ]
    ) {
      const response = await exchange(rig, withResult, headers);
      assert.deepEqual(rig.provider.received.at(-1)!.body, withResult);
      assert.equal(response.headers.get("x-svc-tokens-saved"), "0");
    }
  }));

Deno.test("an encoded body is forwarded as it came when nothing was edited, else decoded", () =>
  withProxy(ok, async (rig) => {
    for (
      const [encoding, encode] of [
        ["gzip", gzipSync],
        ["zstd", zstdCompressSync],
      ] as const
    ) {
      const plain = encode(
        bodyOf(messagesClient, { question: encoding, steps: [] }, 0)
          .slice(0, -1),
      );
      await exchange(rig, plain, { "content-encoding": encoding });
      const untouched = rig.provider.received.at(-1)!;
      assert.deepEqual(untouched.body, new Uint8Array(plain));
      assert.equal(untouched.headers.get("content-encoding"), encoding);

      const question = { ...talk, question: encoding };
      const first = encode(bodyOf(messagesClient, question, 0));
      await exchange(rig, first, { "content-encoding": encoding });
      const edited = rig.provider.received.at(-1)!;
      assert.equal(edited.headers.get("content-encoding"), null);
      assert.match(decoder.decode(edited.body), /headroom_retrieve/);
    }
  }));

Deno.test("a bomb gets 413 in the family's shape and reaches no upstream", () =>
  withProxy(ok, async (rig) => {
    const bomb = gzipSync(new Uint8Array(5_000_000));
    const response = await post(rig, bomb, { "content-encoding": "gzip" });
    assert.equal(response.status, 413);
    const { type, error } = await response.json();
    assert.equal(type, "error");
    assert.equal(error.type, "request_too_large");
    assert.equal(rig.provider.received.length, 0);
  }, { SVC_REQUEST_BODY_MAX_BYTES: "1000000" }));

Deno.test("a body that does not scan goes upstream exactly as it came", () =>
  withProxy(ok, async (rig) => {
    const body = new TextEncoder().encode('{"model":"m","messages":[}');
    const response = await exchange(rig, body);
    assert.equal(response.status, 200);
    assert.deepEqual(rig.provider.received[0]!.body, body);
  }));

Deno.test("every other path and method reaches the upstream with its query", () =>
  withProxy(ok, async ({ url, provider }) => {
    for (
      const method of [
        "GET",
        "HEAD",
        "POST",
        "PUT",
        "PATCH",
        "DELETE",
        "OPTIONS",
      ]
    ) {
      const path = "/v1/files/a%2Fb?x=1&x=2";
      const body = /GET|HEAD/.test(method) ? null : "payload";
      const headers = { "x-api-key": "k" };
      const response = await fetch(url + path, { method, body, headers });
      await response.bytes();
      assert.equal(response.headers.get("x-echo"), "yes");
      const received = provider.received.at(-1)!;
      assert.equal(received.method, method);
      assert.equal(received.path, path);
      assert.equal(decoder.decode(received.body), body ?? "");
    }
  }));

Deno.test("a path that both families share is routed by the request's own headers", () =>
  withProxy(ok, (rig) =>
    withProxy(ok, async (other) => {
      const proxy = await startProxy({
        MSG_TARGET_API_URL: rig.provider.url,
        CHAT_TARGET_API_URL: other.provider.url,
      });
      try {
        const models = (headers: Record<string, string>) =>
          fetch(`${proxy.url}/v1/models`, { headers }).then((r) => r.json());
        await models({ "anthropic-version": "2023-06-01" });
        await models({ "x-api-key": "k" });
        assert.equal(rig.provider.received.length, 2);
        const { data } = await models({ authorization: "Bearer sk-x" });
        assert.equal(data[0].id, "test-model");
        assert.equal(other.provider.received.length, 1);
      } finally {
        await proxy.stop();
      }
    })));

Deno.test("internal headers stay here, unless the user wants them upstream", async () => {
  const headers = {
    "x-svc-session-id": "s",
    "x-svc-stack": "t",
    "x-other": "o",
  };
  const received = async (env: Record<string, string>) => {
    let names: string[] = [];
    await withProxy(ok, async (rig) => {
      await exchange(rig, begin, headers);
      await (await fetch(`${rig.url}/v1/models`, { headers })).bytes();
      names = rig.provider.received.flatMap(({ headers }) => [
        ...headers.keys(),
      ]);
    }, env);
    return names.filter((name) => name.startsWith("x-"));
  };
  assert.deepEqual(
    new Set(await received({})),
    new Set(["x-api-key", "x-other"]),
  );
  const kept = await received({ SVC_STRIP_INTERNAL_HEADERS: "disabled" });
  assert(kept.includes("x-svc-session-id") && kept.includes("x-svc-stack"));
});

Deno.test("an upstream error is relayed with status, body and retry-after", () => {
  const body = '{"type":"error","error":{"type":"overloaded_error"}}';
  return withProxy(
    () => ({ error: { status: 529, body } }),
    async (rig) => {
      const response = await post(rig, begin);
      assert.equal(response.status, 529);
      assert.equal(response.headers.get("retry-after"), "7");
      assert.equal(await response.text(), body);
      const stats = await (await fetch(`${rig.url}/stats`)).json();
      assert.equal(stats.requests.failed, 1);
      assert.equal(stats.tokens.saved, 0);
    },
    { SVC_RETRY_MAX_ATTEMPTS: "1" },
  );
});

Deno.test("an upstream that cannot be reached gives 502 in the family's shape", async () => {
  const proxy = await startProxy({
    MSG_TARGET_API_URL: "http://127.0.0.1:1",
    CHAT_TARGET_API_URL: "http://127.0.0.1:1",
    SVC_RETRY_MAX_ATTEMPTS: "1",
  });
  try {
    const messages = await post(proxy, begin);
    assert.equal(messages.status, 502);
    assert.equal((await messages.json()).type, "error");
    const chat = await fetch(`${proxy.url}/v1/chat/completions`, {
      method: "POST",
      body: '{"model":"m","messages":[]}',
    });
    assert.equal(chat.status, 502);
    assert.match((await chat.json()).error.message, /127\.0\.0\.1:1/);
  } finally {
    await proxy.stop();
  }
});

Deno.test("a first request that is refused with our tool is sent once more as it came, and the host is remembered", () => {
  const script: Script = ({ body }) =>
    decoder.decode(body).includes("headroom_retrieve")
      ? { error: { status: 400, body: '{"error":"no such tool"}' } }
      : { text: "fine" };
  return withProxy(script, async (rig) => {
    const first = await exchange(rig, begin);
    assert.equal(first.status, 200);
    assert.equal(first.headers.get("x-svc-tokens-saved"), "0");
    assert.equal(rig.provider.received.length, 2);
    assert.deepEqual(rig.provider.received[1]!.body, begin);
    await exchange(rig, withResult);
    assert.equal(rig.provider.received.length, 3);
    assert(!sentText(rig).includes("headroom_retrieve"));
  });
});

Deno.test("a first request that was overloaded once is still sent as it came when it is then refused with our tool", () => {
  const script: Script = ({ body }, n) =>
    n === 0
      ? { error: { status: 529, body: "{}" } }
      : decoder.decode(body).includes("headroom_retrieve")
      ? { error: { status: 400, body: '{"error":"no such tool"}' } }
      : { text: "fine" };
  return withProxy(script, async (rig) => {
    assert.equal((await exchange(rig, begin)).status, 529);
    assert.equal((await exchange(rig, begin)).status, 200);
    assert.deepEqual(rig.provider.received.at(-1)!.body, begin);
  }, { SVC_RETRY_MAX_ATTEMPTS: "1" });
});

Deno.test("a conversation that goes on by previous_response_id keeps the tool, and gets none if it had none", () =>
  withProxy(ok, async ({ url, provider }) => {
    const tools = [{ type: "function", name: "Bash", parameters: {} }];
    const declared = async (members: object) => {
      const response = await fetch(`${url}/v1/responses`, {
        method: "POST",
        body: JSON.stringify({ model: "gpt-5", tools, ...members }),
      });
      await response.bytes();
      const { body, json } = provider.received.at(-1)!;
      assert.deepEqual((json?.["tools"] as unknown[])[0], tools[0]);
      return decoder.decode(body).includes('"name":"headroom_retrieve"');
    };
    const later = (id: string, stream: boolean) => ({
      previous_response_id: id,
      input: [{ type: "local_shell_call_output", call_id: id, output: LOG }],
      stream,
    });
    assert.equal(await declared({ input: "why?" }), true);
    for (const [id, stream] of [["resp_0", true], ["resp_1", false]] as const) {
      assert.equal(await declared(later(id, stream)), true);
      assert.match(sentText({ provider }), /Retrieve more: hash=/);
    }
    assert.equal(await declared(later("resp_unknown", false)), false);
  }));

Deno.test("a refusal that has nothing to do with the tool is relayed", () =>
  withProxy(
    () => ({ error: { status: 400, body: '{"error":"bad model"}' } }),
    async (rig) => {
      const response = await post(rig, begin);
      assert.equal(response.status, 400);
      assert.equal(await response.text(), '{"error":"bad model"}');
      assert.deepEqual(rig.provider.received.at(-1)!.body, begin);
    },
  ));

Deno.test("an original can be fetched by its hash, from this machine only", () =>
  withProxy(ok, async (rig) => {
    await exchange(rig, begin);
    await exchange(rig, withResult);
    const hash = /hash=([0-9a-f]{24})/.exec(sentText(rig))![1]!;
    const found = await fetch(`${rig.url}/v1/retrieve/${hash}`);
    assert.equal((await found.json()).original_content, LOG);
    const posted = await fetch(`${rig.url}/v1/retrieve`, {
      method: "POST",
      body: JSON.stringify({ hash }),
    });
    assert.equal((await posted.json()).original_content, LOG);
    const unknown = await fetch(`${rig.url}/v1/retrieve/${"0".repeat(24)}`);
    assert.equal(unknown.status, 404);
    assert.match((await unknown.json()).detail, /CCR TTL: 1800 seconds/);
    const malformed = await fetch(`${rig.url}/v1/retrieve/xyz`);
    assert.equal(malformed.status, 400);
    await malformed.bytes();
    assert.equal(rig.provider.received.length, 2);
  }));

Deno.test("stats, metrics and health tell what happened", () =>
  withProxy(ok, async (rig) => {
    await exchange(rig, begin);
    const response = await exchange(rig, withResult);
    await response.bytes();
    const stats = await (await fetch(`${rig.url}/stats`)).json();
    assert.equal(stats.requests.total, 2);
    assert.equal(stats.tokens.output, 40);
    assert(stats.tokens.saved > 4000);
    const metrics = await (await fetch(`${rig.url}/metrics`)).text();
    assert.match(metrics, /^svc_requests_total 2$/m);
    const health = await (await fetch(`${rig.url}/health`)).json();
    assert.equal(health.status, "healthy");
    for (const path of ["/livez", "/readyz"]) {
      const { status, body } = await fetch(rig.url + path);
      await body?.cancel();
      assert.equal(status, 200);
    }
  }));

Deno.test("a restart on the same files sends the same bytes again", async () => {
  const dir = await Deno.makeTempDir();
  const env = { SVC_STATELESS: "false", SVC_WORKSPACE_DIR: dir };
  const sent: string[] = [];
  try {
    for (const bodies of [[begin, withResult], [withResult]]) {
      await withProxy(ok, async (rig) => {
        for (const body of bodies) await exchange(rig, body);
        sent.push(sentText(rig));
      }, env);
    }
    assert.match(sent[0]!, /hash=/);
    assert.equal(sent[1], sent[0]);
    for await (const { name } of Deno.readDir(dir)) {
      const { mode } = await Deno.stat(`${dir}/${name}`);
      assert.equal(mode! & 0o077, 0, name);
    }
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("two proxies on the same files send the same bytes for one block", async () => {
  const dir = await Deno.makeTempDir();
  const env = { SVC_STATELESS: "false", SVC_WORKSPACE_DIR: dir };
  try {
    await withProxy(ok, (first) =>
      withProxy(ok, async (second) => {
        await exchange(first, begin);
        await exchange(second, begin);
        await Promise.all([
          exchange(first, withResult),
          exchange(second, withResult),
        ]);
        assert.match(sentText(first), /hash=/);
        assert.equal(sentText(first), sentText(second));
      }, env), env);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
