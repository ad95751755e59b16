/** Files that are read whole as outlines: once per version, with the file for whoever asks again. */
import assert from "node:assert/strict";
import { decodeLiteral } from "../../src/bytes/json_string.ts";
import router from "../../src/pipeline/router.ts" with { type: "text" };
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
  type Conversation,
} from "../conformance/conversation.ts";
import { FORMATS } from "../pipeline/harness.ts";
import { post, type Rig, withProxy } from "./proxy.ts";

const ON = {
  SVC_INTERCEPT_TOOL_RESULTS: "1",
  SVC_ROLLOUT_CHANNEL: "canary",
};
const HEAD = "Outline of lines 1-";

/** As a client numbers the lines of a file. */
const numbered = (text: string) =>
  text.trimEnd().split("\n").map((line, i) =>
    `${`${i + 1}`.padStart(6)}→${line}`
  ).join("\n");

const FILE = numbered(router);
const CHANGED = numbered(router.replace("const total", "let total"));
const READ = { file_path: "/src/router.ts" };

/** What each step reads, and what comes back. */
const talkAbout = (name: string): Conversation => ({
  question: `What does the router do, ${name}?`,
  steps: [
    { args: READ, result: FILE },
    { args: READ, result: FILE },
    { args: { ...READ, offset: "1", limit: "400" }, result: CHANGED },
    { args: READ, result: CHANGED },
    { args: READ, result: CHANGED },
    { args: READ, result: numbered(`${router}\n// TODO: more\n`) },
  ].map(({ args, result }, i) => ({
    calls: [{ id: `call_${i} ${name}`, tool: "Read", args, result }],
  })),
});

/** The results in the last request of a conversation under these settings, as the model gets them. */
async function resultsFor(
  rig: Rig,
  client: ClientFormat,
  env: Record<string, string>,
): Promise<readonly string[]> {
  await rig.reload({
    MSG_TARGET_API_URL: rig.provider.url,
    CHAT_TARGET_API_URL: rig.provider.url,
    ...env,
  });
  const talk = talkAbout(JSON.stringify(env));
  let results: readonly string[] = [];
  let before = "";
  for (let n = 0; n <= talk.steps.length; n++) {
    const answer = await post(rig, client.path, {
      body: bodyOf(client, talk, n),
    });
    assert.equal(answer.status, 200, answer.text);
    const { body, json } = answer.last;
    const said = JSON.stringify(json![client.array]).slice(0, -1);
    assert.ok(said.startsWith(before), `step ${n} changes what was sent`);
    before = said;
    const { blocks } = FORMATS[client.id]!.scan(body);
    results = blocks.map(({ span }) => decodeLiteral(body, span)!);
  }
  return results;
}

const isOutline = (text: string) =>
  text.includes(HEAD) && /Retrieve more: hash=/.test(text);

/** Settings under which files stay as they are. */
const OFF: readonly Record<string, string>[] = [
  {},
  { SVC_INTERCEPT_TOOL_RESULTS: "1" },
  { SVC_ROLLOUT_CHANNEL: "canary" },
  { ...ON, SVC_DISABLE_FEATURES: "intercept_tool_results" },
  { ...ON, SVC_INTERCEPT_READ_MIN_CHARS: "1000000" },
  { ...ON, SVC_CODE_AWARE_ENABLED: "0" },
  { ...ON, SVC_LOSSLESS: "1" },
  { ...ON, SVC_TOOL_POLICY: "Read=lossless" },
];

for (const client of CLIENTS) {
  Deno.test(`a file that is read whole is an outline once per version, and stays where outlines are off: ${client.id}`, () =>
    withProxy(() => ({ text: "fine" }), async (rig) => {
      for (const env of OFF) {
        const results = await resultsFor(rig, client, env);
        assert.ok(!results.some(isOutline), JSON.stringify(env));
      }
      const results = await resultsFor(rig, client, ON);
      assert.deepEqual(
        results.map(isOutline),
        [true, false, false, true, false, true],
      );
      assert.ok(results[2]!.includes("literal: encodeLiteral(sealed),"));
      assert.match(results[0]!, /^\d+-\d+ export function makeRouter\(/m);
      assert.match(results[5]!, /1 with TODO, FIXME or the like/);
    }));
}
