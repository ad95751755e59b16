/** The runtime's `fetch` told every upstream `accept-language: *`, whatever the client had sent. */
import assert from "node:assert/strict";
import { makeSend, UpstreamRequest } from "../../src/upstream/forward.ts";

for (const [transport, suffix] of [["fetch", ""], ["node:http", "#raw"]]) {
  Deno.test(`no language is named to an upstream that the client did not name, through ${transport}`, async () => {
    const seen: (string | null)[] = [];
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      ({ headers }) => {
        seen.push(headers.get("accept-language"));
        return new Response("ok");
      },
    );
    const send = makeSend({ fetch });
    const target = `http://127.0.0.1:${server.addr.port}/v1/x${suffix}`;
    const ask = async (headers: Record<string, string>) => {
      const request = new UpstreamRequest(target, "POST", {
        body: new TextEncoder().encode("{}"),
        headers: new Headers(headers),
      });
      assert.equal(request.needsRaw, suffix !== "");
      const response = await send(request);
      assert.equal(await response.text(), "ok");
    };
    try {
      await ask({});
      await ask({ "accept-language": "de, en;q=0.5" });
      await ask({ "accept-language": "*" });
    } finally {
      await server.shutdown();
    }
    const [unsent, ...sent] = seen;
    assert.equal(unsent ?? "", "");
    assert.deepEqual(sent, ["de, en;q=0.5", "*"]);
  });
}
