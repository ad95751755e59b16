/** Forks and subagents: whoever shares a past sends its bytes, whatever the session is called. */
import assert from "node:assert/strict";
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
} from "../conformance/conversation.ts";
import { conversationOf, LOG } from "./agent.ts";
import { Random } from "./random.ts";
import { SIMULATED_CLIENTS } from "./simulated_client.ts";
import { hashesIn, simulatedModel } from "./simulated_model.ts";
import {
  ask,
  assertAppendOnly,
  begin,
  conversationIn,
  proceed,
  type Talk,
} from "./simulation.ts";
import type { Script } from "./scripted_provider.ts";
import { withWorld, type World } from "./world.ts";

/** A failure names its seed; more of them search further. */
const SEEDS = [1, 2];
const decoder = new TextDecoder();

/** One turn at any proxy. */
async function grown(world: World, talk: Talk): Promise<Talk> {
  const proxy = talk.random.pick(world.proxies);
  return proceed(talk, await ask(world, talk, proxy));
}

/** Whether a form in the past tells that the tool is declared. */
function showsMarker(talk: Talk): boolean {
  const past = conversationIn(talk.requests.at(-1)!.rounds.at(-1)!, talk);
  return hashesIn(past).length > 0;
}

for (const seed of SEEDS) {
  Deno.test(`a fork under another session, at any point and in any process, extends the past that it shares, retrievals included (seed ${seed})`, () => {
    const model = simulatedModel({ retrieve: 0.5, beside: 0.5 });
    return withWorld({ model, proxies: 2 }, async (world) => {
      const random = new Random(`fork ${seed}`);
      let continued = 0;
      for (const client of SIMULATED_CLIENTS) {
        let talk = begin(client, `fork ${seed} ${client.format.id}`);
        const pasts: Talk[] = [];
        for (let turn = 0; turn < 6; turn++) {
          talk = await grown(world, talk);
          if (showsMarker(talk)) pasts.push(talk);
        }
        if (random.chance(0.5)) await world.restart();
        const branches = [talk];
        for (let fork = 0; fork < 3 && pasts.length > 0; fork++) {
          const past = random.pick(pasts);
          const headers: Record<string, string> = random.chance(0.7)
            ? { "x-svc-session-id": `fork ${fork}` }
            : { ...past.headers, "thread-id": `agent ${fork}` };
          let branch: Talk = { ...past, headers };
          for (let turn = 0; turn < 2; turn++) {
            branch = await grown(world, branch);
          }
          branches.push(branch);
        }
        // Branches have their origin's name: what the provider got is of all of them.
        const originals = branches.flatMap(({ originals }) => originals);
        for (const branch of branches) {
          const checked = await assertAppendOnly(world, {
            ...branch,
            originals,
          });
          continued += checked.continued;
        }
      }
      assert(continued > 0, "nothing was retrieved");
    });
  });
}

/** One text under two calls of a shell, then as a file that is read. */
async function sameTextThrice(
  { proxies, provider }: World,
  client: ClientFormat,
): Promise<void> {
  const steps = ["Bash", "Bash", "Read"].map((tool, i) => ({
    calls: [{
      id: `call ${i}`,
      tool,
      args: tool === "Read" ? { file_path: "src/a.ts" } : { command: "x" },
      result: LOG,
    }],
  }));
  let sent = "";
  for (let n = 0; n <= steps.length; n++) {
    const response = await fetch(proxies[0]!.url + client.path, {
      method: "POST",
      body: bodyOf(client, { question: "same", steps }, n) as BodyInit,
    });
    await response.bytes();
    const before = sent;
    sent = conversationOf(provider.received.at(-1)!, client.array);
    assert(sent.startsWith(before), `request ${n}`);
  }
  assert.equal(hashesIn(sent).length, 1);
  assert(sent.indexOf("Retrieve more") < sent.indexOf('"call 1"'));
}

for (const client of CLIENTS) {
  Deno.test(`subagents under one session that race on one block send the same bytes and go on, and a text is left out under one call only: ${client.id}`, () =>
    withWorld(
      { model: () => ({ text: "fine" }), proxies: 2 },
      async (world) => {
        const { received } = world.provider;
        const send = async (agent: string, n: number, proxy: number) => {
          const steps = ["shared", `of ${agent}`].map((id) => ({
            calls: [{
              id,
              tool: "Bash",
              args: { command: id },
              result: `${LOG}\n${id}`,
            }],
          }));
          const body = bodyOf(client, { question: "race", steps }, n);
          const response = await fetch(
            world.proxies[proxy]!.url + client.path,
            {
              method: "POST",
              headers: {
                "x-claude-code-session-id": "one",
                "x-claude-code-agent-id": agent,
              },
              body: body as BodyInit,
            },
          );
          await response.bytes();
          assert.equal(response.status, 200);
        };
        const agents = ["a", "b", "c", "d"];
        for (const [i, agent] of agents.entries()) await send(agent, 0, i % 2);
        const from = received.length;
        await Promise.all(agents.map((agent, i) => send(agent, 1, i % 2)));
        const raced = received.slice(from).map(({ body }) =>
          decoder.decode(body)
        );
        assert.equal(new Set(raced).size, 1);
        assert.equal(hashesIn(raced[0]!).length, 1);
        for (const [i, agent] of agents.entries()) {
          // Each goes on in the other process.
          await send(agent, 2, (i + 1) % 2);
          const now = conversationOf(received.at(-1)!, client.array);
          const was = conversationOf(received[from]!, client.array);
          assert(now.startsWith(was), agent);
        }
        await sameTextThrice(world, client);
      },
    ));
}

for (const client of SIMULATED_CLIENTS) {
  Deno.test(`sessions that begin alike do not take over what only one of them asked for: ${client.format.id}`, () => {
    const asked = {
      tool: "headroom_retrieve",
      input: { hash: "f".repeat(24) },
    };
    const talks = ["one", "two", "three"].map((session): Talk => ({
      ...begin(client, "alike"),
      headers: { "x-svc-session-id": session },
    }));
    let curious = true;
    const model: Script = ({ body }) => {
      const isFirst = !decoder.decode(body).includes("Hello.");
      if (!isFirst) return { text: "And so on." };
      const asks = curious;
      curious = false;
      return asks ? { calls: [asked] } : { text: "Hello." };
    };
    return withWorld({ model, proxies: 1 }, async (world) => {
      for (let talk of talks) {
        const from = world.provider.received.length;
        for (let turn = 0; turn < 3; turn++) {
          const exchange = await ask(world, talk);
          talk = proceed(talk, exchange);
        }
        const bodies = world.provider.received.slice(from);
        const arrays = bodies.map((one) =>
          conversationOf(one, client.format.array)
        );
        for (const [i, now] of arrays.entries()) {
          if (i === 0) continue;
          assert(
            now.startsWith(arrays[i - 1]!),
            `${talk.headers["x-svc-session-id"]}, ${i}`,
          );
        }
      }
    });
  });
}
