import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isSubscriptionCall,
  subscriptionTarget,
} from "../../../src/providers/responses/subscription.ts";

/** A token with these claims, as far as anybody here looks at it. */
function token(claims: unknown): string {
  const part = (value: unknown) =>
    new TextEncoder().encode(JSON.stringify(value))
      .toBase64({ alphabet: "base64url", omitPadding: true });
  return `${part({ alg: "RS256" })}.${part(claims)}.c2ln`;
}

const bearer = (text: string) => new Headers({ authorization: text });
const CLAIM = "https://api.openai.com/auth";

Deno.test("isSubscriptionCall knows an account by its header and by its token", () => {
  const header = new Headers({ "chatgpt-account-id": "acc_1" });
  assert.equal(isSubscriptionCall(header), true);
  for (const account of ["acc_1", "a", "ab", "abc", "äöü?>~"]) {
    const jwt = token({ [CLAIM]: { chatgpt_account_id: account }, x: "ÿ?~" });
    assert.equal(isSubscriptionCall(bearer(`Bearer ${jwt}`)), true);
    assert.equal(isSubscriptionCall(bearer(`bearer   ${jwt}`)), true);
  }
});

Deno.test("isSubscriptionCall takes every other credential for none", () => {
  for (
    const credential of [
      "",
      "Bearer sk-proj-abc.def.ghi",
      "Bearer a.b",
      "Bearer .e30.",
      "Bearer x.###.y",
      `Basic ${token({ [CLAIM]: { chatgpt_account_id: "a" } })}`,
      `Bearer ${token({ [CLAIM]: { chatgpt_account_id: "" } })}`,
      `Bearer ${token({ [CLAIM]: { chatgpt_account_id: 7 } })}`,
      `Bearer ${token({ [CLAIM]: null })}`,
      `Bearer ${token({ [CLAIM]: "chatgpt_account_id" })}`,
      `Bearer ${token(null)}`,
      `Bearer ${token({ sub: "x" })}`,
    ]
  ) {
    assert.equal(isSubscriptionCall(bearer(credential)), false, credential);
  }
  assert.equal(isSubscriptionCall(new Headers()), false);
  const empty = new Headers({ "chatgpt-account-id": "" });
  assert.equal(isSubscriptionCall(empty), false);
});

Deno.test("isSubscriptionCall never throws, whatever stands in the token", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
      const clean = text.replace(/[^\x21-\x7e]/g, "");
      assert.equal(isSubscriptionCall(bearer(`Bearer a.${clean}.b`)), false);
    }),
    { numRuns: 300 },
  );
});

Deno.test("subscriptionTarget puts every spelling of the responses route in one place, with what is behind it", () => {
  const root = "https://chatgpt.com/backend-api/codex/responses";
  for (
    const path of [
      "/v1/responses",
      "/v1/codex/responses",
      "/backend-api/responses",
      "/backend-api/codex/responses",
    ]
  ) {
    assert.equal(subscriptionTarget(path), root);
    assert.equal(subscriptionTarget(`${path}?a=/v1/b`), `${root}?a=/v1/b`);
    assert.equal(subscriptionTarget(`${path}/compact`), `${root}/compact`);
    assert.equal(subscriptionTarget(`${path}/a%2Fb?x`), `${root}/a%2Fb?x`);
  }
});

Deno.test("subscriptionTarget puts the API below its own root and leaves other paths alone", () => {
  const at = "https://chatgpt.com";
  for (
    const [path, target] of [
      [
        "/v1/models?client_version=1",
        "/backend-api/codex/models?client_version=1",
      ],
      ["/v1/images/edits", "/backend-api/codex/images/edits"],
      ["/v1/responsesx", "/backend-api/codex/responsesx"],
      ["/backend-api/wham/usage", "/backend-api/wham/usage"],
      ["/v1", "/v1"],
      ["/", "/"],
      ["/x?y=/v1/responses", "/x?y=/v1/responses"],
    ] as const
  ) {
    assert.equal(subscriptionTarget(path), at + target);
  }
});

Deno.test("subscriptionTarget never leaves its host", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const target = subscriptionTarget(`/${text}`);
      assert.equal(new URL(target).origin, "https://chatgpt.com");
    }),
    { numRuns: 300 },
  );
});
