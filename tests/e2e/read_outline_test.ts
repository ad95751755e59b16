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
import { post, withProxy } from "./proxy.ts";

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
const TALK: Conversation = {
  question: "What does the router do?",
  steps: [
    { args: READ, result: FILE },
    { args: READ, result: FILE },
    { args: { ...READ, offset: "1", limit: "400" }, result: CHANGED },
    { args: READ, result: CHANGED },
    { args: READ, result: CHANGED },
    { args: READ, result: numbered(`${router}\n// TODO: more\n`) },
  ].map(({ args, result }, i) => ({
    calls: [{ id: `call_${i}`, tool: "Read", args, result }],
  })),
};

/** The results in the last request of `talk`, as the model gets them, after as many requests as it has steps. */
async function resultsFor(
  client: ClientFormat,
  env: Record<string, string>,
  talk = TALK,
): Promise<readonly string[]> {
  let results: readonly string[] = [];
  await withProxy(() => ({ text: "fine" }), async (rig) => {
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
  }, env);
  return results;
}

const isOutline = (text: string) =>
  text.includes(HEAD) && /Retrieve more: hash=/.test(text);

for (const client of CLIENTS) {
  Deno.test(`a file that is read whole is an outline once per version: ${client.id}`, async () => {
    const results = await resultsFor(client, ON);
    assert.deepEqual(results.map(isOutline), [
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
    assert.ok(results[2]!.includes("literal: encodeLiteral(sealed),"));
    assert.match(results[0]!, /^\d+-\d+ export function makeRouter\(/m);
    assert.match(results[5]!, /1 with TODO, FIXME or the like/);
  });

  Deno.test(`a file that is read whole stays where outlines are off: ${client.id}`, async () => {
    for (
      const env of [
        {},
        { SVC_INTERCEPT_TOOL_RESULTS: "1" },
        { SVC_ROLLOUT_CHANNEL: "canary" },
        { ...ON, SVC_DISABLE_FEATURES: "intercept_tool_results" },
        { ...ON, SVC_INTERCEPT_READ_MIN_CHARS: "1000000" },
        { ...ON, SVC_CODE_AWARE_ENABLED: "0" },
        { ...ON, SVC_LOSSLESS: "1" },
        { ...ON, SVC_TOOL_POLICY: "Read=lossless" },
      ] as Record<string, string>[]
    ) {
      const results = await resultsFor(client, env);
      assert.ok(!results.some(isOutline), JSON.stringify(env));
    }
  });
}
