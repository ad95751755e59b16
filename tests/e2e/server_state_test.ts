/** Retrievals in responses that the provider keeps, so that the client sends nothing of them again. */
import assert from "node:assert/strict";
import { serviceLog } from "../bench/corpus.ts";
import { ask, BASH } from "./retrieval_talk.ts";
import type { Reply } from "./scripted_wires.ts";
import { responsesSdk, type Seen } from "./sdk_clients.ts";
import type { Received } from "./upstream.ts";
import { withWorld } from "./world.ts";

const LOG = serviceLog(9000, 77);
const STORED = { store: undefined };

/** What the model does, request by request, given the hash of the log once it is known. */
type Play = readonly ((hash: string) => Reply)[];

/** Proxies on the same files before a provider that plays, and the time. */
interface Stage {
  readonly received: readonly Received[];
  readonly time: { ms: number };
  /** Sends what a client sends that continues `before`. */
  send(input: readonly unknown[], before?: Seen): Promise<Seen>;
  /** Where the proxy is by now. */
  url(): string;
  /** Ends the proxy and starts it again on the same files. */
  restart(): Promise<void>;
}

function onStage(
  { play, streaming }: { readonly play: Play; readonly streaming: boolean },
  test: (stage: Stage) => Promise<void>,
): Promise<void> {
  let hash = "";
  return withWorld({
    model({ text }, n) {
      hash = /Retrieve more: hash=(\w{24})/.exec(text)?.[1] ?? hash;
      return play[n]?.(hash) ?? { text: `Fine, ${n}.` };
    },
    env: { SVC_CCR_TTL_SECONDS: "1" },
    isTimed: true,
  }, ({ provider: { received }, proxies, time, restart }) => {
    const url = () => proxies[0]!.url;
    return test({
      ...{ received, time, restart, url },
      send: (elements, before) =>
        responsesSdk.send({
          url: url(),
          elements,
          streaming,
          members: {
            ...STORED,
            ...before ? { previous_response_id: before.id } : {},
          },
        }),
    });
  });
}

const outputs = (seen: Seen, text: string) =>
  responsesSdk.results(new Map(seen.calls.map(({ id }) => [id, text])));
/** Only of a tool that the item itself names is known that it may be elided: the call is not in the body. */
const logOf = ({ calls: [call] }: Seen) => [
  { type: "local_shell_call_output", call_id: call!.id, output: LOG },
];

interface Item {
  readonly type: string;
  readonly call_id: string;
  readonly output: string;
}

const inputOf = ({ json }: Received) => json!["input"] as readonly Item[];
const continuedBy = ({ json }: Received) => json!["previous_response_id"];

for (const streaming of [false, true]) {
  const kind = streaming ? "stream" : "document";

  Deno.test(`the id that a client saw stands for the last round's, also after a restart: ${kind}`, () =>
    onStage({
      streaming,
      play: [
        () => ({ calls: [BASH] }),
        (hash) => ({ text: "One. ", calls: [ask({ hash })] }),
        (hash) => ({ text: "Two. ", calls: [ask({ hash })] }),
        () => ({ text: "Three." }),
      ],
    }, async ({ send, received, restart }) => {
      const first = await send([responsesSdk.user("why?")]);
      const second = await send(logOf(first), first);
      assert.equal(second.id, "resp_1");
      assert.equal(second.text, "One. Two. Three.");
      // All rounds continue the same response: the client's.
      assert.deepEqual(received.slice(1).map(continuedBy), [
        "resp_0",
        "resp_0",
        "resp_0",
      ]);
      for (const [i, input] of received.slice(1).map(inputOf).entries()) {
        assert.equal(input.length, 1 + 2 * i + (i > 0 ? i : 0));
      }
      for (const isRestarted of [false, true]) {
        if (isRestarted) await restart();
        const question = [responsesSdk.user("and then?")];
        await send(question, second);
        assert.equal(continuedBy(received.at(-1)!), "resp_3");
        assert.deepEqual(inputOf(received.at(-1)!), question);
      }
    }));

  Deno.test(`the answer of a call beside the client's goes into the input, also after a restart: ${kind}`, () =>
    onStage({
      streaming,
      play: [
        () => ({ calls: [BASH] }),
        (hash) => ({ text: "Both.", calls: [BASH, ask({ hash })] }),
      ],
    }, async ({ send, received, restart }) => {
      const first = await send([responsesSdk.user("why?")]);
      const second = await send(logOf(first), first);
      assert.equal(second.calls.length, 1);
      for (const isRestarted of [false, true]) {
        if (isRestarted) await restart();
        await send(outputs(second, "out"), second);
        const last = received.at(-1)!;
        assert.equal(continuedBy(last), "resp_1");
        const input = inputOf(last);
        assert.deepEqual(
          new Set(input.map(({ call_id }) => call_id)),
          new Set(["call_1_0", "call_1_1"]),
        );
        assert(input.every(({ type }) => type === "function_call_output"));
        const ours = input.find(({ call_id }) => call_id === "call_1_1")!;
        const answer = JSON.parse(ours.output);
        assert.equal(answer.original_content, LOG, ours.output.slice(0, 200));
      }
    }));

  Deno.test(`rounds, then a call beside the client's: id and answer are both put right: ${kind}`, () =>
    onStage({
      streaming,
      play: [
        () => ({ calls: [BASH] }),
        (hash) => ({ text: "One. ", calls: [ask({ hash })] }),
        (hash) => ({ text: "Both.", calls: [ask({ hash }), BASH] }),
      ],
    }, async ({ send, received }) => {
      const first = await send([responsesSdk.user("why?")]);
      const second = await send(logOf(first), first);
      assert.equal(second.id, "resp_1");
      await send(outputs(second, "out"), second);
      const last = received.at(-1)!;
      assert.equal(continuedBy(last), "resp_2");
      assert.deepEqual(
        new Set(inputOf(last).map(({ call_id }) => call_id)),
        new Set(["call_2_0", "call_2_1"]),
      );
    }));

  Deno.test(`an original lives as long as its form where the client does not send it again: ${kind}`, () =>
    onStage({
      streaming,
      play: [
        () => ({ calls: [BASH] }),
        () => ({ text: "I see." }),
        (hash) => ({ text: "Look: ", calls: [ask({ hash })] }),
        () => ({ text: "Done." }),
        (hash) => ({ text: "Again: ", calls: [ask({ hash })] }),
      ],
    }, async ({ send, received, time, restart }) => {
      const first = await send([responsesSdk.user("why?")]);
      let seen = await send(logOf(first), first);
      for (const days of [1, 20]) {
        time.ms += days * 24 * 3600 * 1000;
        if (days > 1) await restart();
        seen = await send([responsesSdk.user(`after ${days} days`)], seen);
        const output = inputOf(received.at(-1)!).at(-1)!;
        const answer = JSON.parse(output.output);
        assert.equal(answer.original_content, LOG, output.output.slice(0, 200));
      }
    }));
}

Deno.test("a stored conversation does not get what another one was sent", () =>
  onStage({
    streaming: true,
    play: [
      () => ({ calls: [BASH] }),
      () => ({ text: "I see." }),
      () => ({ text: "Hello." }),
      (hash) => ({ calls: [ask({ hash })] }),
      () => ({ text: "Nothing there." }),
    ],
  }, async ({ send, received, restart }) => {
    const first = await send([responsesSdk.user("theirs")]);
    await send(logOf(first), first);
    const ours = await send([responsesSdk.user("ours")]);
    await restart();
    await send([responsesSdk.user("and?")], ours);
    const { output } = inputOf(received.at(-1)!).at(-1)!;
    assert.match(output, /"error":"Entry not found/);
  }));

Deno.test("what continues a stored response declares the tool as that one did", () =>
  onStage(
    { streaming: true, play: [() => ({ calls: [BASH] })] },
    async (stage) => {
      const { send, received, restart } = stage;
      let seen = await send([responsesSdk.user("why?")]);
      const tools = JSON.stringify(received[0]!.json!["tools"]);
      assert.match(tools, /headroom_retrieve/);
      for (let turn = 0; turn < 3; turn++) {
        await restart();
        seen = await send([responsesSdk.user(`turn ${turn}`)], seen);
        assert.equal(JSON.stringify(received.at(-1)!.json!["tools"]), tools);
      }
      const stranger = { ...seen, id: "resp_unknown" };
      await send([responsesSdk.user("of another proxy")], stranger);
      const declared = JSON.stringify(received.at(-1)!.json!["tools"]);
      assert.doesNotMatch(declared, /headroom_retrieve/);
    },
  ));

for (const streaming of [false, true]) {
  const kind = streaming ? "stream" : "document";
  Deno.test(`a client that continues a stored response at once has its tool: ${kind}`, () =>
    onStage({ streaming, play: [] }, async ({ url, received }) => {
      const tools = [{ type: "function", name: "Bash", parameters: {} }];
      const post = async (members: object) => {
        const response = await fetch(`${url()}/v1/responses`, {
          method: "POST",
          body: JSON.stringify({
            model: "m",
            stream: streaming,
            tools,
            ...members,
          }),
        });
        let text = "";
        const pieces = response.body!.pipeThrough(new TextDecoderStream());
        for await (const piece of pieces) {
          text += piece;
          // A client need not wait for more.
          if (text.includes('"response.completed"')) break;
        }
        return /"id":"(resp_\d+)"/.exec(text)![1]!;
      };
      const undeclared: number[] = [];
      for (let n = 0; n < 20; n++) {
        const previous_response_id = await post({ input: `question ${n}` });
        await post({ previous_response_id, input: "and then?" });
        const { json } = received.at(-1)!;
        if ((json!["tools"] as unknown[]).length !== 2) undeclared.push(n);
      }
      assert.deepEqual(undeclared, []);
    }));
}
