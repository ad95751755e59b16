/** Clients that have the retrieval tool themselves, and what retrievals count for. */
import assert from "node:assert/strict";
import { bodyOf, CLIENTS } from "../conformance/conversation.ts";
import { LOG } from "./agent.ts";
import { post, withProxy } from "./proxy.ts";
import { SIMULATED_CLIENTS } from "./simulated_client.ts";

const decoder = new TextDecoder();

for (const client of CLIENTS) {
  for (const alias of ["mcp__svc__headroom_retrieve", "headroom_retrieve"]) {
    Deno.test(`a client that has ${alias} is asked itself, and what it gives back stays whole: ${client.id}`, () =>
      withProxy(
        (_, n) =>
          n === 1
            ? { text: "Look: ", calls: [{ tool: alias, input: { hash: "h" } }] }
            : { text: "fine" },
        async (rig) => {
          const { received } = rig.provider;
          const { tools } = client.members as { tools: unknown[] };
          const own = JSON.parse(
            JSON.stringify(tools[0]).replace("Bash", alias),
          );
          const body = (n: number, ...more: unknown[]) => {
            const steps = [{
              calls: [{ id: "c1", tool: "Bash", args: {}, result: LOG }],
            }];
            const talk = { question: alias, steps };
            const json = JSON.parse(decoder.decode(bodyOf(client, talk, n)));
            json.tools = [own, ...tools];
            json[client.array].push(...more);
            return JSON.stringify(json);
          };
          const send = (body: string) => post(rig, client.path, { body });
          await send(body(0));
          const { bytes, last: { text: sent } } = await send(body(1));
          assert.match(sent, /Retrieve more: hash=/);
          assert.equal(received.length, 2);
          const reader = SIMULATED_CLIENTS.find(({ format }) =>
            format === client
          )!;
          const { calls, elements } = reader.read(bytes, false);
          assert.equal(calls.length, 1);
          assert(JSON.stringify(elements).includes(alias));
          const result = {
            callId: calls[0]!,
            text: LOG,
            hasParts: false,
            isError: false,
          };
          const { last: { text: last } } = await send(
            body(1, ...elements, ...reader.elements([result])),
          );
          assert(last.includes(JSON.stringify(LOG)));
          assert.equal(last.split("Retrieve more: hash=").length, 2);
        },
      ));
  }
}
