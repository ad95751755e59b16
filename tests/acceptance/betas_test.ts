/** Beta features of a conversation stay asked for. */
import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import { arrived, type Place, post, replies, withApp } from "./world.ts";

/** Each family's route, its beta field, and a body. */
const FAMILIES = [
  {
    path: "/v1/messages",
    field: "anthropic-beta",
    body: (system: string) => ({
      model: "m",
      max_tokens: 10,
      system,
      messages: [{ role: "user", content: "hi" }],
    }),
  },
  {
    path: "/v1/chat/completions",
    field: "openai-beta",
    body: (content: string) => ({
      model: "m",
      messages: [{ role: "system", content }, { role: "user", content: "hi" }],
    }),
  },
  {
    path: "/v1/responses",
    field: "openai-beta",
    body: (instructions: string) => ({
      model: "m",
      store: false,
      instructions,
      input: [{ role: "user", content: "hi" }],
    }),
  },
];
type Family = typeof FAMILIES[number];

interface Request {
  readonly betas?: string;
  readonly session?: string;
  readonly model?: string;
  readonly system?: string;
  readonly headers?: Record<string, string>;
}

/** Sends one request, and gives the beta field that arrived. */
async function sent(
  place: Place,
  { path, field, body }: Family,
  { betas, session, model = "m", system = "You cook.", headers = {} }: Request,
): Promise<string | null> {
  const { headers: there } = await arrived(
    place,
    path,
    {
      body: JSON.stringify({ ...body(system), model }),
      headers: {
        ...betas !== undefined && { [field]: betas },
        ...session !== undefined && { "x-svc-session-id": session },
        ...headers,
      },
    },
  );
  return there.get(field);
}

const on = (test: (place: Place) => Promise<void>, env: TextValues = {}) =>
  withApp(replies(), test, { env });

for (const family of FAMILIES) {
  const { path } = family;
  Deno.test(`47 betas of a session are sent with all its later requests, in order, as first written, each once: ${path}`, () =>
    on(async (place) => {
      const session = "s";
      const send = (request: Request) =>
        sent(place, family, { session, ...request });
      assert.equal(await send({}), null);
      assert.equal(await send({ betas: "b-2, A-1" }), "b-2, A-1");
      assert.equal(await send({}), "b-2,A-1");
      assert.equal(await send({ betas: "a-1,c-3" }), "b-2,A-1,c-3");
      assert.equal(await send({ betas: "d" }), "b-2,A-1,c-3,d");
      // What is on the way already is the client's to the byte.
      const all = "b-2,  A-1, c-3,d";
      assert.equal(await send({ betas: all }), all);
    }));

  Deno.test(`47 sessions and models have betas of their own: ${path}`, () =>
    on(async (place) => {
      await sent(place, family, { session: "s", betas: "a" });
      assert.equal(await sent(place, family, { session: "t" }), null);
      assert.equal(
        await sent(place, family, { session: "s", model: "n" }),
        null,
      );
      assert.equal(await sent(place, family, { session: "s" }), "a");
    }));

  Deno.test(`48 conversations with the same model and other system prompts share no betas: ${path}`, () =>
    on(async (place) => {
      await sent(place, family, { system: "You cook.", betas: "a" });
      assert.equal(await sent(place, family, { system: "You sew." }), null);
      assert.equal(await sent(place, family, { system: "You cook." }), "a");
    }));
}

const [MESSAGES] = FAMILIES as [Family];

Deno.test("47 the session that was used longest ago is forgotten at the capacity", () =>
  on(async (place) => {
    const send = (request: Request) => sent(place, MESSAGES, request);
    await send({ session: "1", betas: "a" });
    await send({ session: "2", betas: "b" });
    assert.equal(await send({ session: "1" }), "a");
    await send({ session: "3", betas: "c" });
    assert.equal(await send({ session: "2" }), null);
    assert.equal(await send({ session: "1" }), "a");
  }, { SVC_BETA_TRACKER_MAX_SESSIONS: "2" }));

Deno.test("47 disabled forwards betas as they come", () =>
  on(async (place) => {
    const send = (request: Request) =>
      sent(place, MESSAGES, { session: "s", ...request });
    assert.equal(await send({ betas: "a, A" }), "a, A");
    assert.equal(await send({}), null);
  }, { SVC_BETA_HEADER_STICKY: "disabled" }));

Deno.test("47 a request that is passed through is neither learnt from nor added to", () =>
  on(async (place) => {
    const send = (request: Request) =>
      sent(place, MESSAGES, { session: "s", ...request });
    await send({ betas: "a" });
    const headers = { "x-svc-bypass": "true" };
    assert.equal(await send({ headers }), null);
    assert.equal(await send({ headers, betas: "b" }), "b");
    assert.equal(await send({}), "a");
  }));

Deno.test("47 another word is an error of each request in the family's shape, and the proxy starts", () =>
  on(async (place) => {
    for (const { path, body } of FAMILIES) {
      const response = await post(place, path, JSON.stringify(body("s")));
      assert.equal(response.status, 500);
      const { error } = await response.json();
      assert.match(error.message, /SVC_BETA_HEADER_STICKY/);
    }
    assert.equal(place.upstream.received.length, 0);
    assert.equal((await fetch(`${place.url}/livez`)).status, 200);
  }, { SVC_BETA_HEADER_STICKY: "sometimes" }));

Deno.test("47 a beta that the upstream refuses does not come back with later requests", () =>
  withApp(
    (request, n, signal) =>
      request.headers.get("anthropic-beta")?.includes("bad")
        ? new Response(
          JSON.stringify({
            type: "error",
            error: {
              type: "invalid_request_error",
              message:
                "Unexpected value(s) `bad` for the `anthropic-beta` header",
            },
          }),
          { status: 400, headers: { "content-type": "application/json" } },
        )
        : replies()(request, n, signal),
    async (place) => {
      const send = (request: Request) =>
        sent(place, MESSAGES, { session: "s", ...request });
      await send({ betas: "good" });
      await send({ betas: "good,bad" });
      assert.equal(await send({}), "good");
    },
  ));
