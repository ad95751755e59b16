/** `x-svc-tokens-*` are exact, or say that they are estimated. */
import assert from "node:assert/strict";
import { serviceLog } from "../bench/corpus.ts";
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
} from "../conformance/conversation.ts";
import { type RunningProxy, startProxy } from "./proxy.ts";
import { startProvider } from "./scripted_provider.ts";

/** What the headers say. */
interface Said {
  readonly before: number;
  readonly after: number;
  readonly saved: number;
  readonly isEstimated: boolean;
}

interface Stage {
  /** Sends a conversation whose question is so many bytes long; the provider answers late or at once. */
  send(
    client: ClientFormat,
    question: { bytes: number; isLate: boolean },
  ): Promise<Said>;
}

let seeds = 0;

/** Waits until all is counted: small texts beside requests, those of recorded calls before a report. */
async function untilCounted({ url }: RunningProxy): Promise<void> {
  for (let i = 0; i < 4; i++) {
    const content = serviceLog(2000, ++seeds);
    const messages = [{ role: "user", content }];
    const response = await fetch(`${url}/v1/compress`, {
      method: "POST",
      body: JSON.stringify({ model: "gpt-5", messages }),
    });
    await response.json();
  }
  await (await fetch(`${url}/stats`)).json();
}

async function onStage(test: (stage: Stage) => Promise<void>): Promise<void> {
  let isLate = false;
  const provider = startProvider(async () => {
    if (isLate) await untilCounted(proxy);
    return { text: "Fine." };
  });
  const proxy = await startProxy({
    MSG_TARGET_API_URL: provider.url,
    CHAT_TARGET_API_URL: provider.url,
  });
  const post = async (client: ClientFormat, body: Uint8Array) => {
    const response = await fetch(proxy.url + client.path, {
      method: "POST",
      body: body as BodyInit,
    });
    await response.bytes();
    const { headers } = response;
    const of = (name: string) => Number(headers.get(`x-svc-tokens-${name}`));
    const estimated = headers.get("x-svc-tokens-estimated");
    assert([null, "true"].includes(estimated), `${estimated}`);
    return {
      before: of("before"),
      after: of("after"),
      saved: of("saved"),
      isEstimated: estimated !== null,
    };
  };
  try {
    await test({
      async send(client, { bytes, ...when }) {
        const talk = {
          question: serviceLog(bytes, ++seeds),
          steps: [{
            calls: [{
              id: "c1",
              tool: "Bash",
              args: { command: "x" },
              result: serviceLog(6000, seeds),
            }],
          }],
        };
        // The tool is declared by the first one.
        for (const n of [0, 1]) {
          isLate = when.isLate;
          const said = await post(client, bodyOf(client, talk, n));
          isLate = false;
          await untilCounted(proxy);
          const exact = await post(client, bodyOf(client, talk, n));
          assert.equal(exact.isEstimated, false);
          assert.equal(said.before - said.after, said.saved);
          if (!said.isEstimated) assert.deepEqual(said, exact);
          if (n === 1) return said;
          if (when.isLate) assert.equal(said.isEstimated, false);
        }
        return assert.fail();
      },
    });
  } finally {
    await proxy.stop();
    await provider.stop();
  }
}

for (const client of CLIENTS) {
  Deno.test(`new text below 64 KB is counted while the provider works: ${client.id}`, () =>
    onStage(async ({ send }) => {
      for (const bytes of [100, 20_000, 60_000]) {
        const said = await send(client, { bytes, isLate: true });
        assert.equal(said.isEstimated, false, `${bytes} bytes`);
        assert(said.saved > 1000);
      }
    }));

  Deno.test(`what is not marked is exact, also where the provider answers at once: ${client.id}`, () =>
    onStage(async ({ send }) => {
      for (const bytes of [100, 60_000, 2_000_000]) {
        await send(client, { bytes, isLate: false });
      }
    }));
}
