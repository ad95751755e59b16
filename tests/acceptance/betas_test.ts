/** Beta features of a conversation stay asked for. */
import assert from "node:assert/strict";
import type { TextValues } from "../../src/settings/row.ts";
import { arrived, type Place, replies, withApp } from "./world.ts";

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
}
