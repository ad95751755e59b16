import assert from "node:assert/strict";
import { userAddresses } from "../../../src/cli/wrap/user_address.ts";

const BASE = "http://127.0.0.1:8787/p/shop";
const found = (text: string | undefined, form: "root" | "v1" = "root") =>
  userAddresses(BASE, [{ text, from: "X in y", upstream: "chat", form }]);

Deno.test("userAddresses has none for what is not set and for the proxy itself", () => {
  for (const text of [undefined, "", " ", BASE, "http://localhost:8787"]) {
    assert.deepEqual(found(text), []);
  }
});

Deno.test("userAddresses takes off what clients append", () => {
  assert.equal(found("https://gw.example/a/")[0]?.url, "https://gw.example/a");
  assert.equal(
    found("https://gw.example/a/v1/", "v1")[0]?.url,
    "https://gw.example/a",
  );
  assert.equal(
    found("http://127.0.0.1:4000/v1", "v1")[0]?.url,
    "http://127.0.0.1:4000",
  );
});

Deno.test("userAddresses refuses what cannot be an upstream, without secrets in what it says", () => {
  const cases: [string, RegExp, ("root" | "v1")?][] = [
    [
      "gw.example",
      /^Cannot replace X in y: it is no http or https URL \(10 characters that begin with "gw\.e"\)\. Take it out for this run$/,
    ],
    ["me:key@gw.example", /\(17 characters that begin with "me:k"\)/],
    ["http://h:pwkey", /no http or https URL \(14 characters/],
    ["none", /no http or https URL \("none"\)/],
    ["https://gw.example/?a=key", /a query in it cannot .* \(https:\/\/gw/],
    [
      "https://me:key@gw.example",
      /a user name in it cannot be kept \(https:\/\/gw\.example\)/,
    ],
    [
      "https://gw.example/key/v4",
      /does not end in \/v1.*\(https:\/\/gw\.example\)/,
      "v1",
    ],
  ];
  for (const [text, said, form] of cases) {
    assert.throws(() => found(text, form), (error: Error) => {
      assert.match(error.message, said);
      assert.doesNotMatch(error.message, /key/);
      return true;
    });
  }
});
