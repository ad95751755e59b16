import { fromOpenAI, toOpenAI } from "../../../src/sdk/convert/openai.ts";
import assert from "node:assert/strict";
import { CARRIED, type Group } from "../../../src/sdk/convert/carried.ts";
import {
  type Convert,
  type ConvertContext,
  converted,
} from "../../../src/sdk/convert/convert.ts";

/** Messages with a letter become chat messages; capitals are lost on the way. */
const there: Convert = (messages) =>
  messages.map((source): Group => ({
    source: [source],
    target: [{
      content: String(Reflect.get(Object(source), "say")).toLowerCase(),
    }],
    texts: [],
  }));
/** Two that say `x` become one. */
const back: Convert = (messages) => {
  const said = messages.map((one) =>
    String(Reflect.get(Object(one), "content"))
  );
  return said.flatMap((say, i): Group[] =>
    say === "x" && said[i - 1] === "x"
      ? []
      : [{ source: [messages[i]], target: [{ say }], texts: [] }]
  );
};
const to = { from: "google", to: "openai", there, back } as const;
const from = {
  from: "openai",
  to: "google",
  there: back,
  back: there,
} as const;
const say = (...words: string[]) => words.map((word) => ({ say: word }));

Deno.test("converted lets a message carry its source only where it would be lost", () => {
  const made = converted(say("a", "B", "c"), to);
  assert.deepEqual(made.map((one) => CARRIED in Object(one)), [
    false,
    true,
    false,
  ]);
  assert.deepEqual(converted(made, from), say("a", "B", "c"));
});

Deno.test("converted keeps neighbours apart that would become one on the way back", () => {
  const made = converted(say("a", "x", "x", "x", "b"), to);
  assert.deepEqual(made.map((one) => CARRIED in Object(one)), [
    false,
    false,
    true,
    false,
    false,
  ]);
  assert.deepEqual(converted(made, from), say("a", "x", "x", "x", "b"));
});

Deno.test("converted takes a caller's own member of that name for nothing but a member", () => {
  const own = [{ say: "a", [CARRIED]: "mine" }];
  const made = converted(own, to);
  assert.deepEqual(converted(made, from), own);
});

Deno.test("converted tells converters the names of tools, and where a stretch begins", () => {
  const seen: ConvertContext[] = [];
  const call = { id: "a", function: { name: "read" } };
  const carried = converted(say("B"), to);
  const note: Convert = (messages, context) => {
    seen.push(context);
    return back(messages, context);
  };
  converted(
    [...carried, { content: "a", tool_calls: [call] }],
    { ...from, there: note },
  );
  assert.deepEqual(seen[0], { names: new Map([["a", "read"]]), offset: 1 });
});

Deno.test("a result that is missing, or no object where one belongs, comes back as it was", () => {
  const google = (response: object) => [{
    role: "user",
    parts: [{ functionResponse: { name: "x", ...response } }],
  }];
  const vercel = (result: object) => [{
    role: "tool",
    content: [{
      type: "tool-result",
      toolCallId: "a",
      toolName: "x",
      ...result,
    }],
  }];
  for (const response of [{}, { response: 5 }, { response: "5" }]) {
    const contents = google(response);
    const chat = toOpenAI(contents, "google");
    assert.deepEqual(fromOpenAI(chat, "google"), contents);
  }
  for (const result of [{}, { output: { type: "json" } }]) {
    const messages = vercel(result);
    const chat = toOpenAI(messages, "vercel");
    assert.deepEqual(fromOpenAI(chat, "vercel"), messages);
  }
});
