/** Extensions of the pipeline: their edits in what leaves, in every format, and never another byte. */
import assert from "node:assert/strict";
import {
  bodyOf,
  CLIENTS,
  type Conversation,
  messagesClient,
} from "../conformance/conversation.ts";
import { post, type Rig, withProxy } from "./proxy.ts";
import { tempDir } from "../temp_dir.ts";
import { LOG } from "./agent.ts";

/** Replaces a secret in every text of a message. */
const REDACT = `
const texts = (value, path) =>
  typeof value === "string"
    ? value.includes("hunter2") ? [{ path, text: value.replaceAll("hunter2", "***") }] : []
    : typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
      texts(inner, [...path, Array.isArray(value) ? Number(key) : key]))
    : [];
let shown = 0;
export const pipelineExtension = ({ stage, messages }) => {
  if (stage !== "PRE_SEND" || ++shown > 100) throw new Error("asked again and again");
  return messages.flatMap((message, i) => texts(message, ["messages", i]));
};
`;

const TALK: Conversation = {
  question: "The password is hunter2 — why does it fail?",
  steps: [
    { tool: "Bash", args: { command: "cat log" }, result: `hunter2\n${LOG}` },
    { tool: "Bash", args: { command: "echo hunter2" }, result: "hunter2" },
    { tool: "Grep", args: { pattern: "é" }, result: "nothing" },
  ].map((call, i) => ({ calls: [{ id: `call_${i}`, ...call }] })),
};

/** Appends another number to each text that it is shown. */
const COUNT = `
let n = 0;
const edit = (text, ...path) =>
  typeof text === "string" ? [{ path: ["messages", ...path], text: text + " #" + n++ }] : [];
export const pipelineExtension = ({ messages }) =>
  messages.flatMap(({ content }, i) =>
    Array.isArray(content)
      ? edit(content[0].text, i, "content", 0, "text")
      : edit(content, i, "content"));
`;

/** Runs `test` against a proxy with the extensions, of which only `redact` is named, a workspace and what else `env` says. */
async function withExtension(
  test: (rig: Rig) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using temp = await tempDir();
  const workspace = temp.path;
  const plugins = `${workspace}/plugins`;
  await Deno.mkdir(`${plugins}/redact`, { recursive: true });
  await Deno.writeTextFile(`${plugins}/redact/mod.js`, REDACT);
  await Deno.writeTextFile(`${plugins}/count.js`, COUNT);
  await withProxy(() => ({ text: "fine" }), test, {
    SVC_STATELESS: "false",
    SVC_WORKSPACE_DIR: workspace,
    SVC_PROXY_EXTENSIONS: "redact",
    SVC_CACHE_ENABLED: "0",
    ...env,
  });
}

for (const client of CLIENTS) {
  const send = async (
    rig: Rig,
    n: number,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const body = bodyOf(client, TALK, n);
    const { status, text, last } = await post(rig, client.path, {
      ...{ body, headers },
    });
    assert.equal(status, 200, text);
    return last;
  };

  Deno.test(`an extension's edits leave in every request of a conversation, before anything is compressed: ${client.id}`, () =>
    withExtension(async (rig) => {
      let before = "";
      for (let n = 0; n <= TALK.steps.length; n++) {
        const { text, json } = await send(rig, n);
        assert.ok(!text.includes("hunter2"), `request ${n}`);
        const said = JSON.stringify(json?.[client.array]).slice(0, -1);
        assert.ok(said.startsWith(before), `request ${n} changes a message`);
        before = said;
      }
      assert.match(before, /Retrieve more: hash=/, "it is compressed");
      const stats = await (await fetch(`${rig.url}/stats`)).json();
      assert.equal(stats.prefix_stability.ours, 0);
      assert.ok(!rig.logged.includes("extension_failed"));
    }));

  Deno.test(`an extension's edits are the same under another session, and under none: ${client.id}`, () =>
    withExtension(async (rig) => {
      const said = async (n: number, headers?: Record<string, string>) =>
        JSON.stringify((await send(rig, n, headers)).json?.[client.array])
          .slice(0, -1);
      const first = await said(2, { "x-claude-code-session-id": "a" });
      assert.ok(/fail\? #\d+"/.test(first));
      assert.equal(await said(2, { "x-claude-code-session-id": "b" }), first);
      assert.ok((await said(3)).startsWith(first));
    }, { SVC_PROXY_EXTENSIONS: "count" }));

  Deno.test(`a request that bypasses svc is shown to no extension: ${client.id}`, () =>
    withExtension(async (rig) => {
      const { body } = await send(rig, 2, { "x-svc-bypass": "true" });
      assert.deepEqual(body, bodyOf(client, TALK, 2));
    }));
}

Deno.test("an extension is not asked where requests go as they came, nor loaded where only a flag names extensions", async () => {
  const body = bodyOf(messagesClient, TALK, 1);
  const send = async (rig: Rig) =>
    (await post(rig, messagesClient.path, { body })).last;
  await withExtension(async (rig) => {
    assert.deepEqual((await send(rig)).body, body);
  }, { SVC_OPTIMIZE: "0" });
  await withExtension(async (rig) => {
    assert.ok((await send(rig)).text.includes("hunter2"));
    assert.ok(rig.logged.includes("extension_not_loaded"));
  }, { SVC_STATELESS: "true" });
});
