import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { DeferredTool } from "../../src/pipeline/added_tools.ts";
import { findTools } from "../../src/pipeline/tool_search.ts";
import { toolArrays } from "../conformance/tool_arrays.ts";

const utf8 = new TextEncoder();
const pause = () => Promise.resolve();

/** A body that is these definitions, and where they stand. */
function place(tools: Readonly<Record<string, string>>) {
  let body = "é[";
  const definitions = new Map<string, DeferredTool>();
  for (const [name, json] of Object.entries(tools)) {
    const start = utf8.encode(body).length;
    body += json;
    const span = { start, end: utf8.encode(body).length };
    definitions.set(name, { span, saved: span });
    body += ", ";
  }
  return { body: utf8.encode(body), definitions };
}

async function search(
  tools: Readonly<Record<string, string>>,
  query: string,
) {
  const { body, definitions } = place(tools);
  const { loads, ...found } = await findTools(
    body,
    { definitions, listed: ["Bash", ...definitions.keys()], pause },
    query,
  );
  for (const { name, definition } of loads ?? []) {
    assert.equal(definition, tools[name]);
  }
  return { ...found, ...loads && { loads: loads.map(({ name }) => name) } };
}

/** A definition with a description and names of parameters. */
function define(
  name: string,
  description: string,
  parameters: readonly string[] = [],
): readonly [string, string] {
  const properties = Object.fromEntries(
    parameters.map((key) => [key, { type: "string" }]),
  );
  const input_schema = { type: "object", properties };
  return [name, JSON.stringify({ name, description, input_schema })];
}

const TOOLS = Object.fromEntries([
  define("mcp__github__create_issue", "Opens a ticket in a repository.", [
    "repo",
    "title",
  ]),
  define("mcp__github__list_pulls", "Gives open pull requests.", ["repo"]),
  define("mcp__db__query", "Runs a statement against the warehouse.", ["sql"]),
  define("sendMessage", "Posts to a channel.", ["channelId", "text"]),
  define("TaskCreate", "Makes a task."),
  define("TaskList", "Gives all tasks."),
  define("mcp__mail__übersetze", "Überträgt Briefe in andere Sprachen."),
]);

const found = async (query: string) => (await search(TOOLS, query)).loads ?? [];

Deno.test("findTools finds a tool by its exact name, in any case, also in a sentence", async () => {
  for (const name of Object.keys(TOOLS).slice(0, 6)) {
    assert.deepEqual(await found(name), [name]);
    assert.deepEqual(await found(name.toUpperCase()), [name]);
    assert.deepEqual(await found(`please load "${name}", now`), [name]);
  }
});

Deno.test("findTools takes a list of names, in its order and each once, and says nothing beside them", async () => {
  for (const start of ["select:", "SELECT:", ""]) {
    assert.deepEqual(
      await search(TOOLS, `${start}TaskList,TaskCreate, TaskList,Unknown`),
      { content: "", loads: ["TaskList", "TaskCreate"] },
    );
  }
});

Deno.test("findTools finds tools by words of names, descriptions and parameters, the best first", async () => {
  const best = async (query: string) => (await found(query))[0];
  assert.equal(await best("create issue"), "mcp__github__create_issue");
  assert.equal(await best("ticket repository"), "mcp__github__create_issue");
  assert.equal(await best("pull requests"), "mcp__github__list_pulls");
  assert.equal(await best("warehouse"), "mcp__db__query");
  assert.equal(await best("sql"), "mcp__db__query");
  assert.equal(await best("channel id"), "sendMessage");
  assert.equal(await best("Sprachen"), "mcp__mail__übersetze");
});

Deno.test("findTools goes by names before descriptions, and by these before parameters", async () => {
  const tools = Object.fromEntries([
    define("third", "Some words.", ["invoice"]),
    define("second", "Some invoice."),
    define("invoice_first", "Some words."),
  ]);
  const { loads } = await search(tools, "an invoice, please");
  assert.deepEqual(loads?.slice(0, 2), ["invoice_first", "second"]);
});

Deno.test("findTools takes names apart at capitals, and words for each other that begin alike", async () => {
  assert.equal((await found("send a message"))[0], "sendMessage");
  assert.equal((await found("messages"))[0], "sendMessage");
  assert.equal((await found("issues"))[0], "mcp__github__create_issue");
});

Deno.test("findTools loads five at most, and none that fits far worse than the best", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => define(`tool_${i}`, "Makes a plan.")),
  );
  assert.equal((await search(many, "plan")).loads!.length, 5);
  const names = Object.keys(many).join(" ");
  assert.equal((await search(many, names)).loads!.length, 5);
  const one = { ...many, ...Object.fromEntries([define("zebra", "Stripes.")]) };
  assert.deepEqual((await search(one, "zebra")).loads, ["zebra"]);
  assert.deepEqual((await search(one, "stripes plan")).loads, ["zebra"]);
});

Deno.test("findTools says that nothing fits, with the names that there are", async () => {
  for (const query of ["", "   ", "zzzz qqqq", "¿?", "\ud800"]) {
    const { content, loads } = await search(TOOLS, query);
    assert.equal(loads, undefined, query);
    assert.deepEqual(JSON.parse(content), {
      found: 0,
      tools: Object.keys(TOOLS),
    });
  }
  const many = Object.fromEntries(
    Array.from({ length: 127 }, (_, i) => define(`t${i}x`, "")),
  );
  const { content } = await search(many, "nothing");
  assert.equal(JSON.parse(content).tools.length, 100);
});

Deno.test("findTools reads the beginning of a long query", async () => {
  assert.deepEqual(
    await found(`TaskList ${"x ".repeat(5000)}`),
    ["TaskList"],
  );
  assert.deepEqual(await found(`${"q ".repeat(5000)}TaskList`), []);
});

Deno.test("findTools finds hostile definitions by their names", async () => {
  const hostile = {
    none: '{"name":"none"}',
    bare: '{"name":"bare","input_schema":null,"description":null}',
    list: '{"name":"list","input_schema":[1],"description":["x"]}',
    flat: '{"name":"flat","input_schema":{"properties":"x"}}',
    __proto__x: '{"name":"__proto__x","input_schema":{"properties":null}}',
    constructor: '{"name":"constructor","description":"constructor"}',
    toString: '{"name":"toString","input_schema":{"properties":[]}}',
  };
  for (const name of Object.keys(hostile)) {
    assert.deepEqual((await search(hostile, name)).loads, [name]);
  }
  // Some word of it, not the whole name.
  const words: readonly string[] = (await search(hostile, "string")).loads!;
  assert.deepEqual(words, ["toString"]);
  assert.equal((await search(hostile, "what")).loads, undefined);
});

Deno.test("findTools finds nothing where nothing is deferred", async () => {
  assert.deepEqual(await search({}, "Shell"), {
    content: '{"found":0,"tools":[]}',
  });
});

Deno.test("findTools loads only tools that are there, each once, and the same again", async () => {
  const query = fc.string({ unit: "binary", maxLength: 700 });
  await fc.assert(fc.asyncProperty(toolArrays, query, async (array, query) => {
    const tools = Object.fromEntries(
      array.tools.map((tool) => [String(tool["name"]), JSON.stringify(tool)]),
    );
    const first = await search(tools, query);
    assert.deepEqual(await search(tools, query), first);
    const { loads = [], content } = first;
    assert(loads.every((name) => name in tools));
    assert.equal(new Set(loads).size, loads.length);
    assert(loads.length <= 5);
    assert.equal(content === "", loads.length > 0);
  }));
});

Deno.test("findTools says of a tool that is there that it is there", async () => {
  for (const query of ["Bash", "select:bash", "select:Bash,TaskList"]) {
    assert.deepEqual(await search(TOOLS, query), {
      content: '{"listed_already":["Bash"]}',
    });
  }
});
