/** A large body reaches the provider whole and with its length, although it is sent in parts. */
import assert from "node:assert/strict";
import { makeSend } from "../../src/upstream/forward.ts";
import { startUpstream } from "../e2e/upstream.ts";
import { callTo, textOf } from "../upstream/replies.ts";

Deno.test("a large body is sent with its length, not in chunks", async () => {
  const body = Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 253);
  await using provider = startUpstream(({ headers, body }) =>
    Response.json({
      length: headers.get("content-length"),
      coding: headers.get("transfer-encoding"),
      isSame: body.every((byte, i) => byte === i % 253),
    })
  );
  const url = `${provider.url}/v1/messages`;
  const reply = await makeSend({ fetch })(
    callTo(url, { method: "POST", body }),
  );
  assert.deepEqual(JSON.parse(await textOf(reply)), {
    length: `${body.length}`,
    coding: null,
    isSame: true,
  });
});
