import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readTools } from "../../src/bytes/tool_definitions.ts";
import {
  isRetrievalWorthIt,
  residentTools,
} from "../../src/pipeline/tool_deferral.ts";
import type { ToolHabit } from "../../src/pipeline/tool_habits.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { responsesFormat } from "../../src/providers/responses/format.ts";
import { toolArrays } from "../conformance/tool_arrays.ts";

const MESSAGES = {
  deferral: messagesFormat.retrieval.deferral!,
  promptCache: messagesFormat.promptCache,
};

/** A definition of some `bytes`. */
function tool(name: string, bytes = 2000, members: object = {}): string {
  const json = JSON.stringify({ ...members, name, description: "" });
  const filler = "x".repeat(Math.max(0, bytes - json.length));
  return JSON.stringify({ ...members, name, description: filler });
}

/** Names of a server's tools of which nothing is known. */
const mcp = (n: number, bytes?: number) =>
  Array.from({ length: n }, (_, i) => tool(`mcp__srv__act_${i}`, bytes));

/** Names that stay. */
function resident(
  definitions: readonly string[],
  { bodyBytes, uses = {} }: {
    readonly bodyBytes?: number;
    readonly uses?: Readonly<Record<string, Partial<ToolHabit>>>;
  } = {},
) {
  const body = new TextEncoder().encode(`[${definitions.join(",")}]`);
  return residentTools({
    tools: readTools(body, { start: 0, end: body.length }),
    bodyBytes: bodyBytes ?? body.length,
    ...MESSAGES,
    habits: new Map(
      Object.entries(uses).map(([name, habit]) =>
        [name, { offered: 0, used: 0, tried: 0, saved: 0, ...habit }] as const
      ),
    ),
  });
}

const CORE = ["Bash", "Read", "Edit", "Write", "Grep"].map((name) =>
  tool(name)
);

Deno.test("residentTools keeps what every agent uses, and defers a server's many tools", () => {
  assert.deepEqual(
    resident([...mcp(30), ...CORE]),
    ["Bash", "Read", "Edit", "Write", "Grep"],
  );
});

Deno.test("residentTools knows tools under a server's prefix and in other spellings", () => {
  const names = [
    ...["mcp__fs__read_file", "fs.read-file", "server/readFile", "fs:ReadFile"],
    ...["functions.exec_command", "run_terminal_cmd", "str_replace_editor"],
  ];
  const all = [...mcp(30), ...names.map((name) => tool(name))];
  assert.deepEqual(resident(all), names);
});

Deno.test("residentTools leaves a few tools with few tokens alone, and defers either many or large ones", () => {
  const rare = (n: number, bytes: number) =>
    resident(
      Array.from({ length: n }, (_, i) => tool(`s${i}__workflow`, bytes)),
    );
  assert.equal(rare(11, 1440), undefined);
  assert.deepEqual(rare(12, 1440), []);
  assert.deepEqual(rare(11, 1460), []);
});

Deno.test("residentTools defers nothing where a search tool would be worth more than it saves", () => {
  // Of 12 tools, all but one or two stay: 2400 bytes are 600 tokens.
  const held = ["bash", "read", "edit", "write", "grep", "glob"].flatMap(
    (name) => [tool(name), tool(`srv__${name}`)],
  );
  assert.equal(resident([...held, tool("TodoRead", 2300)]), undefined);
  assert.notEqual(resident([...held, tool("TodoRead", 2500)]), undefined);
});

Deno.test("residentTools keeps small definitions: to search for them costs more", () => {
  const small = Array.from({ length: 10 }, (_, i) => tool(`small_${i}`, 60));
  const names = resident([...mcp(20), ...small])!;
  assert.equal(names.length, 10);
  assert(names.every((name) => name.startsWith("small_")));
});

Deno.test("residentTools keeps more in a longer prompt: each search reads it once more", () => {
  const all = mcp(30, 1200);
  const count = (bodyBytes: number) => resident(all, { bodyBytes })?.length;
  assert.equal(count(40_000), 0);
  assert.equal(count(4_000_000), undefined);
});

Deno.test("residentTools goes by what conversations used, once there are some", () => {
  const all = [...mcp(30), ...CORE];
  const uses = {
    mcp__srv__act_7: { offered: 20, used: 18 },
    Grep: { offered: 200, used: 0 },
    Bash: { offered: 1, used: 0 },
  };
  assert.deepEqual(
    resident(all, { uses }),
    ["mcp__srv__act_7", "Bash", "Read", "Edit", "Write"],
  );
});

Deno.test("residentTools leaves a client alone that loads definitions on demand itself", () => {
  const own = [
    tool("mcp__srv__late", 500, { defer_loading: true }),
    tool("ToolSearch"),
    tool("tool_search_tool_regex", 100, {
      type: "tool_search_tool_regex_20251119",
    }),
    tool("x", 100, { type: "tool_search_tool_bm25_20251119" }),
  ];
  for (const one of own) {
    assert.equal(resident([...mcp(30), one]), undefined, one.slice(0, 60));
  }
});

Deno.test("residentTools keeps the provider's own tools, and those that the client wants loaded", () => {
  const kept = [
    tool("web_search", 2000, { type: "web_search_20250305" }),
    tool("mcp__srv__now", 2000, { defer_loading: false }),
    '{"type":"mcp_toolset","mcp_server_name":"srv"}',
  ];
  const late = tool("mcp__srv__late", 2000, { type: "custom" });
  assert.deepEqual(
    resident([...kept, ...mcp(30), late]),
    ["web_search", "mcp__srv__now", ""],
  );
});

Deno.test("residentTools keeps the retrieval tool of a client, under any prefix", () => {
  const alias = "mcp__svc__headroom_retrieve";
  assert.deepEqual(resident([...mcp(30), tool(alias)]), [alias]);
});

Deno.test("residentTools depends on nothing but its input, and names only tools of it, in their order", () => {
  fc.assert(fc.property(toolArrays, fc.nat(3_000_000), (array, bodyBytes) => {
    const { tools, text } = array;
    const definitions = readDefinitions(text);
    const names = residentTools({
      tools: definitions,
      bodyBytes,
      habits: new Map(),
      ...MESSAGES,
    });
    if (names === undefined) return;
    const all = tools.map(({ name }) => name);
    assert.deepEqual(names, all.filter((name) => names.includes(`${name}`)));
    for (const { name, type = "custom", defer_loading } of tools) {
      assert.notEqual(defer_loading, true);
      if (type !== "custom" || defer_loading === false) {
        assert(names.includes(`${name}`));
      }
    }
  }));
});

function readDefinitions(array: string) {
  const body = new TextEncoder().encode(array);
  return readTools(body, { start: 0, end: body.length });
}

Deno.test("isRetrievalWorthIt goes by what tools print, and then by what was left out of it", () => {
  const none = new Map<string, ToolHabit>();
  const habit = (tried: number, saved: number): ToolHabit => ({
    offered: tried,
    used: tried,
    tried,
    saved,
  });
  assert.equal(isRetrievalWorthIt(["Bash", "Edit"], none), true);
  assert.equal(isRetrievalWorthIt(["get_weather"], none), true);
  assert.equal(isRetrievalWorthIt(["Edit", "Write", "TodoWrite"], none), false);
  const vain = new Map([["Bash", habit(30, 0)]]);
  assert.equal(isRetrievalWorthIt(["Bash", "Edit"], vain), false);
  assert.equal(isRetrievalWorthIt(["Bash", "query"], vain), true);
  const rich = new Map([["Edit", habit(30, 30_000)]]);
  assert.equal(isRetrievalWorthIt(["Edit"], rich), true);
});

Deno.test("residentTools counts the schema alone where name and description stay, and defers nothing beside names of the provider", () => {
  const own = (name: string, schema: number, description: number) =>
    JSON.stringify({
      type: "function",
      name,
      description: "x".repeat(description),
      parameters: { type: "object", $comment: "y".repeat(schema) },
    });
  const residentOf = (definitions: readonly string[]) => {
    const body = new TextEncoder().encode(`[${definitions.join(",")}]`);
    return residentTools({
      tools: readTools(body, { start: 0, end: body.length }),
      bodyBytes: body.length,
      habits: new Map(),
      deferral: responsesFormat.retrieval.deferral!,
      promptCache: responsesFormat.promptCache,
    });
  };
  const many = (schema: number, description: number) =>
    Array.from({ length: 30 }, (_, i) => own(`act_${i}`, schema, description));
  assert.deepEqual(residentOf(many(2000, 10)), []);
  assert.equal(residentOf(many(10, 2000)), undefined);
  assert.equal(
    residentOf([...many(2000, 10), own("file_search", 9, 9)]),
    undefined,
  );
  assert.equal(residentOf([...many(2000, 10), own("a.b", 9, 9)]), undefined);
});
