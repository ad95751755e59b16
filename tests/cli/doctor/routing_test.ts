import assert from "node:assert/strict";
import { targetOf } from "../../../src/cli/doctor/base_url.ts";
import {
  keepCommand,
  ownPlace,
  routeFacts,
  routeVerdict,
} from "../../../src/cli/doctor/routing.ts";
import { foundIn } from "./world.ts";

Deno.test("routeVerdict passes only for what leads to the proxy", async () => {
  const found = await foundIn();
  const of = (text: string, fault?: string) =>
    routeVerdict(
      { from: "X", target: targetOf(text, ownPlace(found)), fault },
      found,
      "set it",
    );
  assert.equal(of("http://localhost:8787").status, "pass");
  assert.equal(of("http://localhost:8787", "is wrong").status, "fail");
  assert.equal(of("https://localhost:8787").status, "fail");
  assert.equal(of("localhost").status, "fail");
  assert.equal(of("http://localhost:1").status, "warn");
  assert.match(of("http://localhost:1").summary, /expected at http:.*:8787/);
  const past = of("https://u:key@api.example/key");
  assert.equal(past.status, "warn");
  assert.match(past.summary, /past the proxy, to https:\/\/api\.example$/);
  assert(!JSON.stringify(past).includes("key"));
});

Deno.test("routeFacts has no secret", async () => {
  const target = targetOf("http://u:key@host/key", ownPlace(await foundIn()));
  assert.deepEqual(routeFacts({ from: "X", target }), {
    from: "X",
    leads: "elsewhere",
    to: "http://host",
  });
});

Deno.test("keepCommand names the port unless it is the usual one", () => {
  const command = (port: number) => keepCommand("codex", { proxy: { port } });
  assert.equal(command(8787), "svc wrap codex --keep");
  assert.equal(command(9000), "svc wrap codex --keep --port 9000");
});
