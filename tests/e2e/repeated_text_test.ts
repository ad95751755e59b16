/** References to repeated text, on real ports: what the provider gets of an agent that reads a file again. */
import assert from "node:assert/strict";
import { decodeLiteral } from "../../src/bytes/json_string.ts";
import {
  bodyOf,
  type Call,
  type ClientFormat,
  CLIENTS,
  type Conversation,
} from "../conformance/conversation.ts";
import { FORMATS } from "../pipeline/harness.ts";
import { expanded } from "../pipeline/repeated_conversations.ts";
import { post, type Rig, withProxy } from "./proxy.ts";

const file = Array.from(
  { length: 400 },
  (_, i) => `  const field${i} = readField(${i * 37 % 101}, options.strict);`,
);
const edited = file.with(199, "  const limit = 12;");
const numbered = (lines: readonly string[]) =>
  lines.map((line, i) => `${`${i + 1}`.padStart(6)}→${line}`).join("\n");
const FAILING = "FAILED parser/reads_numbers: expected 12 but got 13";
/** Too irregular to be shortened as a log. */
const run = (total: number) =>
  [
    "Compiling the parser and its tests with the strict options of the project",
    "Checking that no generated source differs from what is committed in the tree",
    "Linking everything that changed since the last successful build of the parser",
    FAILING,
    "The report of this run is written to build/reports/parser/index.html as usual",
    "Coverage of changed lines is above the threshold that the team agreed upon",
    "Caches of the compiler are kept for the next run, remove them with make clean",
    `ran ${total} tests`,
  ].join("\n");

const call = (
  id: string,
  tool: string,
  args: Call["args"],
  result: string,
): Call => ({ id, tool, args, result });
const FILE = { file_path: "src/a.ts" };

/** Reads, edits, reads again; runs the tests twice. */
const TALK: Conversation = {
  question: "Set the limit.",
  steps: [
    call("r1", "Read", FILE, numbered(file)),
    call("e1", "Edit", { ...FILE, new_string: "limit = 12" }, "Edited."),
    call("r2", "Read", FILE, numbered(edited)),
    call("t1", "Bash", { command: "make test" }, run(7)),
    call("e2", "Edit", { ...FILE, new_string: "limit = 13" }, "Edited."),
    call("t2", "Bash", { command: "make test" }, run(8)),
  ].map((one) => ({ calls: [one] })),
};

/** Sends the first `n` steps; gives what the provider got. */
async function send(rig: Rig, client: ClientFormat, n: number) {
  const body = bodyOf(client, TALK, n);
  const { status, text, last } = await post(rig, client.path, { body });
  assert.equal(status, 200, text);
  const sent = last.body;
  const format = FORMATS[client.id]!;
  const { blocks, messages } = format.scan(sent);
  const decoder = new TextDecoder();
  return {
    body,
    sent,
    blocks,
    texts: blocks.map(({ span }) => decodeLiteral(sent, span)!),
    elements: messages.map(({ start, end }) =>
      decoder.decode(sent.subarray(start, end))
    ),
  };
}

const ON = { SVC_DEDUPE: "1", SVC_AUTO_CACHE: "0" };

for (const client of CLIENTS) {
  Deno.test(`a file that is read again shows what changed, and a test that fails again fails in plain sight, in ${client.id}`, () =>
    withProxy(() => ({ text: "fine" }), async (rig) => {
      let before: readonly string[] = [];
      let last = await send(rig, client, 0);
      for (let n = 1; n <= TALK.steps.length; n++) {
        last = await send(rig, client, n);
        assert.deepEqual(last.elements.slice(0, before.length), before);
        before = last.elements;
      }
      const [, , again = "", , , tests = ""] = last.texts;
      assert(again.split("\n").includes("   200→  const limit = 12;"), again);
      assert(again.length < numbered(edited).length / 20, again);
      assert(tests.split("\n").includes(FAILING), tests);
      assert.match(tests, /^… lines 1-3 are unchanged since the last result/);
      for (const i of [2, 5]) {
        const { start } = last.blocks[i]!.span;
        const { result } = TALK.steps[i]!.calls[0]!;
        assert(typeof result === "string");
        assert.equal(
          expanded(FORMATS[client.id]!, last.sent, { start, style: result }),
          result,
        );
      }
      const stats = await (await fetch(`${rig.url}/stats`)).text();
      assert.match(stats, /"dedupe"/);
    }, ON));
}

Deno.test("references go on when SVC_DEDUPE is turned off, and new results get none", () =>
  withProxy(() => ({ text: "fine" }), async (rig) => {
    const [client] = CLIENTS as [ClientFormat];
    for (let n = 0; n <= 3; n++) await send(rig, client, n);
    const on = await send(rig, client, 4);
    await rig.reload({
      ...ON,
      SVC_DEDUPE: "0",
      MSG_TARGET_API_URL: rig.provider.url,
    });
    await send(rig, client, 5);
    const off = await send(rig, client, 6);
    assert.deepEqual(off.texts.slice(0, 4), on.texts);
    assert.match(off.texts[2]!, /are unchanged since/);
    assert.doesNotMatch(off.texts[5]!, /are unchanged since/);
  }, ON));
