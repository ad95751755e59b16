import assert from "node:assert/strict";
import {
  methodOf,
  passThrough,
  replaceMethod,
} from "../../../src/sdk/adapters/pass_through.ts";
import { ConfigurationError } from "../../../src/sdk/errors.ts";

class Client {
  #secret = 1;
  name = "client";
  inner = { a: 1 };
  get secret(): number {
    return this.#secret;
  }
  set secret(value: number) {
    this.#secret = value;
  }
  add(more: number): number {
    return this.#secret += more;
  }
  self(): Client {
    return this;
  }
}

Deno.test("passThrough shows what is replaced and passes everything else through", () => {
  const client = new Client();
  const proxy = passThrough(client, { name: "other", extra: 5 });
  assert.equal(proxy.name, "other");
  assert.equal(Reflect.get(proxy, "extra"), 5);
  assert.equal(client.name, "client");
  assert(proxy instanceof Client);
  assert.equal(proxy.constructor, Client);
  assert.equal(proxy.inner, client.inner);
  assert.equal(proxy.add(2), 3);
  assert.equal(proxy.add, proxy.add);
  assert.equal(proxy.add.call(client, 1), 4);
  assert.equal(proxy.self(), client);
  proxy.secret = 9;
  assert.equal(client.secret, 9);
  assert.equal(proxy.secret, 9);
  assert.deepEqual(Object.keys(proxy), Object.keys(client));
});

Deno.test("passThrough lets what is set win over what is replaced", () => {
  const client = new Client();
  const proxy = passThrough(client, { name: "other" });
  proxy.name = "mine";
  assert.deepEqual([proxy.name, client.name], ["mine", "mine"]);
});

Deno.test("passThrough takes frozen members as they are and refuses to replace one", () => {
  const frozen = Object.freeze({ call: () => 1, other: 2 });
  assert.equal(passThrough(frozen, {}).call(), 1);
  assert.throws(() => passThrough(frozen, { other: 3 }), ConfigurationError);
});

Deno.test("methodOf gives a bound method, and replaceMethod puts another one in its place", () => {
  const client = new Client();
  assert.equal(methodOf(client, "add")?.(1), 2);
  assert.equal(methodOf(client, "name"), undefined);
  assert.equal(methodOf(undefined, "add"), undefined);
  replaceMethod(client, "add", () => 7);
  assert.equal(client.add(1), 7);
  assert(!Object.keys(client).includes("add"));
});
