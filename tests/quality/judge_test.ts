import assert from "node:assert/strict";
import { encodeLiteral } from "../../src/bytes/json_string.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { markerLine } from "../../src/ccr/marker.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { LoadedItem } from "./corpus.ts";
import { jobOf, judge, placeOf } from "./judge.ts";

const text = `${"filler line\n".repeat(40)}needle one\nneedle two`;
const item: LoadedItem = {
  file: "shell/x.txt",
  kind: "shell",
  tool: "Bash",
  args: { command: "make" },
  query: "why?",
  heldOut: false,
  facts: ["needle one", { all: ["needle two", "filler"] }],
  text,
};

function form(kept: string, key = ccrKey(text)): Decision {
  const marker = markerLine({ total: 42, kept: 1, unit: "lines", key });
  return {
    type: "form",
    literal: encodeLiteral(`${kept}\n${marker}`),
    strategy: "log",
    tokensBefore: 100,
    tokensAfter: 40,
    elision: { key, total: 42, kept: 1 },
    looked: { kind: "log", parts: [] },
  };
}

function routerOf(decision: Decision) {
  return {
    decide: () => decision,
    counter: {
      encodingOf: () => "words",
      count: (part: string) => part.split(/\s+/).length,
    },
  };
}

Deno.test("jobOf asks with the user text, then the arguments", () => {
  const job = jobOf(item);
  assert(typeof job === "object");
  assert.equal(job.query, 'why?\n{"command":"make"}');
  assert.deepEqual([job.rule, job.path], ["normal", ""]);
});

Deno.test("jobOf hands on which file was read", () => {
  const job = jobOf({ ...item, tool: "Read", args: { file_path: "/a.ts" } });
  assert(typeof job === "object");
  assert.deepEqual([job.rule, job.path], ["read", "/a.ts"]);
});

Deno.test("jobOf says why a result never reaches the router", () => {
  assert.equal(jobOf({ ...item, tool: "Edit" }), "never_compressed_tool");
  assert.equal(jobOf({ ...item, text: "short" }), "too_small");
});

Deno.test("judge finds each fact inline, recoverable or lost", async () => {
  const places = async (decision: Decision) =>
    (await judge(routerOf(decision), item)).places;
  assert.deepEqual(await places(form("needle one\n… lines 2-9 omitted")), [
    "inline",
    "recoverable",
  ]);
  const elsewhere = form("needle one", ccrKey("another text"));
  assert.deepEqual(await places(elsewhere), ["inline", "lost"]);
});

Deno.test("judge counts a result that was left alone as its original", async () => {
  const decision = { type: "alone", reason: "no_kind" } as const;
  const row = await judge(routerOf(decision), item);
  assert.equal(row.form, text);
  assert.equal(row.after, row.before);
  assert.equal(row.reason, "no_kind");
  assert.deepEqual(row.places, ["inline", "inline"]);
});

Deno.test("placeOf takes a reformatted text for inline and a form without its marker for lost", () => {
  const decision = form("kept");
  assert(decision.type === "form");
  const fact = "needle one";
  const reformatted = { ...decision, elision: undefined };
  assert.equal(
    placeOf(fact, { decision: reformatted, form: "x", text }),
    "inline",
  );
  assert.equal(placeOf(fact, { decision, form: "kept", text }), "lost");
});

Deno.test("placeOf does not look at the width of columns", () => {
  const decision = form("");
  const sent = `needle one\n${
    markerLine({ total: 2, kept: 1, unit: "lines", key: ccrKey(text) })
  }`;
  const place = placeOf("needle    one", { decision, form: sent, text });
  assert.equal(place, "inline");
});
