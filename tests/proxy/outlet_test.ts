import assert from "node:assert/strict";
import { Outlet } from "../../src/proxy/outlet.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("Outlet hands pieces on in their order, to a reader that came first and to one that came later", async () => {
  const outlet = new Outlet();
  const reader = outlet.stream.getReader();
  const early = reader.read();
  await outlet.write(bytes("a"));
  assert.deepEqual((await early).value, bytes("a"));
  const written = [outlet.write(bytes("b")), outlet.write(bytes("c"))];
  outlet.close();
  assert.deepEqual((await reader.read()).value, bytes("b"));
  assert.deepEqual((await reader.read()).value, bytes("c"));
  await Promise.all(written);
  assert.equal((await reader.read()).done, true);
});

Deno.test("Outlet lets its writer wait until somebody reads", async () => {
  const outlet = new Outlet();
  let isTaken = false;
  const written = outlet.write(bytes("a")).then(() => void (isTaken = true));
  for (let i = 0; i < 10; i++) await Promise.resolve();
  assert.equal(isTaken, false);
  await outlet.stream.getReader().read();
  await written;
  assert.equal(isTaken, true);
});

Deno.test("Outlet breaks off with the writer's error, after what was written", async () => {
  for (const isWaiting of [true, false]) {
    const outlet = new Outlet();
    const reader = outlet.stream.getReader();
    const first = isWaiting ? reader.read() : undefined;
    void outlet.write(bytes("a"));
    outlet.abort(new Error("broken"));
    assert.deepEqual((await (first ?? reader.read())).value, bytes("a"));
    await assert.rejects(reader.read(), /broken/);
  }
});

Deno.test("Outlet tells its writer that nobody reads any more", async () => {
  const outlet = new Outlet();
  const waiting = outlet.write(bytes("a"));
  await outlet.stream.cancel("enough");
  await assert.rejects(waiting, (reason) => reason === "enough");
  assert.equal(outlet.left.reason, "enough");
  await assert.rejects(outlet.write(bytes("b")), (why) => why === "enough");
});
