import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readTools } from "../../src/bytes/tool_definitions.ts";
import { splice } from "../../src/bytes/splice.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { NO_TOOL_EDITS, ToolEditor } from "../../src/pipeline/added_tools.ts";
import { pinnedText } from "../../src/pipeline/pinned.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { type Tool, toolArrays } from "../conformance/tool_arrays.ts";
import { mayDefer } from "../../src/pipeline/deferred_marks.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
const { definition, deferral } = messagesFormat.retrieval;
const { searchDefinition } = deferral!;
const OWN = [definition, searchDefinition];

/** What is pinned to a conversation. */
const pinnedTools = (
  definitions: readonly string[],
  resident?: readonly string[],
) => pinnedText({ definitions, ...resident && { resident } })!;

/** A request with this tool array. */
function requestWith(array: string, members = ""): Uint8Array {
  return utf8.encode(
    `{"model":"é", "tools":${array}${members},"messages":[{"role":"user","content":"q"}]}`,
  );
}

/** What an editor makes of a request. */
function edited(
  body: Uint8Array,
  pinned: string,
  editor = new ToolEditor(ccrKey),
) {
  const scan = messagesFormat.scan(body);
  const made = editor.edits(body, scan, { pinned, deferral });
  const bytes = splice(body, made.edits);
  const { tools } = JSON.parse(decoder.decode(bytes)) as {
    readonly tools: readonly Tool[];
  };
  return { ...made, bytes, tools };
}

const marksOf = (tools: readonly Tool[]) =>
  tools.filter((tool) => tool["cache_control"]).length;
const without = ({ defer_loading: _, cache_control: __, ...rest }: Tool) =>
  rest;

/** The resident names that a bit each of `chosen` says. */
function residentOf(tools: readonly Tool[], chosen: number): string[] {
  return tools.flatMap(({ name }, i) => chosen >> i & 1 ? String(name) : []);
}

Deno.test("ToolEditor keeps all bytes but marks: the tools are the client's, and ours stand behind them", () => {
  fc.assert(fc.property(toolArrays, fc.nat(4095), (array, chosen) => {
    const { tools: given, text } = array;
    const resident = residentOf(given, chosen);
    const body = requestWith(text);
    const { edits, bytes, tools, deferred, definitions } = edited(
      body,
      pinnedTools(OWN, resident),
    );
    // Where nothing is deferred there is nothing to search for.
    const own = deferred.size === 0 ? OWN.slice(0, 1) : OWN;
    assert.deepEqual(
      tools.slice(given.length),
      own.map((json) => JSON.parse(json)),
    );
    const ours = tools.slice(0, given.length);
    assert.deepEqual(ours.map(without), given.map(without));
    for (const [i, tool] of ours.entries()) {
      const { name, type = "custom", defer_loading } = given[i]!;
      const isClients = type === "custom" && defer_loading === undefined;
      const isDeferred = isClients && !resident.includes(String(name));
      assert.equal(deferred.has(String(name)), isDeferred);
      assert.equal(tool["defer_loading"], isDeferred || defer_loading);
      assert(!isDeferred || !("cache_control" in tool));
    }
    assert(marksOf(tools) <= marksOf(given), "there are more marks");
    // What is taken out is a whole mark; all else is put in.
    for (const { span: { start, end } } of edits) {
      const gone = decoder.decode(body.subarray(start, end));
      if (gone === "") continue;
      assert.deepEqual(
        Object.keys(JSON.parse(`{${gone}}`)),
        ["cache_control"],
      );
    }
    const kept = splice(
      body,
      edits.map(({ span }) => ({ span, replacement: new Uint8Array(0) })),
    );
    assertWithin(kept, bytes);
    assert.deepEqual([...definitions.keys()], [...deferred]);
    for (const [name, { span, saved }] of definitions) {
      const { start, end } = span;
      const json = decoder.decode(body.subarray(start, end));
      assert.equal(JSON.parse(json).name, name);
      assert.deepEqual(saved, { ...span, id: `tool:${ccrKey(json)}` });
    }
  }));
});

/** Asserts that `inner` is `outer` with bytes taken out. */
function assertWithin(inner: Uint8Array, outer: Uint8Array): void {
  let at = 0;
  for (const byte of outer) if (byte === inner[at]) at++;
  assert.equal(at, inner.length);
}

Deno.test("ToolEditor moves the last cache mark to the last definition that stays", () => {
  fc.assert(fc.property(toolArrays, fc.nat(4095), (array, chosen) => {
    const { tools: given, text } = array;
    const pinned = pinnedTools(OWN, residentOf(given, chosen));
    const { tools, deferred } = edited(requestWith(text), pinned);
    const isGone = ({ name }: Tool) => deferred.has(String(name));
    const marked = given.findLast((tool) => tool["cache_control"]);
    const last = tools.slice(0, given.length).findLast((tool) =>
      tool["defer_loading"] !== true
    );
    if (marked === undefined || !isGone(marked) || last === undefined) return;
    const { cache_control } = given.find(({ name }) => name === last["name"])!;
    assert.deepEqual(
      last["cache_control"],
      cache_control ?? marked["cache_control"],
    );
  }));
});

Deno.test("ToolEditor adds a cache mark only where the last one is on a definition that goes", () => {
  const mark = '"cache_control":{"type":"ephemeral"}';
  const markedIn = (array: string) =>
    edited(requestWith(array), pinnedTools(OWN, ["a", "b"])).tools
      .map((tool) => "cache_control" in tool);
  const none = [false, false];
  assert.deepEqual(
    markedIn(`[{"name":"a",${mark}},{"name":"b"},{"name":"c"}]`),
    [true, false, false, ...none],
  );
  assert.deepEqual(
    markedIn(`[{"name":"a"},{"name":"b"},{"name":"c",${mark}}]`),
    [false, true, false, ...none],
  );
});

Deno.test("ToolEditor gives the same for arrays that it knows as one that knows none, wherever they stand", () => {
  const arrays = fc.array(toolArrays, { minLength: 1, maxLength: 3 });
  fc.assert(fc.property(arrays, fc.nat(4095), (arrays, chosen) => {
    const editor = new ToolEditor(ccrKey);
    for (const _ of [1, 2]) {
      for (const [i, { tools, text }] of arrays.entries()) {
        const pinned = pinnedTools(OWN, residentOf(tools, chosen));
        for (const members of ["", `,"x":"${"é".repeat(i)}"`]) {
          const body = requestWith(text, members);
          assert.deepEqual(edited(body, pinned, editor), edited(body, pinned));
        }
        const other = edited(requestWith(text), pinnedTools(OWN), editor);
        assert.equal(other.deferred.size, 0);
      }
    }
  }));
});

Deno.test("ToolEditor keeps no view of a body: one that is written over changes nothing that it knows", () => {
  const editor = new ToolEditor(ccrKey);
  const pinned = pinnedTools(OWN, ["a"]);
  const body = requestWith('[{"name":"a"},{"name":"b"}]');
  edited(body, pinned, editor);
  const other = requestWith('[{"name":"b"},{"name":"a"}]');
  const again = body.slice();
  body.set(other);
  for (const one of [again, other]) {
    const { bytes } = edited(one, pinned);
    assert.deepEqual(edited(one, pinned, editor).bytes, bytes);
  }
});

Deno.test("ToolEditor forgets arrays, but not what it does with them", () => {
  const editor = new ToolEditor(ccrKey);
  const pinned = pinnedTools(OWN, ["t0"]);
  const bodies = Array.from(
    { length: 40 },
    (_, i) => requestWith(`[{"name":"t${i}"},{"name":"u"}]`),
  );
  const first = bodies.map((body) => edited(body, pinned, editor).bytes);
  const second = bodies.map((body) => edited(body, pinned, editor).bytes);
  assert.deepEqual(second, first);
});

Deno.test("ToolEditor keeps the definition of a tool that must be called, and defers it where it need not be", () => {
  const editor = new ToolEditor(ccrKey);
  const pinned = pinnedTools(OWN, ["a"]);
  const array = '[{"name":"a"},{"name":"b"},{"name":"c"}]';
  const deferredWith = (choice: string) => [
    ...edited(requestWith(array, choice), pinned, editor).deferred,
  ];
  const force = ',"tool_choice":{"type":"tool","name":"c"}';
  assert.deepEqual(deferredWith(force), ["b"]);
  for (const choice of ["", ',"tool_choice":{"type":"any"}']) {
    assert.deepEqual(deferredWith(choice), ["b", "c"]);
  }
  assert.deepEqual(deferredWith(',"tool_choice":null'), ["b", "c"]);
});

Deno.test("ToolEditor adds definitions alone where nothing is deferred, and nothing to a request without tools", () => {
  const body = requestWith('[{"name":"a"} ]');
  const scan = messagesFormat.scan(body);
  const editor = new ToolEditor(ccrKey);
  const { edits, deferred } = editor.edits(body, scan, {
    pinned: definition,
    deferral,
  });
  const [edit, ...others] = edits;
  assert.deepEqual(others, []);
  assert.equal(decoder.decode(edit!.replacement), `,${definition}`);
  assert.equal(edit!.span.start, scan.tools!.span.end - 1);
  assert.equal(edit!.span.end, scan.tools!.span.end - 1);
  assert.equal(deferred.size, 0);
  const none = { ...scan, tools: undefined };
  assert.equal(
    editor.edits(body, none, { pinned: definition, deferral }),
    NO_TOOL_EDITS,
  );
});

Deno.test("mayDefer takes tools of the client that say nothing of loading", () => {
  const may = (json: string) => {
    const body = utf8.encode(`[${json}]`);
    const [tool] = readTools(body, { start: 0, end: body.length });
    return mayDefer(tool!, deferral!);
  };
  assert.equal(may('{"name":"a"}'), true);
  assert.equal(may('{"name":"a","type":"custom"}'), true);
  assert.equal(may('{"name":"bash","type":"bash_20250124"}'), false);
  assert.equal(may('{"name":"a","defer_loading":true}'), false);
  assert.equal(may('{"name":"a","defer_loading":false}'), false);
  assert.equal(may('{"type":"mcp_toolset"}'), false);
});
