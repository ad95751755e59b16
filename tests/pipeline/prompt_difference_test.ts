import assert from "node:assert/strict";
import {
  comparePrompts,
  elementIndex,
  type Prompt,
} from "../../src/pipeline/prompt_difference.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";

/** The prompt of a body whose members stand in their order. */
function prompt(body: string, knownStarts = true): Prompt {
  const bytes = new TextEncoder().encode(body);
  const { prompt: members, messages } = messagesFormat.scan(bytes);
  return {
    bytes,
    members,
    starts: knownStarts
      ? Uint32Array.from(messages, ({ start }) => start)
      : new Uint32Array(0),
    hasAllStarts: knownStarts,
  };
}

const message = (text: string) => `{"role":"user","content":"${text}"}`;
const body = (...texts: readonly string[]) =>
  `{"system":"s","messages":[${texts.map(message).join()}]}`;

/** The texts at which the last members part. */
function parts(before: string, now: string, knownStarts?: boolean) {
  const compared = comparePrompts({
    before: prompt(before, knownStarts),
    now: prompt(now, knownStarts),
  });
  const { difference, end } = compared.at(-1)!;
  return difference
    ? [before.slice(difference.before), now.slice(difference.now)]
    : now.slice(end);
}

Deno.test("comparePrompts takes a conversation that was added to for the same, and says where it goes on", () => {
  assert.equal(parts(body("a", "b"), body("a", "b")), "]}");
  assert.equal(parts(body("a"), body("a", "b")), `,${message("b")}]}`);
  assert.equal(parts(body(), body("a")), `${message("a")}]}`);
  const spaced = body("a", "b").replaceAll(",", " , ").replace("]", "\n]");
  assert.equal(parts(spaced, body("a", "b", "c")), `,${message("c")}]}`);
  assert.equal(parts(body("a", "b"), spaced), "\n]}");
});

Deno.test("comparePrompts finds the first byte that differs, with element starts or without", () => {
  for (const known of [true, false]) {
    assert.deepEqual(
      parts(body("a", "bcd", "e"), body("a", "bxd", "e"), known),
      [`cd"},${message("e")}]}`, `xd"},${message("e")}]}`],
    );
    assert.deepEqual(
      parts(body("a", "b"), body("a"), known),
      [`${message("b")}]}`, "]}"],
    );
  }
});

Deno.test("comparePrompts goes on behind marks in any number of elements", () => {
  const marked = (...texts: readonly string[]) =>
    `{"system":"s","messages":[${
      texts.map((text) =>
        message(text).replace(
          '"}',
          '","cache_control":{"type":"ephemeral"}}',
        )
      )
        .join()
    }]}`;
  assert.equal(
    parts(marked("a", "b", "c"), body("a", "b", "c", "d")),
    `,${message("d")}]}`,
  );
  assert.deepEqual(
    parts(marked("a", "b", "c"), body("a", "b", "x"))[1],
    'x"}]}',
  );
});

Deno.test("comparePrompts tells members that are gone from those that are new", () => {
  const bare = '{"messages":[]}';
  const full = '{"tools":[{"name":"t"}],"system":"s","messages":[]}';
  const differences = (before: string, now: string) =>
    comparePrompts({ before: prompt(before), now: prompt(now) })
      .map(({ name, span, difference }) => [
        name,
        span.end - span.start,
        difference && [difference.before, difference.now],
      ]);
  assert.deepEqual(differences(full, bare), [
    ["tools", 14, [9, -1]],
    ["system", 3, [33, -1]],
    ["messages", 2, undefined],
  ]);
  assert.deepEqual(differences(bare, full), [
    ["tools", 0, [-1, 9]],
    ["system", 0, [-1, 33]],
    ["messages", 2, undefined],
  ]);
});

Deno.test("elementIndex counts elements where their starts are known and where they are not", () => {
  const text = body("a", "b", "c");
  for (const known of [true, false]) {
    const one = prompt(text, known);
    const index = (part: string) => elementIndex(one, text.indexOf(part));
    assert.deepEqual(
      ['"a"', message("b"), '"c"'].map(index),
      [0, 1, 2],
      `${known}`,
    );
  }
});
