import assert from "node:assert/strict";
import {
  AddressLookup,
  isThisMachine,
} from "../../src/upstream/address_lookup.ts";

/** A clock that goes off when the test says so. */
class Alarm {
  readonly waiting = new Map<() => void, number>();

  after = (ms: number, callback: () => void): () => void => {
    this.waiting.set(callback, ms);
    return () => void this.waiting.delete(callback);
  };

  ring(): void {
    for (const callback of [...this.waiting.keys()]) callback();
  }
}

function make(lookup: (host: string) => Promise<readonly string[]>) {
  const alarm = new Alarm();
  const failures: string[] = [];
  const addresses = new AddressLookup({
    lookup,
    timeoutMs: 3000,
    after: alarm.after,
    failed: (host, reason) => failures.push(`${host}: ${reason}`),
  });
  return { alarm, addresses, failures };
}

Deno.test("find gives every address once and stops the alarm", async () => {
  const { alarm, addresses } = make(() =>
    Promise.resolve(["192.0.2.1", "2001:db8::1", "192.0.2.1"])
  );
  assert.deepEqual(await addresses.find("a.example"), [
    "192.0.2.1",
    "2001:db8::1",
  ]);
  assert.equal(alarm.waiting.size, 0);
});

Deno.test("find calls a name without an address unresolvable, and reports what else went wrong", async () => {
  const coded = (code: string) => Object.assign(new Error("m"), { code });
  const cases: readonly [() => Promise<readonly string[]>, string[]][] = [
    [() => Promise.resolve([]), []],
    [() => Promise.reject(coded("ENOTFOUND")), []],
    [() => Promise.reject(coded("EAI_AGAIN")), ["a.example: EAI_AGAIN"]],
    [() => {
      throw new TypeError("Bad name");
    }, ["a.example: Bad name"]],
  ];
  for (const [lookup, reported] of cases) {
    const { addresses, failures } = make(lookup);
    assert.equal(await addresses.find("a.example"), "unresolvable");
    assert.deepEqual(failures, reported);
  }
});

Deno.test("find gives up when the time is over, whatever comes later", async () => {
  const answer = Promise.withResolvers<readonly string[]>();
  const { alarm, addresses } = make(() => answer.promise);
  const found = addresses.find("slow.example");
  assert.deepEqual([...alarm.waiting.values()], [3000]);
  alarm.ring();
  assert.equal(await found, "lookup_timeout");
  answer.resolve(["192.0.2.1"]);
  await answer.promise;
  assert.equal(await found, "lookup_timeout");
});

Deno.test("find shares an answer among those who wait for it, and asks anew afterwards", async () => {
  const asked: string[] = [];
  const { addresses } = make((host) => {
    asked.push(host);
    return Promise.resolve([`192.0.2.${asked.length}`]);
  });
  const both = [addresses.find("a.example"), addresses.find("a.example")];
  assert.deepEqual(await Promise.all(both), [["192.0.2.1"], ["192.0.2.1"]]);
  assert.deepEqual(await addresses.find("a.example"), ["192.0.2.2"]);
  assert.deepEqual(asked, ["a.example", "a.example"]);
});

Deno.test("find asks for 64 names at once and no more", async () => {
  const answer = Promise.withResolvers<readonly string[]>();
  const { addresses } = make(() => answer.promise);
  const open = Array.from(
    { length: 64 },
    (_, i) => addresses.find(`${i}.example`),
  );
  assert.equal(await addresses.find("more.example"), "lookup_overload");
  const shared = addresses.find("0.example");
  answer.resolve(["192.0.2.1"]);
  assert.deepEqual(await shared, ["192.0.2.1"]);
  await Promise.all(open);
  assert.deepEqual(await addresses.find("more.example"), ["192.0.2.1"]);
});

Deno.test("isThisMachine knows its names and addresses, and no others", () => {
  const here = ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost"];
  for (const host of [...here, "a.localhost", "localhost."]) {
    assert.equal(isThisMachine(host), true, host);
  }
  const others = ["128.0.0.1", "127.0.0.1.evil.test", "localhost.evil.test"];
  for (const host of [...others, "notlocalhost", "::2", "10.0.0.1", ""]) {
    assert.equal(isThisMachine(host), false, host);
  }
});
