import assert from "node:assert/strict";
import fc from "fast-check";
import type { ConversationKey } from "../../src/core/store.ts";
import { betaSessionOf } from "../../src/proxy/beta_session.ts";

const utf8 = new TextEncoder();

interface Facts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly body?: unknown;
  readonly conversation?: string;
}

function session(
  { headers = {}, model = "m", body = {}, conversation }: Facts,
): string {
  return betaSessionOf({
    headers: new Headers(headers),
    model,
    body: utf8.encode(JSON.stringify(body)),
    conversation: conversation as ConversationKey | undefined,
  });
}

const differ = (one: Facts, other: Facts) =>
  assert.notEqual(session(one), session(other));
const same = (one: Facts, other: Facts) =>
  assert.equal(session(one), session(other));

Deno.test("betaSessionOf follows the session, agent and model that the client names, not its body or credential", () => {
  const headers = { "x-svc-session-id": "s", "x-api-key": "k" };
  const one = { headers, body: { system: "a" }, conversation: "c" };
  assert.match(session(one), /^[0-9a-f]{32}$/);
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
  Deno.test(`betaSessionOf tells system prompts apart that are ${name}, when the client names no session`, () => {
    differ({ body: shape("You cook.") }, { body: shape("You sew.") });
    same({ body: shape("You cook.") }, { body: shape("You cook.") });
    const head = "x".repeat(500);
    same({ body: shape(`${head}1`) }, { body: shape(`${head}2`) });
    const shorter = "x".repeat(499);
    differ({ body: shape(`${shorter}1`) }, { body: shape(`${shorter}2`) });
  });
}

Deno.test("betaSessionOf does not follow what is said, when there is a system prompt", () => {
  same(
    { body: { system: "s", messages: [{ role: "user", content: "a" }] } },
    {
      body: { system: "s", messages: [{ role: "user", content: "b" }] },
      conversation: "other",
    },
  );
});

Deno.test("betaSessionOf keeps conversations without a system prompt apart", () => {
  const body = { messages: [{ role: "user", content: "hi" }] };
  differ({ body, conversation: "c" }, { body, conversation: "d" });
  same({ body, conversation: "c" }, { body, conversation: "c" });
});

Deno.test("betaSessionOf keeps callers and models apart, when the client names no session", () => {
  const body = { system: "s" };
  for (const name of ["authorization", "x-api-key", "api-key", "cookie"]) {
    differ(
      { body, headers: { [name]: "one" } },
      { body, headers: { [name]: "two" } },
    );
  }
  differ({ body }, { body, model: "n" });
});

Deno.test("betaSessionOf never takes a named session for an unnamed one", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (named, system) => {
      const headers = { "x-svc-session-id": encodeURIComponent(named) };
      differ({ headers, body: { system } }, { body: { system } });
    }),
  );
});

Deno.test("betaSessionOf takes a body that is no JSON object for one without a system prompt", () => {
  const facts = { headers: new Headers(), model: "m", conversation: undefined };
  assert.equal(
    betaSessionOf({ ...facts, body: utf8.encode(`{"system":"a"`) }),
    betaSessionOf({ ...facts, body: utf8.encode("{}") }),
  );
});
