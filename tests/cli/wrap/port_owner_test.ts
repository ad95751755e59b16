import assert from "node:assert/strict";
import { portOwner, socketsIn } from "../../../src/cli/wrap/port_owner.ts";
import { freePort } from "../../e2e/wrapped_agent.ts";

const TABLE =
  `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:2253 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0
   1: 0100007F:2253 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0
   2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0
`;

Deno.test("socketsIn gives the sockets that listen on a port", () => {
  assert.deepEqual(socketsIn(TABLE, 8787), ["socket:[4711]"]);
  assert.deepEqual(socketsIn(TABLE, 80), []);
});

Deno.test({
  name: "portOwner names the process that listens, on Linux",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const port = freePort();
    assert.equal(await portOwner(port), undefined);
    using _listener = Deno.listen({ hostname: "127.0.0.1", port });
    assert.equal((await portOwner(port))?.pid, Deno.pid);
  },
});
