import assert from "node:assert/strict";
import type {
  PipelineEdit,
  PipelineExtension,
} from "../../src/core/pipeline_event.ts";
import { runExtension } from "../../src/extensions/run_extension.ts";

const MESSAGES = [
  { role: "user", content: "Hi" },
  {
    role: "assistant",
    content: [{ type: "text", text: "a" }, { type: "tool_use", id: "t" }],
  },
];

/** Runs an extension after those that made these edits. */
const run = (extension: unknown, made: readonly PipelineEdit[] = []) =>
  runExtension(extension as PipelineExtension, {
    format: "messages",
    model: "m",
    messages: JSON.stringify(MESSAGES),
    made,
  });

const edit = (text: string, ...path: (string | number)[]) => ({ path, text });

Deno.test("runExtension hands over the event, with the edits of those before it", async () => {
  const events: unknown[] = [];
  const { edits, failures } = await run(
    async (event: unknown) => {
      events.push(event);
      return await Promise.resolve([edit("Ho", "messages", 0, "content")]);
    },
    [edit("b", "messages", 1, "content", 0, "text")],
  );
  const [user, assistant] = structuredClone(MESSAGES);
  (assistant!.content[0] as { text: string }).text = "b";
  assert.deepEqual(events, [{
    stage: "PRE_SEND",
    format: "messages",
    model: "m",
    messages: [user, assistant],
  }]);
  assert.deepEqual(edits, [edit("Ho", "messages", 0, "content")]);
  assert.deepEqual(failures, []);
});

Deno.test("runExtension takes nothing of what an extension changes in its copy, nor more of an edit than path and text", async () => {
  const { edits } = await run(
    ({ messages }: { messages: { content: string }[] }) => {
      messages[0]!.content = "changed in place";
      return [{ ...edit("1", "messages", 0, "content"), more: () => {} }];
    },
  );
  assert.deepEqual(edits, [edit("1", "messages", 0, "content")]);
});

Deno.test("runExtension has no edits of one that throws, and not its message", async () => {
  const throws = () => {
    throw new RangeError("a secret");
  };
  for (
    const [extension, failure] of [
      [throws, "it threw RangeError"],
      [() => Promise.reject("a secret"), "it threw string"],
    ]
  ) assert.deepEqual(await run(extension), { edits: [], failures: [failure] });
});

Deno.test("runExtension takes edits of texts only", async () => {
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
  const good = edit("x", "messages", 0, "content");
  const { edits, failures } = await run(() => [
    ...paths.map((path) => ({ path, text: "x" })),
    good,
  ]);
  assert.deepEqual(edits, [good]);
  assert.deepEqual(failures, [
    "the path of an edit leads to no text of the event",
  ]);
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
    const { edits, failures } = await run(() => answer);
    assert.deepEqual(edits, []);
    assert.match(failures[0]!, /^its answer is no list/);
  }
});
