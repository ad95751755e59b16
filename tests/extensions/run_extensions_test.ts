import assert from "node:assert/strict";
import type { PipelineExtension } from "../../src/core/pipeline_event.ts";
import { runExtensions } from "../../src/extensions/run_extensions.ts";

const MESSAGES = [
  { role: "user", content: "Hi" },
  {
    role: "assistant",
    content: [{ type: "text", text: "a" }, { type: "tool_use", id: "t" }],
  },
];

/** Runs extensions of these names in order. */
const run = (extensions: Readonly<Record<string, unknown>>) =>
  runExtensions(
    Object.entries(extensions).map(([name, run]) => ({
      name,
      run: run as PipelineExtension,
    })),
    { format: "messages", model: "m", messages: JSON.stringify(MESSAGES) },
    () => {},
  );

const edit = (text: string, ...path: (string | number)[]) => ({ path, text });

Deno.test("runExtensions hands each the event, with the edits of those before it", async () => {
  const events: unknown[] = [];
  const { edits, failures } = await run({
    first: () => [edit("b", "messages", 1, "content", 0, "text")],
    second: async (event: unknown) => {
      events.push(event);
      return await Promise.resolve([edit("Ho", "messages", 0, "content")]);
    },
    third: () => undefined,
  });
  const [user, assistant] = structuredClone(MESSAGES);
  (assistant!.content[0] as { text: string }).text = "b";
  assert.deepEqual(events, [{
    stage: "PRE_SEND",
    format: "messages",
    model: "m",
    messages: [user, assistant],
  }]);
  assert.deepEqual(edits.map(({ text }) => text), ["b", "Ho"]);
  assert.deepEqual(failures, []);
});

Deno.test("runExtensions takes the last edit of a place, and none of what an extension changes in its copy", async () => {
  const { edits } = await run({
    first: ({ messages }: { messages: { content: string }[] }) => {
      messages[0]!.content = "changed in place";
      return [edit("1", "messages", 0, "content")];
    },
    second: () => [edit("2", "messages", 0, "content")],
  });
  assert.deepEqual(edits, [edit("2", "messages", 0, "content")]);
});

Deno.test("runExtensions drops the edits of one that throws, without its message, and keeps those of others", async () => {
  const { edits, failures } = await run({
    bad: () => {
      throw new RangeError("a secret");
    },
    worse: () => Promise.reject("a secret"),
    good: () => [edit("2", "messages", 0, "content")],
  });
  assert.equal(edits.length, 1);
  assert.deepEqual(failures, [
    { name: "bad", reason: "it threw RangeError" },
    { name: "worse", reason: "it threw string" },
  ]);
});

Deno.test("runExtensions takes edits of texts only", async () => {
  const paths = [
    [],
    ["messages"],
    ["messages", 0],
    ["messages", 0, "role"],
    ["messages", 1, "content"],
    ["messages", 1, "content", 1, "id"],
    ["messages", 1, "content", "0", "text"],
    ["messages", 1, "content", 7, "text"],
    ["messages", 0, "content", "length"],
    ["messages", 0, "__proto__"],
    ["messages", "0", "content"],
    ["messages", -1, "content"],
    ["model"],
  ];
  const { edits, failures } = await run({
    bad: () => paths.map((path) => ({ path, text: "x" })),
  });
  assert.deepEqual(edits, []);
  assert.equal(failures.length, paths.length);
  for (
    const answer of [
      "x",
      {},
      [null],
      [{ path: "messages", text: "x" }],
      [{ path: ["messages", 0, "content"], text: 7 }],
      [{ path: ["messages", {}, "content"], text: "x" }],
      [{ path: ["messages", 0, "content"], text: "\ud800" }],
    ]
  ) {
    const { edits, failures } = await run({ bad: () => answer });
    assert.deepEqual(edits, []);
    assert.match(failures[0]!.reason, /^its answer is no list/);
  }
});
