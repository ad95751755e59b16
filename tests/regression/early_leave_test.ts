/** A client that disconnected before the first byte of its response was not noticed: its call went on and was billed. */
import assert from "node:assert/strict";
import { sendAll } from "../acceptance/raw.ts";
import { startProxyProcess } from "../e2e/proxy_process.ts";
import { within } from "../hang.ts";

const HOST = "127.0.0.1";
const utf8 = new TextEncoder();

/** Only Linux shows the connections of a program. */
const ignore = Deno.build.os !== "linux";

const closed = (event: Promise<void>, what: string) =>
  within(event, () => `the end of the provider's connection of ${what}`);

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

const LEAVES = [
  ["a call of 2 KB", "/v1/messages", 2000, "close"],
  ["a call of 200 KB", "/v1/messages", 200_000, "close"],
  ["a call whose client closed its sending side", "/v1/messages", 2000, "end"],
  ["a request that is passed on", "/v1/messages/batches", 2000, "close"],
] as const;

Deno.test({
  name:
    "svc proxy ends a call when its client disconnects before the response, and none whose client waits",
  ignore,
  async fn() {
    using provider = silentProvider();
    await using proxy = await startProxyProcess({
      env: { MSG_TARGET_API_URL: provider.url },
    });
    const connect = () => Deno.connect({ hostname: HOST, port: proxy.port });
    const stays = await connect();
    await sendAll(stays, requestOf("/v1/messages", 2000));
    let isEnded = false;
    const first = await provider.taken();
    void first.gone.then(() => isEnded = true);
    const left = [];
    for (const [what, path, bytes, leave] of LEAVES) {
      const client = await connect();
      await sendAll(client, requestOf(path, bytes));
      left.push({ what, client, leave, ...await provider.taken() });
    }
    for (const { client, leave } of left) {
      if (leave === "close") client.close();
      else await client.closeWrite();
    }
    for (const { what, client, leave, gone } of left) {
      await closed(gone, what);
      if (leave === "end") client.close();
    }
    assert.equal(isEnded, false);
    stays.close();
    await closed(first.gone, "a call that waited");
  },
});
