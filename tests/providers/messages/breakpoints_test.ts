import assert from "node:assert/strict";
import fc from "fast-check";
import { splice } from "../../../src/bytes/splice.ts";
import type { Edit } from "../../../src/core/block.ts";
import { breakpoints } from "../../../src/providers/messages/breakpoints.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";

const utf8 = new TextEncoder();
const MARK = '"cache_control":{"type":"ephemeral"},';
/** Long enough for a prompt to be worth a breakpoint. */
const LONG = "Look before you leap. ".repeat(200);
const text = (text: string) => ({ type: "text", text });
const HELLO = { role: "user", content: [text("hello")] };

/** What is found in a body. */
interface Found {
  readonly body: Uint8Array;
  readonly edits: readonly Edit[];
  /** The body with the breakpoints. */
  readonly sent: string;
}

function find(
  json: string,
  isDeferred: (tool: string) => boolean = () => false,
): Found {
  const body = utf8.encode(json);
  const edits = breakpoints(body, messagesFormat.scan(body), isDeferred);
  return { body, edits, sent: new TextDecoder().decode(splice(body, edits)) };
}

/** A body with these members, and where its breakpoints are. */
function placesIn(
  members: object,
  isDeferred?: (tool: string) => boolean,
): readonly string[] {
  const body = { model: "m", messages: [HELLO], ...members };
  const { sent } = find(JSON.stringify(body), isDeferred);
  return marked(JSON.parse(sent)).toSorted();
}

/** Pointers to the objects that carry a breakpoint. */
function marked(value: unknown, path = ""): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "cache_control" ? [path] : marked(inner, `${path}/${key}`)
  );
}

Deno.test("breakpoints stand at the last part of the system prompt and of the newest message", () => {
  assert.deepEqual(
    placesIn({
      system: [text(LONG), text("rules")],
      tools: [{ name: "Bash", input_schema: {} }],
      messages: [
        HELLO,
        { role: "assistant", content: [text("hi")] },
        { role: "user", content: [text("one"), text("two")] },
      ],
    }),
    ["/messages/2/content/1", "/system/1"],
  );
});

Deno.test("breakpoints stand at the last tool that is not deferred where the system prompt is a string or absent", () => {
  const tools = ["Bash", "Grep", "Read", "Edit"].map((name) => ({
    name,
    input_schema: {},
    ...name === "Edit" ? { defer_loading: true } : {},
  }));
  const isRead = (tool: string) => tool === "Read";
  const long = { role: "user", content: [text(LONG)] };
  // An empty text may carry none.
  for (const system of [LONG, [text("")], undefined]) {
    assert.deepEqual(
      placesIn({ ...system && { system }, tools, messages: [long] }, isRead),
      ["/messages/0/content/0", "/tools/1"],
    );
  }
  assert.deepEqual(placesIn({ system: LONG, tools }, () => true), [
    "/messages/0/content/0",
  ]);
});

Deno.test("breakpoints leave out a tool without members", () => {
  assert.deepEqual(placesIn({ system: LONG, tools: [{ name: "a" }, {}] }), [
    "/messages/0/content/0",
    "/tools/0",
  ]);
  assert.deepEqual(placesIn({ system: LONG, tools: [{}] }), [
    "/messages/0/content/0",
  ]);
});

Deno.test("breakpoints pass over parts that may carry none, and over messages without others", () => {
  const thinking = { type: "thinking", thinking: "hm", signature: "c2ln" };
  const at = (...messages: object[]) =>
    placesIn({ system: LONG, messages: [HELLO, ...messages] });
  const call = { type: "tool_use", id: "t", name: "Bash", input: {} };
  const result = { type: "tool_result", tool_use_id: "t", content: "" };
  const said = (...content: object[]) => ({ role: "assistant", content });
  const told = (...content: object[]) => ({ role: "user", content });
  assert.deepEqual(at(said(text("so"), call)), ["/messages/1/content/1"]);
  assert.deepEqual(at(told(result)), ["/messages/1/content/0"]);
  assert.deepEqual(at(said(text("so"), thinking)), ["/messages/1/content/0"]);
  assert.deepEqual(at(told(result, text(""))), ["/messages/1/content/0"]);
  assert.deepEqual(at(told(result, { type: "text" })), [
    "/messages/1/content/0",
  ]);
  assert.deepEqual(at(said(thinking)), ["/messages/0/content/0"]);
  assert.deepEqual(at({ role: "user", content: "text" }), [
    "/messages/0/content/0",
  ]);
});

Deno.test("breakpoints leave strings as they are", () => {
  assert.deepEqual(
    placesIn({ system: LONG, messages: [{ role: "user", content: LONG }] }),
    [],
  );
});

Deno.test("breakpoints are none where the client sets one, wherever that is", () => {
  const cache_control = { type: "ephemeral" };
  const result = (content: object[], more: object = {}) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t", content, ...more }],
  });
  const bodies: readonly object[] = [
    { cache_control },
    { tools: [{ name: "Bash", cache_control }] },
    { system: [text(LONG), { ...text("rules"), cache_control }] },
    {
      messages: [{ role: "user", content: [{ ...text("a"), cache_control }] }],
    },
    { messages: [result([], { cache_control })] },
    { messages: [result([{ ...text("a"), cache_control }])] },
  ];
  for (const members of bodies) {
    const body = { messages: [HELLO], system: [text(LONG)], ...members };
    assert.deepEqual(find(JSON.stringify(body)).edits, []);
    assert.deepEqual(find(JSON.stringify(body, undefined, 2)).edits, []);
  }
});

Deno.test("breakpoints are set where a text only speaks of the member", () => {
  const told = JSON.stringify({ cache_control: { type: "ephemeral" } });
  for (const word of [told, JSON.stringify(told), "cache_control"]) {
    const content = [{ type: "tool_result", tool_use_id: "t", content: word }];
    const messages = [{ role: "user", content }];
    const body = JSON.stringify({ system: [text(LONG)], messages });
    assert.equal(find(body).edits.length, 2);
  }
});

Deno.test("breakpoints are none in a prompt of less than 4,096 bytes", () => {
  const lengthOf = (bytes: number, more: object = {}) => {
    const body = (fill: string) => ({ messages: [], system: [text(fill)] });
    const { system, messages } = body("");
    const rest = JSON.stringify(system).length +
      JSON.stringify(messages).length;
    const json = { ...body("x".repeat(bytes - rest)), ...more };
    return find(JSON.stringify(json)).edits.length;
  };
  assert.equal(lengthOf(4095), 0);
  assert.equal(lengthOf(4096), 1);
  // What no model reads is no part of the prompt.
  assert.equal(lengthOf(4095, { metadata: { user_id: LONG } }), 0);
});

Deno.test("breakpoints find the client's wherever a search of the text does", () => {
  const piece = fc.constantFrom(
    '"cache_control"',
    "cache_control",
    '"cache_',
    'control"',
    '"',
    "\\",
    "c",
    "_",
    " ",
    ":",
  );
  fc.assert(fc.property(
    fc.array(piece, { maxLength: 12 }),
    fc.constantFrom("", ": ", " :", ":"),
    (pieces, colon) => {
      const key = `${pieces.join("")}${colon}`;
      const json = JSON.stringify({ system: [text(LONG)], messages: [HELLO] });
      const body = utf8.encode(json + key);
      const scan = messagesFormat.scan(utf8.encode(json));
      const isFound = /"cache_control"\s*:/.test(key);
      const { length } = breakpoints(body, scan, () => false);
      assert.equal(length, isFound ? 0 : 2);
    },
  ));
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom("", '"cache_control"', "cache_control", "{", "[{", "\\"),
);
const anyPart = fc.oneof(
  fc.record({ type: fc.constant("text"), text: anyText }),
  fc.record({
    type: fc.constant("thinking"),
    thinking: anyText,
    signature: anyText,
  }),
  fc.record({ type: fc.constant("tool_use"), id: anyText, input: anyJson() }),
  fc.record({
    type: fc.constant("tool_result"),
    tool_use_id: anyText,
    content: fc.oneof(
      anyText,
      fc.array(fc.record({ type: fc.constant("text"), text: anyText })),
    ),
  }),
  fc.record({ type: fc.constantFrom("image", "document", "strange") }),
  fc.record({ text: anyText }),
  fc.constant({}),
);
const anyParts = fc.array(anyPart, { maxLength: 4 });
const anyBody = fc.record({
  model: fc.constant("m"),
  system: fc.oneof(anyText, anyParts),
  tools: fc.array(fc.oneof(
    fc.constant({}),
    fc.record({ name: anyText, input_schema: anyJson() }),
    fc.record({ name: anyText, defer_loading: fc.boolean() }),
  )),
  messages: fc.array(
    fc.record({
      role: fc.constantFrom("user", "assistant"),
      content: fc.oneof(anyText, anyParts),
    }),
    { minLength: 1, maxLength: 4 },
  ),
}, { requiredKeys: ["messages"] });

function anyJson() {
  return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
}

/** Without the members that providers' caches go by. */
function unmarked(json: string): unknown {
  return JSON.parse(
    json,
    (key, value) => key === "cache_control" ? undefined : value,
  );
}

Deno.test("breakpoints are at most two, only insert one member each, and leave the same JSON", () => {
  let set = 0;
  fc.assert(fc.property(
    anyBody,
    fc.constantFrom(0, 2, "\t"),
    fc.func(fc.boolean()),
    (members, indent, isDeferred) => {
      // Long enough, and old enough not to be the newest.
      const long = { role: "user", content: LONG };
      const messages = [long, ...members.messages];
      const json = JSON.stringify({ ...members, messages }, undefined, indent);
      const { edits, sent, body } = find(json, isDeferred);
      assert.ok(edits.length <= 2);
      set += edits.length;
      for (const { span } of edits) {
        assert.equal(span.start, span.end);
        assert.equal(body[span.start - 1], "{".charCodeAt(0));
      }
      assert.equal(marked(JSON.parse(sent)).length, edits.length);
      assert.deepEqual(unmarked(sent), unmarked(json));
      const cut = splice(
        utf8.encode(sent),
        edits.map(({ span: { start } }, i) => ({
          span: {
            start: start + i * MARK.length,
            end: start + (i + 1) * MARK.length,
          },
          replacement: new Uint8Array(),
        })),
      );
      assert.deepEqual(cut, new Uint8Array(body));
    },
  ));
  assert.ok(set > 50, `only ${set} are set`);
});
