/** What a user pastes, through a whole proxy: shortened, asked for, sent again, in every wire format. */
import assert from "node:assert/strict";
import { serviceLog } from "../bench/corpus.ts";
import { post, type Rig, withProxy } from "./proxy.ts";
import { ask } from "./retrieval_talk.ts";
import { hashesIn } from "./simulated_model.ts";
import type { Received } from "./upstream.ts";

const LOG = serviceLog(30_000).trimEnd();
const WORDS = "Why does the service stop?";
const PASTED = `${WORDS}\n\n\`\`\`log\n${LOG}\n\`\`\`\n\nThanks!`;

const REMINDER = "<system-reminder>\nBe nice.\n</system-reminder>";

/** A way to send a user's text, with the conversation before it. */
interface Way {
  readonly path: string;
  /** The body; `before` are texts of the user and the model in turns. */
  readonly body: (text: string, before: readonly string[]) => object;
}

const turns = (texts: readonly string[]) =>
  texts.map((content, i) => ({
    role: i % 2 === 0 ? "user" : "assistant",
    content,
  }));
const schema = { type: "object", properties: { command: { type: "string" } } };

const WAYS: Readonly<Record<string, Way>> = {
  messages: {
    path: "/v1/messages",
    body: (text, before) => ({
      max_tokens: 9,
      tools: [{ name: "Bash", description: "x", input_schema: schema }],
      messages: turns([...before, text]),
    }),
  },
  "messages with parts": {
    path: "/v1/messages",
    body: (text, before) => ({
      max_tokens: 9,
      tools: [{ name: "Bash", description: "x", input_schema: schema }],
      messages: turns([...before, text]).map(({ role, content }, i) =>
        i > 0 ? { role, content } : {
          role,
          content: [
            { type: "text", text: REMINDER },
            {
              type: "text",
              text: content,
              ...before.length === 0 &&
                { cache_control: { type: "ephemeral" } },
            },
          ],
        }
      ),
    }),
  },
  chat: {
    path: "/v1/chat/completions",
    body: (text, before) => ({
      tools: [{
        type: "function",
        function: { name: "Bash", parameters: schema },
      }],
      messages: turns([...before, text]),
    }),
  },
  responses: {
    path: "/v1/responses",
    body: (text, before) => ({
      store: false,
      tools: [{ type: "function", name: "Bash", parameters: schema }],
      input: turns([...before, text]),
    }),
  },
  "responses with a string": {
    path: "/v1/responses",
    body: (text, before) => ({
      store: false,
      tools: [{ type: "function", name: "Bash", parameters: schema }],
      input: before.length === 0 ? text : turns([...before, text]),
    }),
  },
};

/** The user's texts that the provider got. */
function saidIn({ json }: Received): readonly string[] {
  const { messages, input } = json as { messages?: unknown; input?: unknown };
  const elements = messages ?? input;
  if (typeof elements === "string") return [elements];
  return (elements as { role?: string; content: unknown }[])
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      typeof content === "string"
        ? [content]
        : (content as { text?: string }[]).flatMap(({ text }) => text ?? [])
    );
}

/** Sends the last of the texts behind the others; they are said in turns. */
async function say(
  rig: Pick<Rig, "url" | "provider">,
  { path, body }: Way,
  texts: readonly string[],
) {
  const json = { model: "m", ...body(texts.at(-1)!, texts.slice(0, -1)) };
  const posted = await post(rig, path, { body: json });
  assert.equal(posted.status, 200);
  return posted;
}

for (const [name, way] of Object.entries(WAYS)) {
  Deno.test(`a log that a user pastes is shortened, given back and sent again, in ${name}`, async () => {
    await withProxy(({ text }, n) => {
      const [hash] = hashesIn(text);
      return n === 0
        ? { calls: [ask({ hash, lines: "100-102" })] }
        : { text: "Done." };
    }, async (rig) => {
      const { provider } = rig;
      const first = await say(rig, way, [PASTED]);
      assert.match(first.text, /Done\./);
      assert.doesNotMatch(first.text, /headroom_retrieve/);
      const [asked, answered] = provider.received;
      const sent = saidIn(asked!).at(-1)!;
      assert.ok(sent.length < PASTED.length / 3, `${sent.length}`);
      assert.ok(sent.startsWith(`${WORDS}\n\n\`\`\`log\n`));
      assert.match(sent, /\n```\n\nThanks!\n\[\d+ lines compressed to \d+\./);
      const lines = PASTED.split("\n").slice(99, 102);
      for (const line of lines) {
        assert.ok(answered!.text.includes(JSON.stringify(line).slice(1, -1)));
      }
      await say(rig, way, [PASTED, "Done.", "Go on."]);
      const again = saidIn(provider.received.at(-1)!);
      assert.ok(again.includes(sent));
      // What the model asked for is there again, in front of its answer.
      const { text } = provider.received.at(-1)!;
      const places = ["headroom_retrieve", "original_content", "Go on."]
        .map((word) => text.lastIndexOf(word));
      assert.ok(places[0]! > 0 && places[1]! > 0 && places[2]! > places[1]!);
    });
  });

  Deno.test(`what a user pastes stays where that is switched off, in ${name}`, async () => {
    await withProxy(() => ({ text: "Done." }), async (rig) => {
      const { last } = await say(rig, way, [PASTED]);
      assert.equal(saidIn(last).at(-1), PASTED);
    }, { SVC_COMPRESS_USER_MESSAGES: "off" });
  });
}

Deno.test("an instruction that svc adds stands behind the form of a pasted text, in every request", async () => {
  await withProxy(() => ({ text: "Done." }), async (rig) => {
    const { provider } = rig;
    const way = WAYS["messages"]!;
    await say(rig, way, [PASTED]);
    await say(rig, way, [PASTED, "Done.", "Go on."]);
    const [first, second] = provider.received.map((one) => saidIn(one)[0]!);
    assert.match(first!, /Retrieve more: hash=\w{24}\]\n\nAnswer briefly\./);
    assert.equal(second, first);
    assert.ok(!rig.logged.includes("stage_failed"));
  }, { SVC_OUTPUT_SHAPER: "on", SVC_OUTPUT_HOLDOUT: "0" });
});
