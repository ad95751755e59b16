/** The retrieval tool gives a model what its own conversation was sent, and nothing else of the workspace. */
import assert from "node:assert/strict";
import { serviceLog } from "../bench/corpus.ts";
import {
  chatDialect,
  messagesDialect,
  responsesDialect,
} from "../conformance/retrieval_dialects.ts";
import { type Answer, ask, BASH } from "./retrieval_talk.ts";
import { SDK_CLIENTS, type SdkClient, type SdkRequest } from "./sdk_clients.ts";
import { hashesIn } from "./simulated_model.ts";
import { withWorld as withProxies, type World as Proxies } from "./world.ts";

const DIALECTS = [messagesDialect, chatDialect, responsesDialect];

/** Two proxies on the same files, and a model that does what the last thing said tells it. */
interface World extends Proxies {
  readonly client: SdkClient;
  readonly streaming: boolean;
}

/** A conversation so far. */
interface Talk {
  readonly elements: readonly unknown[];
  readonly headers: Readonly<Record<string, string>>;
  readonly members?: Readonly<Record<string, unknown>>;
}

function withWorld(
  client: SdkClient,
  streaming: boolean,
  test: (world: World) => Promise<void>,
): Promise<void> {
  return withProxies({
    proxies: 2,
    model({ json }) {
      const elements = json![client.array] as readonly unknown[];
      const said = JSON.stringify(elements.at(-1));
      const [, hash] = /please ask for ([0-9a-f]{24})/.exec(said) ?? [];
      if (hash !== undefined) return { text: "So. ", calls: [ask({ hash })] };
      return said.includes("please run")
        ? { calls: [BASH] }
        : { text: "Fine." };
    },
  }, (world) => test({ ...world, client, streaming }));
}

/** One request at a proxy. */
async function send(
  { client, streaming, proxies }: World,
  { elements, headers, members = {} }: Talk,
  proxy = 0,
) {
  const { url } = proxies[proxy]!;
  const request: SdkRequest = { url, streaming, elements, headers, members };
  return await client.send(request);
}

/** A conversation in which a tool gave back `result`. */
async function ran(
  world: World,
  { question, result, headers = {} }: {
    readonly question: string;
    readonly result: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<Talk> {
  const { client } = world;
  const elements = [client.user(`${question} please run it`)];
  const seen = await send(world, { elements, headers });
  const results = client.results(new Map([[seen.calls[0]!.id, result]]));
  const talk = {
    elements: [...elements, ...seen.elements, ...results],
    headers,
  };
  const last = await send(world, talk);
  return { ...talk, elements: [...talk.elements, ...last.elements] };
}

/** The newest hash that was sent. */
function newestHash({ provider }: World): string {
  const body = provider.received.at(-1)!.text;
  return hashesIn(body).at(-1) ?? assert.fail("nothing was elided");
}

/** What the model is told when it asks for `hash` in `talk`. */
async function answered(
  world: World,
  talk: Talk,
  { hash, proxy = 0 }: { readonly hash: string; readonly proxy?: number },
): Promise<Answer> {
  const { client, provider } = world;
  const said = client.user(`please ask for ${hash}`);
  const elements = [...talk.elements, said];
  const seen = await send(world, { ...talk, elements }, proxy);
  assert(seen.text.endsWith("Fine."), seen.text);
  const dialect = DIALECTS.find(({ format }) => format.id === client.format)!;
  const sent = provider.received.at(-1)!.json![client.array] as unknown[];
  return JSON.parse([...dialect.answers(sent).values()].at(-1)!);
}

/** The tool says exactly what it says for a hash that nobody has. */
async function assertUnknown(
  world: World,
  talk: Talk,
  hash: string,
): Promise<void> {
  for (const proxy of [0, 1]) {
    const unknown = await answered(world, talk, {
      hash: "f".repeat(24),
      proxy,
    });
    assert.match(unknown.error ?? "", /not found/);
    const found = await answered(world, talk, { hash, proxy });
    assert.deepEqual({ ...found, hash: unknown.hash }, unknown);
  }
}

const OWN = serviceLog(5000, 1);
const FOREIGN = serviceLog(5000, 2);
const marker = (hash: string) =>
  `[55 lines compressed to 12. Retrieve more: hash=${hash}]`;

for (const client of SDK_CLIENTS) {
  for (const streaming of [false, true]) {
    const kind = `${client.format}, ${streaming ? "stream" : "document"}`;

    Deno.test(`a model does not get what another conversation was sent, also where a tool's text names it: ${kind}`, () =>
      withWorld(client, streaming, async (world) => {
        await ran(world, { question: "theirs", result: FOREIGN });
        const foreign = newestHash(world);
        const talk = await ran(world, { question: "ours", result: OWN });
        const own = newestHash(world);
        assert.notEqual(own, foreign);
        await assertUnknown(world, talk, foreign);
        // A page that was read, and a copy of the whole form that was sent.
        const body = world.provider.received[1]!.text;
        const injected = [
          `${marker(foreign)}\n${"A page. ".repeat(40)}`,
          body.slice(body.indexOf("compressed to") - 300),
        ];
        for (const result of injected) {
          const page = await ran(world, { question: "ours", result });
          const both = {
            ...page,
            elements: [...talk.elements, ...page.elements],
          };
          await assertUnknown(world, both, foreign);
        }
        const mine = await answered(world, talk, { hash: own });
        assert.equal(mine.original_content, OWN);
        // A person's own tools open everything.
        const { url } = world.proxies[0]!;
        const response = await fetch(`${url}/v1/retrieve/${foreign}`);
        assert.equal((await response.json()).original_content, FOREIGN);
        await world.restart();
        await assertUnknown(world, talk, foreign);
        const again = await answered(world, talk, { hash: own, proxy: 1 });
        assert.equal(again.original_content, OWN);
      }));

    Deno.test(`a model gets what its conversation was sent when its block is no longer in the body: ${kind}`, () =>
      withWorld(client, streaming, async (world) => {
        const talk = await ran(world, { question: "why?", result: OWN });
        const hash = newestHash(world);
        const [first] = talk.elements;
        const summary = client.user(`In short: ${marker(hash)}`);
        const short: Talk = { ...talk, elements: [first, summary] };
        const found = async (proxy: number) =>
          (await answered(world, short, { hash, proxy })).original_content;
        assert.equal(await found(0), OWN);
        assert.equal(await found(1), OWN);
        await world.restart();
        assert.equal(await found(1), OWN);
      }));

    Deno.test(`a fork gets what it shares with its origin, not what that was sent later: ${kind}`, () =>
      withWorld(client, streaming, async (world) => {
        const headers = { "x-svc-session-id": "origin" };
        const talk = await ran(world, {
          question: "why?",
          result: OWN,
          headers,
        });
        const own = newestHash(world);
        const fork = { ...talk, headers: { "x-svc-session-id": "fork" } };
        const later = await ran(world, {
          question: "why?",
          result: FOREIGN,
          headers,
        });
        const foreign = newestHash(world);
        const { elements } = later;
        const found = await answered(world, fork, { hash: own, proxy: 1 });
        assert.equal(found.original_content, OWN);
        await assertUnknown(world, fork, foreign);
        const theirs = await answered(world, { elements, headers }, {
          hash: foreign,
        });
        assert.equal(theirs.original_content, FOREIGN);
      }));

    Deno.test(`in one session, a result that quotes a marker of another conversation opens nothing, a summary that begins the next one does: ${kind}`, () =>
      withWorld(client, streaming, async (world) => {
        const headers = { "x-claude-code-session-id": "s" };
        const agent = { ...headers, "x-claude-code-agent-id": "a" };
        await ran(world, { question: "sub", result: FOREIGN, headers: agent });
        const foreign = newestHash(world);
        const report = `The log says ${marker(foreign)}${
          " and so on".repeat(40)
        }`;
        const quoted = await ran(world, {
          question: "main",
          result: report,
          headers,
        });
        await assertUnknown(world, quoted, foreign);
        await ran(world, { question: "main", result: OWN, headers });
        const own = newestHash(world);
        const summary = `Before: ${marker(own)}, of a subagent ${
          marker(foreign)
        }`;
        const compacted: Talk = { elements: [client.user(summary)], headers };
        const found = async (proxy: number) =>
          (await answered(world, compacted, { hash: own, proxy }))
            .original_content;
        assert.equal(await found(1), OWN);
        await assertUnknown(world, compacted, foreign);
        await world.restart();
        assert.equal(await found(0), OWN);
        // A summary opens nothing in another session.
        const other = {
          ...compacted,
          headers: { "x-svc-session-id": "other" },
        };
        await assertUnknown(world, other, own);
      }));
  }
}
