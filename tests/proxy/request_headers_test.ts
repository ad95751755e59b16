import assert from "node:assert/strict";
import {
  contextWishes,
  conversationHeaders,
  isBypassed,
  isSimulation,
  modeOf,
  overrideHeader,
} from "../../src/proxy/request_headers.ts";

Deno.test("conversationHeaders reads session and agent, our own field first", () => {
  const headers = new Headers({
    "session-id": "codex",
    "x-claude-code-session-id": "claude",
    "thread-id": "thread",
  });
  assert.deepEqual(conversationHeaders(headers), {
    session: "claude",
    agent: "thread",
  });
  headers.set("x-headroom-session-id", "alias");
  assert.equal(conversationHeaders(headers).session, "alias");
  headers.set("x-svc-session-id", "own");
  assert.equal(conversationHeaders(headers).session, "own");
});

Deno.test("conversationHeaders tells an absent field from an empty one", () => {
  assert.deepEqual(conversationHeaders(new Headers()), {
    session: undefined,
    agent: undefined,
  });
  const empty = new Headers({ "session-id": "" });
  assert.equal(conversationHeaders(empty).session, "");
});

function mode(headers: Record<string, string>): string {
  return modeOf(new Headers(headers), "cache");
}

Deno.test("modeOf is passthrough when a header asks for it, in any case", () => {
  assert.equal(mode({ "x-svc-bypass": "true" }), "passthrough");
  assert.equal(mode({ "X-Svc-Bypass": " TRUE " }), "passthrough");
  for (const value of ["PassThrough", "audit", "simulate"]) {
    assert.equal(mode({ "x-svc-mode": value }), "passthrough");
  }
});

Deno.test("modeOf is the configured mode otherwise", () => {
  assert.equal(mode({}), "cache");
  assert.equal(mode({ "x-svc-bypass": "false" }), "cache");
  assert.equal(mode({ "x-svc-mode": "token" }), "cache");
  assert.equal(modeOf(new Headers(), "token"), "token");
});

Deno.test("modeOf, isSimulation and isBypassed read the alias of a field that is not there", () => {
  const alias = (name: string, value: string) =>
    new Headers({ [`x-headroom-${name}`]: value });
  assert.equal(modeOf(alias("mode", "passthrough"), "cache"), "passthrough");
  assert.equal(modeOf(alias("bypass", "true"), "cache"), "passthrough");
  assert.equal(isSimulation(alias("mode", "audit")), true);
  assert.equal(isBypassed(alias("bypass", "true")), true);
  const both = alias("mode", "passthrough");
  both.set("x-svc-mode", "optimize");
  assert.equal(modeOf(both, "cache"), "cache");
});

Deno.test("contextWishes reads whole numbers of tokens, under either prefix, and nothing else", () => {
  const wishes = (limit: string, buffer: string) =>
    contextWishes(
      new Headers({
        "x-svc-tokens-limit": limit,
        "x-headroom-output-buffer-tokens": buffer,
      }),
    );
  assert.deepEqual(wishes("1", "0"), { limit: 1, outputBuffer: 0 });
  assert.deepEqual(wishes(" 200000 ", "4096"), {
    limit: 200_000,
    outputBuffer: 4096,
  });
  for (const bad of ["", "-1", "1.5", "1e3", "0x1", "9".repeat(40), "NaN"]) {
    const none = { limit: undefined, outputBuffer: undefined };
    assert.deepEqual(wishes(bad, bad), none, bad);
  }
  assert.equal(wishes("0", "0").limit, undefined);
});

Deno.test("overrideHeader says why a choice was not followed, and nothing else", () => {
  assert.deepEqual(overrideHeader({ ignoredOverride: "private_address" }), {
    "x-svc-base-url-ignored": "private_address",
  });
  assert.deepEqual(overrideHeader({}), {});
});
