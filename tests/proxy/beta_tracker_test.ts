import assert from "node:assert/strict";
import fc from "fast-check";
import { ServiceError } from "../../src/core/errors.ts";
import { BetaTracker } from "../../src/proxy/beta_tracker.ts";
import type { ConversationKey } from "../../src/core/store.ts";

const BODY = new TextEncoder().encode("{}");

/** One request of a session. */
function ask(
  tracker: BetaTracker,
  betas: string | null,
  { session = "s", model = "m", header = "vendor-beta" } = {},
) {
  return tracker.betasFor({
    headers: new Headers({
      "x-svc-session-id": session,
      ...betas === null ? {} : { [header]: betas },
    }),
    header,
    model,
    body: BODY,
    conversation: undefined,
  });
}

/** What leaves for one request. */
function sent(
  tracker: BetaTracker,
  betas: string | null,
  of: Parameters<typeof ask>[2] = {},
): string | null {
  return ask(tracker, betas, of).value ?? betas;
}

const enabled = (maxSessions = 10) =>
  new BetaTracker({ sticky: "enabled", maxSessions });

Deno.test("BetaTracker sends the tokens of a session with all its later requests, in the order they came", () => {
  const tracker = enabled();
  assert.equal(sent(tracker, "b-2025,a-2024"), "b-2025,a-2024");
  assert.equal(sent(tracker, null), "b-2025,a-2024");
  assert.equal(sent(tracker, "c-2026"), "b-2025,a-2024,c-2026");
  assert.equal(sent(tracker, "a-2024, d"), "b-2025,a-2024,c-2026,d");
  assert.equal(sent(tracker, ""), "b-2025,a-2024,c-2026,d");
});

Deno.test("BetaTracker keeps a token as it was first written, once", () => {
  const tracker = enabled();
  assert.equal(sent(tracker, "Alpha"), "Alpha");
  assert.equal(sent(tracker, "ALPHA,beta,Beta"), "Alpha,beta");
});

Deno.test("BetaTracker leaves a value alone that says it all", () => {
  const tracker = enabled();
  assert.equal(ask(tracker, " a ,b,, ").value, undefined);
  assert.equal(ask(tracker, "a, b").value, undefined);
  assert.equal(ask(tracker, "a,b,c").value, undefined);
  assert.equal(ask(enabled(), null).value, undefined);
  assert.equal(ask(enabled(), "").value, undefined);
});

Deno.test("BetaTracker keeps sessions, models and fields apart", () => {
  const tracker = enabled();
  sent(tracker, "a");
  assert.equal(sent(tracker, null, { session: "t" }), null);
  assert.equal(sent(tracker, null, { model: "side" }), null);
  assert.equal(sent(tracker, null, { header: "other-beta" }), null);
  assert.equal(sent(tracker, null), "a");
});

Deno.test("BetaTracker forgets the session that was used longest ago", () => {
  const tracker = enabled(2);
  sent(tracker, "a", { session: "1" });
  sent(tracker, "b", { session: "2" });
  assert.equal(sent(tracker, null, { session: "1" }), "a");
  sent(tracker, "c", { session: "3" });
  assert.equal(sent(tracker, null, { session: "2" }), null);
  assert.equal(sent(tracker, null, { session: "1" }), "a");
  assert.equal(sent(tracker, null, { session: "3" }), "c");
});

Deno.test("BetaTracker remembers no session that has no tokens", () => {
  const tracker = enabled(1);
  sent(tracker, "a", { session: "1" });
  for (const session of ["2", "3", "4"]) sent(tracker, null, { session });
  assert.equal(sent(tracker, null, { session: "1" }), "a");
});

Deno.test("BetaTracker forwards betas as they come when it is disabled", () => {
  const tracker = new BetaTracker({ sticky: "disabled", maxSessions: 10 });
  assert.equal(ask(tracker, "a,A").value, undefined);
  assert.equal(ask(tracker, null).value, undefined);
});

Deno.test("BetaTracker fails each request, not the start, when the setting is not a word it knows", () => {
  const tracker = new BetaTracker({ sticky: "invalid", maxSessions: 10 });
  for (const betas of ["a", null]) {
    assert.throws(
      () => ask(tracker, betas),
      (error) =>
        error instanceof ServiceError &&
        error.type === "configuration_error" &&
        error.message.includes("SVC_BETA_HEADER_STICKY"),
    );
  }
});

Deno.test("StickyBetas.forget takes back a token that the upstream refused", () => {
  const tracker = enabled();
  sent(tracker, "good");
  ask(tracker, "good,bad").forget();
  assert.equal(sent(tracker, null), "good");
});

Deno.test("StickyBetas.forget takes back what was added to a request that failed, not what its client says", () => {
  const tracker = enabled();
  sent(tracker, "a,b");
  const extended = ask(tracker, "B");
  assert.equal(extended.value, "a,b");
  extended.forget();
  assert.equal(sent(tracker, null), "b");
});

Deno.test("StickyBetas.forget leaves alone what other requests taught meanwhile", () => {
  const tracker = enabled();
  const failed = ask(tracker, "a");
  sent(tracker, "b");
  failed.forget();
  failed.forget();
  assert.equal(sent(tracker, null), "b");
  const alone = ask(tracker, null);
  alone.forget();
  assert.equal(sent(tracker, null), null);
});

Deno.test("BetaTracker remembers a bounded number of tokens of bounded length, and sends the client's own all the same", () => {
  const tracker = enabled();
  const many = Array.from({ length: 70 }, (_, i) => `t${i}`).join(",");
  assert.equal(sent(tracker, many), many);
  assert.equal(sent(tracker, null)?.split(",").length, 64);
  const long = "x".repeat(129);
  assert.equal(sent(tracker, long, { session: "t" }), long);
  assert.equal(sent(tracker, null, { session: "t" }), null);
});

const token = fc.stringMatching(/^[A-Ca-c][0-1]?$/);
const tokens = fc.array(token, { maxLength: 8 });
Deno.test("BetaTracker sends every token of a session's past, each request's own included, and only appends", () => {
  fc.assert(
    fc.property(fc.array(tokens, { maxLength: 8 }), (requests) => {
      const tracker = enabled();
      let all: readonly string[] = [];
      for (const own of requests) {
        const first = new Map<string, string>();
        for (const one of [...all, ...own]) {
          const name = one.toLowerCase();
          if (!first.has(name)) first.set(name, one);
        }
        const said = ask(tracker, own.join(", ")).value;
        all = said === undefined ? own : said.split(",");
        assert.deepEqual(all, [...first.values()]);
      }
    }),
  );
});

Deno.test("BetaTracker reads what Headers makes of a repeated field", () => {
  const tracker = enabled();
  const headers = new Headers([
    ["x-svc-session-id", "s"],
    ["vendor-beta", "x,y"],
    ["vendor-beta", " z "],
  ]);
  const call = { headers, header: "vendor-beta", model: "m", body: BODY };
  tracker.betasFor({ ...call, conversation: undefined });
  assert.equal(sent(tracker, null), "x,y,z");
});

const utf8 = new TextEncoder();

interface Facts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly body?: unknown;
  readonly conversation?: string;
}

/** Whether the second request belongs to the session of the first. */
function isOne(one: Facts, other: Facts): boolean {
  const tracker = enabled();
  const header = "vendor-beta";
  const call = (
    { headers = {}, model = "m", body = {}, conversation }: Facts,
    betas: Readonly<Record<string, string>>,
  ) =>
    tracker.betasFor({
      headers: new Headers({ ...headers, ...betas }),
      header,
      model,
      body: utf8.encode(
        typeof body === "string" ? body : JSON.stringify(body),
      ),
      conversation: conversation as ConversationKey | undefined,
    });
  call(one, { [header]: "a" });
  return call(other, {}).value === "a";
}

const differ = (one: Facts, other: Facts) => assert.ok(!isOne(one, other));
const same = (one: Facts, other: Facts) => assert.ok(isOne(one, other));

Deno.test("BetaTracker follows the session, agent and model that the client names, not its body or credential", () => {
  const headers = { "x-svc-session-id": "s", "x-api-key": "k" };
  const one = { headers, body: { system: "a" }, conversation: "c" };
  same(one, { headers, body: { system: "b" }, conversation: "d" });
  same(one, { ...one, headers: { ...headers, "x-api-key": "refreshed" } });
  differ(one, { ...one, model: "n" });
  differ(one, { ...one, headers: { ...headers, "x-svc-session-id": "t" } });
  differ(one, { ...one, headers: { ...headers, "thread-id": "agent" } });
});

const SHAPES: Readonly<Record<string, (prompt: string) => unknown>> = {
  "a string": (system) => ({ system, messages: [] }),
  "blocks": (text) => ({ system: [{ type: "text", text }] }),
  "instructions": (instructions) => ({ instructions, input: "hi" }),
  "a system message": (content) => ({
    messages: [{ role: "system", content }, { role: "user", content: "u" }],
  }),
  "a developer message": (text) => ({
    input: [{ content: [{ type: "input_text", text }], role: "developer" }],
  }),
};

for (const [name, shape] of Object.entries(SHAPES)) {
  Deno.test(`BetaTracker tells system prompts apart that are ${name}, when the client names no session`, () => {
    differ({ body: shape("You cook.") }, { body: shape("You sew.") });
    same({ body: shape("You cook.") }, { body: shape("You cook.") });
    const head = "x".repeat(500);
    same({ body: shape(`${head}1`) }, { body: shape(`${head}2`) });
    const shorter = "x".repeat(499);
    differ({ body: shape(`${shorter}1`) }, { body: shape(`${shorter}2`) });
  });
}

Deno.test("BetaTracker does not follow what is said, when there is a system prompt", () => {
  same(
    { body: { system: "s", messages: [{ role: "user", content: "a" }] } },
    {
      body: { system: "s", messages: [{ role: "user", content: "b" }] },
      conversation: "other",
    },
  );
});

Deno.test("BetaTracker keeps conversations without a system prompt apart", () => {
  const body = { messages: [{ role: "user", content: "hi" }] };
  differ({ body, conversation: "c" }, { body, conversation: "d" });
  same({ body, conversation: "c" }, { body, conversation: "c" });
});

Deno.test("BetaTracker keeps callers and models apart, when the client names no session", () => {
  const body = { system: "s" };
  for (const name of ["authorization", "x-api-key", "api-key", "cookie"]) {
    differ(
      { body, headers: { [name]: "one" } },
      { body, headers: { [name]: "two" } },
    );
  }
  differ({ body }, { body, model: "n" });
});

Deno.test("BetaTracker never takes a named session for an unnamed one", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (named, system) => {
      const headers = { "x-svc-session-id": encodeURIComponent(named) };
      differ({ headers, body: { system } }, { body: { system } });
    }),
  );
});

Deno.test("BetaTracker takes a body that is no JSON object for one without a system prompt", () => {
  same({ body: '{"system":"a"' }, { body: "{}" });
});
