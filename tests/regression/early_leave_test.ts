/** A client that disconnected before the first byte of its response was not noticed: its call went on and was billed. */
import assert from "node:assert/strict";
import { startProxyProcess } from "../e2e/proxy_process.ts";

const HOST = "127.0.0.1";
const utf8 = new TextEncoder();

/** Only Linux shows the connections of a program. */
const ignore = Deno.build.os !== "linux";

/** Milliseconds after which what should happen has not happened. */
const PATIENCE_MS = 30_000;

async function soon(event: Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => limit.reject(new Error(`the provider's connection is still open`)),
    PATIENCE_MS,
  );
  await Promise.race([event, limit.promise]).finally(() => clearTimeout(timer));
}

/** A provider that takes requests and never answers. */
function silentProvider() {
  const listener = Deno.listen({ hostname: HOST, port: 0 });
  return {
    url: `http://${HOST}:${listener.addr.port}`,
    /** Takes one request. `gone` resolves when its connection is closed at the other end. */
    async taken(): Promise<{ readonly gone: Promise<void> }> {
      const connection = await listener.accept();
      const chunk = new Uint8Array(65_536);
      await connection.read(chunk);
      const end = async () => {
        while (await connection.read(chunk) !== null);
      };
      const gone = end().catch(() => {}).finally(() => connection.close());
      return { gone };
    },
    [Symbol.dispose]: () => listener.close(),
  };
}

function requestOf(path: string, bytes: number): Uint8Array {
  const content = "x".repeat(bytes);
  const body = JSON.stringify({
    model: "claude-sonnet-5",
    max_tokens: 10,
    messages: [{ role: "user", content }],
  });
  return utf8.encode(
    `POST ${path} HTTP/1.1\r\nhost: ${HOST}\r\nx-api-key: k\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

async function writeAll(to: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += await to.write(bytes.subarray(at));
  }
}

for (
  const [what, path, bytes, leave] of [
    ["a call of 2 KB", "/v1/messages", 2000, "close"],
    ["a call of 200 KB", "/v1/messages", 200_000, "close"],
    [
      "a call whose client closed its sending side",
      "/v1/messages",
      2000,
      "end",
    ],
    ["a request that is passed on", "/v1/messages/batches", 2000, "close"],
  ] as const
) {
  Deno.test({
    name:
      `svc proxy ends ${what} when the client disconnects before the response`,
    ignore,
    async fn() {
      using provider = silentProvider();
      await using proxy = await startProxyProcess({
        env: { MSG_TARGET_API_URL: provider.url },
      });
      const client = await Deno.connect({ hostname: HOST, port: proxy.port });
      await writeAll(client, requestOf(path, bytes));
      const { gone } = await provider.taken();
      if (leave === "close") client.close();
      else await client.closeWrite();
      await soon(gone);
      if (leave === "end") client.close();
    },
  });
}

Deno.test(
  "svc proxy does not end a call whose client waits",
  { ignore },
  async () => {
    using provider = silentProvider();
    await using proxy = await startProxyProcess({
      env: { MSG_TARGET_API_URL: provider.url },
    });
    const connect = () => Deno.connect({ hostname: HOST, port: proxy.port });
    const [stays, leaves] = [await connect(), await connect()];
    await writeAll(stays, requestOf("/v1/messages", 2000));
    let isEnded = false;
    const first = await provider.taken();
    void first.gone.then(() => isEnded = true);
    await writeAll(leaves, requestOf("/v1/messages", 3000));
    const second = await provider.taken();
    leaves.close();
    await soon(second.gone);
    assert.equal(isEnded, false);
    stays.close();
    await soon(first.gone);
  },
);
