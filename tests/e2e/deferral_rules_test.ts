/** Who gets deferred tools, what becomes of them at a host that refuses something, and of an answer that cannot go on. */
import assert from "node:assert/strict";
import {
  type Asked,
  brokenBySvc,
  deferredIn,
  fine,
  refusal,
  send,
  tool,
  toolsIn,
} from "./asked.ts";
import { MCP_TOOLS } from "./many_tools.ts";
import { type Rig, withProxy } from "./proxy.ts";
import { find } from "./retrieval_talk.ts";
import type { Script } from "./scripted_provider.ts";
import type { Reply } from "./scripted_wires.ts";
import { messagesSdk } from "./sdk_clients.ts";
import type { Received } from "./upstream.ts";

/** Definitions are compared as a whole: breakpoints of ours would stand in one of them. */
const ON = { SVC_TOOL_DEFERRAL: "on", SVC_AUTO_CACHE: "0" };
const TOOLS = [tool("Bash"), ...MCP_TOOLS];
const NAMES = MCP_TOOLS.map(({ name }) => name);
const [ISSUE] = NAMES;

/** Asks with all tools. */
const ask = (rig: Pick<Rig, "url" | "provider">, asked: Asked) =>
  send(rig, { ...asked, members: { tools: TOOLS, ...asked.members } });
/** What stands behind the client's tools. */
const ownIn = (request: Received) =>
  toolsIn(request).slice(TOOLS.length).map(({ name }) => name);

/** Takes no request with a definition that is deferred; says why, or nothing. */
const picky = (why: string): Script => (request) =>
  deferredIn(request).length > 0 ? refusal(400, why) : { text: "fine" };
const named = picky(
  "tools.1.custom.defer_loading: Extra inputs are not permitted",
);

for (const headers of [{}, { "x-svc-session-id": "s" }]) {
  const where = "x-svc-session-id" in headers ? "in one session" : "in none";

  Deno.test(`a provider that takes no deferred definition gets the request as it came, and other conversations only the retrieval tool: ${where}`, () =>
    withProxy(picky("no"), async (rig) => {
      const first = { question: "one?", headers };
      const { sent: [refused, plain, ...more] } = await ask(rig, first);
      assert.deepEqual(deferredIn(refused!), NAMES);
      assert.deepEqual(more, []);
      assert.deepEqual(toolsIn(plain!), TOOLS);
      const { sent: later } = await ask(rig, { ...first, turns: 1 });
      assert.deepEqual(later.map(toolsIn), [TOOLS]);
      for (const turns of [0, 1]) {
        const { sent } = await ask(rig, { question: "two?", headers, turns });
        assert.deepEqual(sent.map(ownIn), [["headroom_retrieve"]]);
        assert.deepEqual(sent.map(deferredIn), [[]]);
      }
    }, ON));
}

Deno.test("by default nothing is deferred at a provider that is not known to take it", () =>
  withProxy(fine, async (rig) => {
    const { sent } = await ask(rig, { question: "q?" });
    assert.deepEqual(sent.map(deferredIn), [[]]);
    assert.deepEqual(sent.map(ownIn), [["headroom_retrieve"]]);
  }));

Deno.test("a host that refuses deferred definitions in mid-conversation gets all of them, then and later", () => {
  const script: Script = (request, n) =>
    request.text.includes("So 0.") ? named(request, n) : fine(request, n);
  return withProxy(script, async (rig) => {
    for (const turns of [0, 1, 2]) await ask(rig, { question: "q?", turns });
    const counts = rig.provider.received.map((one) => deferredIn(one).length);
    assert.deepEqual(counts, [NAMES.length, NAMES.length, 0, 0]);
    assert.equal(await brokenBySvc(rig.url), 0);
  }, ON);
});

Deno.test("a host that takes deferred definitions, but not what loads them, gets all of them with the client's next try", () => {
  const script: Script = (request) =>
    request.text.includes('"tool_reference"')
      ? refusal(400, "tool_reference is not a known type")
      : deferredIn(request).length > 0
      ? { calls: [find(ISSUE)] }
      : { text: "fine" };
  return withProxy(script, async (rig) => {
    const question = "q?";
    await assert.rejects(
      ask(rig, { question }),
      /400.*tool_reference is not a known type/,
    );
    assert.deepEqual(deferredIn((await ask(rig, { question })).last), []);
  }, ON);
});

/** Another model for conversations of one, which the host does not know. */
const ROUTED = {
  ...ON,
  SVC_MODEL_ROUTER: "1",
  SVC_MODEL_ROUTES: '[{"from_models":["claude-opus*"],"to_model":"nope"}]',
};
const OPUS = { model: "claude-opus-4-1", tools: TOOLS };
const noSuchModel: Script = ({ json }) =>
  json!["model"] === "nope"
    ? refusal(404, "model: nope", "not_found_error")
    : { text: "fine" };

Deno.test("a conversation whose other model is refused goes on with the tools that the client's model got", () =>
  withProxy(noSuchModel, async (rig) => {
    for (const turns of [0, 1, 2]) {
      await ask(rig, { question: "q?", turns, members: OPUS });
    }
    const [refused, ...taken] = rig.provider.received;
    assert.equal(refused!.json!["model"], "nope");
    assert.deepEqual(
      taken.map(({ json }) => json!["model"]),
      [OPUS.model, OPUS.model, OPUS.model],
    );
    for (const one of taken) {
      assert.deepEqual(toolsIn(one), toolsIn(refused!));
    }
    assert.equal(await brokenBySvc(rig.url), 0);
  }, ROUTED));

Deno.test("a host that refuses deferral and the other model is asked for neither in the next conversation", () => {
  const script: Script = (request, n) =>
    deferredIn(request).length > 0
      ? named(request, n)
      : noSuchModel(request, n);
  return withProxy(script, async (rig) => {
    const asked = (question: string) => ask(rig, { question, members: OPUS });
    await asked("first?");
    const second = await asked("second?");
    const third = await asked("third?");
    // The client's model has not been asked without deferral before.
    assert(second.sent.length + third.sent.length <= 3);
    assert.equal(third.last.json!["model"], OPUS.model);
    assert.deepEqual(deferredIn(third.last), []);
  }, ROUTED);
});

/** Looks for a tool, and is content with what it finds. */
const searching: Script = ({ text }) =>
  text.includes("tool_result") ? { text: "fine" } : { calls: [find(ISSUE)] };

Deno.test("a forced tool that was found before keeps the search in its place", () =>
  withProxy(searching, async (rig) => {
    const question = "q?";
    const { seen } = await ask(rig, { question });
    const { last } = await ask(rig, {
      question,
      said: [...seen.elements, messagesSdk.user("now")],
      members: { tool_choice: { type: "tool", name: ISSUE } },
    });
    assert.match(last.text, /tool_use_id/);
    assert.equal(await brokenBySvc(rig.url), 0);
  }, ON));

Deno.test("tokens are counted for the prompt with what is deferred and what was found", () =>
  withProxy(searching, async (rig) => {
    const { seen, sent } = await ask(rig, { question: "q?" });
    const messages = [
      messagesSdk.user("q?"),
      ...seen.elements,
      messagesSdk.user("And?"),
    ];
    const response = await fetch(`${rig.url}/v1/messages/count_tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "claude-sonnet-5",
        tools: TOOLS,
        messages,
      }),
    });
    await response.body?.cancel();
    const counted = rig.provider.received.at(-1)!;
    assert.match(counted.path, /count_tokens/);
    assert.deepEqual(toolsIn(counted), toolsIn(sent[0]!));
    assert.match(counted.text, /"tool_reference"/);
  }, ON));

for (const streaming of [false, true]) {
  const how = streaming ? "stream" : "document";

  Deno.test(`an answer that only searches must speak after the fourth time, and is an error if it still does not: ${how}`, async () => {
    const searches = (letters: string, text?: string): Reply[] =>
      [...letters].map((letter) => ({
        ...text === undefined ? {} : { text },
        calls: [find(`select:${NAMES[letter.charCodeAt(0) - 97]}`)],
      }));
    let replies: Reply[] = [];
    const script: Script = () => replies.shift() ?? { text: "fine" };
    const any = { type: "any" };
    await withProxy(script, async (rig) => {
      for (
        const [text, members, kept] of [
          [undefined, {}, undefined],
          ["Hm. ", {}, undefined],
          [undefined, { tool_choice: any }, any],
        ] as const
      ) {
        replies = searches("abcd", text);
        const question = `q ${text} ${JSON.stringify(members)}?`;
        const { seen, sent } = await ask(rig, { question, streaming, members });
        assert.equal(seen.text, `${(text ?? "").repeat(4)}fine`);
        assert.equal(seen.stop, "end_turn");
        assert.deepEqual(seen.calls, []);
        // What was found is to be used: the round before the last may call tools as well.
        assert.deepEqual(
          sent.map(({ json }) => json!["tool_choice"]),
          [kept, kept, kept, kept, { type: "none" }],
        );
      }
      replies = searches("abcde");
      await assert.rejects(
        ask(rig, { question: "silent?", streaming }),
        (error: Error) =>
          /again and again/.test(error.message) &&
          !/original|retriev/.test(error.message),
      );
      replies = searches("abcde", "Hm. ");
      const { seen } = await ask(rig, { question: "not silent?", streaming });
      assert.equal(seen.text, "Hm. ".repeat(5));
      const { seen: next } = await ask(rig, { question: "next?", streaming });
      assert.equal(next.text, "fine");
    }, ON);
  });
}
