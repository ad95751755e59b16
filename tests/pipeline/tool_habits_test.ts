import assert from "node:assert/strict";
import { openMemoryStore } from "../../src/ccr/open_store.ts";
import type { ConversationKey } from "../../src/core/store.ts";
import { makeAttempt } from "../../src/pipeline/attempt.ts";
import type { FormedBlock } from "../../src/pipeline/frozen_pass.ts";
import {
  type ShownTools,
  shownTools,
  ToolHabits,
} from "../../src/pipeline/tool_habits.ts";
import { callOf } from "./sent_calls.ts";

const clock = { now: () => 5, monotonic: () => 5 };
const log = () => {};
const shown = (changes: Partial<ShownTools> = {}): ShownTools => ({
  begins: false,
  mayElide: true,
  offered: [],
  used: [],
  saved: new Map(),
  ...changes,
});
const key = (name: string) => name as ConversationKey;

async function withHabits(
  test: (
    open: () => ToolHabits,
    written: () => Promise<void>,
  ) => Promise<void>,
): Promise<void> {
  const store = openMemoryStore({ ttlSeconds: 60, clock, log });
  const attempt = makeAttempt(log);
  await test(
    () => new ToolHabits({ store, attempt, clock }),
    async () => void await store.write({ now: 5 }),
  );
  await store[Symbol.asyncDispose]();
}

Deno.test("ToolHabits counts a conversation once for what it offers and for what it uses, by client", () =>
  withHabits(async (open, written) => {
    const habits = open();
    const begin = shown({ begins: true, offered: ["Bash", "Edit"] });
    habits.note("a", key("1"), begin);
    habits.note("a", key("1"), begin);
    habits.note("a", key("1"), shown({ used: ["Bash", "Bash"] }));
    habits.note("a", key("1"), shown({ used: ["Bash", "Edit"] }));
    habits.note("a", key("2"), { ...begin, mayElide: false });
    habits.note("b", key("3"), shown({ begins: true, offered: ["Bash"] }));
    const expected = {
      Bash: { offered: 2, used: 1, tried: 1, saved: 0 },
      Edit: { offered: 2, used: 1, tried: 1, saved: 0 },
    };
    assert.deepEqual(Object.fromEntries(habits.of("a")), expected);
    for (let i = 0; i < 3; i++) await written();
    assert.deepEqual(Object.fromEntries(habits.of("a")), expected);
    assert.deepEqual(Object.fromEntries(open().of("a")), expected);
    assert.deepEqual(Object.fromEntries(open().of("c")), {});
  }));

Deno.test("ToolHabits adds up what was left out, and takes no old use of a conversation that it meets in the middle", () =>
  withHabits(async (open, written) => {
    const habits = open();
    const saved = new Map([["Bash", 70]]);
    habits.note("a", key("1"), shown({ used: ["Bash"], saved }));
    habits.note("a", key("1"), shown({ used: ["Bash", "Grep"], saved }));
    await written();
    assert.deepEqual(Object.fromEntries(habits.of("a")), {
      Bash: { offered: 0, used: 0, tried: 0, saved: 140 },
      Grep: { offered: 0, used: 1, tried: 0, saved: 0 },
    });
  }));

Deno.test("ToolHabits forgets slowly, and bounds names", () =>
  withHabits(async (open, written) => {
    const habits = open();
    for (let i = 0; i < 250; i++) {
      const offered = ["Bash", "x".repeat(200), ""];
      habits.note("a", key(`${i}`), shown({ begins: true, offered }));
      await written();
    }
    const { Bash, ...rest } = Object.fromEntries(habits.of("a"));
    assert.ok(Bash!.offered >= 100 && Bash!.offered < 200, `${Bash!.offered}`);
    assert.deepEqual(rest, {});
  }));

Deno.test("shownTools adds up what was left out of results, not what was folded or left out of what a user wrote", () => {
  const formed = (block: object, tokensBefore: number, entry?: object) => ({
    block,
    form: { tokensBefore, tokensAfter: 10, entry },
  });
  const decided = [
    formed({ toolName: "Bash" }, 50, {}),
    formed({ toolName: "Bash" }, 30, {}),
    formed({ toolName: "Grep" }, 70),
    formed({ isUserText: true }, 90, {}),
  ] as unknown as FormedBlock[];
  const call = callOf("messages", { messages: [], tools: [{ name: "Bash" }] });
  const { scan, declaration } = call;
  const { saved } = shownTools({ scan: scan!, declaration }, decided)!;
  assert.deepEqual([...saved], [["Bash", 60]]);
});
