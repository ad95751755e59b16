/** The runtime's `fetch` told every upstream `accept-language: *`, whatever the client had sent. */
import assert from "node:assert/strict";
import { makeSend } from "../../src/upstream/forward.ts";
import { startUpstream } from "../e2e/upstream.ts";
import { callTo, textOf } from "../upstream/replies.ts";

for (const [transport, suffix] of [["fetch", ""], ["node:http", "#raw"]]) {
  Deno.test(`no language is named to an upstream that the client did not name, through ${transport}`, async () => {
    await using provider = startUpstream(() => new Response("ok"));
    let fetched = 0;
    const send = makeSend({
      fetch(asked, init) {
        fetched++;
        return fetch(asked, init);
      },
    });
    const target = `${provider.url}/v1/x${suffix}`;
    const ask = async (headers: Record<string, string>) => {
      const reply = await send(callTo(target, {
        method: "POST",
        body: new TextEncoder().encode("{}"),
        headers: Object.entries(headers),
      }));
      assert.equal(await textOf(reply), "ok");
    };
    await ask({});
    await ask({ "accept-language": "de, en;q=0.5" });
    await ask({ "accept-language": "*" });
    assert.equal(fetched, suffix === "" ? 3 : 0);
    const [unsent, ...sent] = provider.received.map(({ headers }) =>
      headers.get("accept-language")
    );
    assert.equal(unsent ?? "", "");
    assert.deepEqual(sent, ["de, en;q=0.5", "*"]);
  });
}
