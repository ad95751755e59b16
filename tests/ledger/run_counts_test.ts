import assert from "node:assert/strict";
import type { LedgerTask } from "../../src/ledger/channel.ts";
import type { RunState } from "../../src/ledger/reads.ts";
import { RunCounts } from "../../src/ledger/run_counts.ts";
import { bookOf, givenOf, sumsOfTasks } from "./counted.ts";
import { FORM, RECORD, RETRIEVAL } from "./samples.ts";

const book = (id: string) => bookOf({ ...RECORD, id });

function scene() {
  const state = {
    run: { resets: 0, sums: undefined } as RunState,
    written: [] as string[],
    forms: [] as string[],
    unwritten: [] as LedgerTask[],
    fails: false,
  };
  const counts = new RunCounts({
    reads: {
      run: () => state.run,
      has: (_, id) => state.written.includes(id),
      hasForm: (_, key) => state.forms.includes(key),
      snapshot: (read) => read(),
    },
    run: "r",
    unwritten: () => state.unwritten,
    attempt: (read) => state.fails ? undefined : read(),
  });
  const total = () => counts.sums().of("all").requests ?? 0;
  return { state, counts, total };
}

Deno.test("RunCounts has what is in the database and what is on its way, each once, however often it is asked", () => {
  const { state, total } = scene();
  state.run = { resets: 0, sums: JSON.stringify(sumsOfTasks([book("a")])) };
  state.written = ["a"];
  state.unwritten = [book("a"), book("b")];
  assert.deepEqual([total(), total()], [2, 2]);
  // What it last read holds while the database fails.
  state.fails = true;
  state.unwritten = [book("b"), book("c")];
  assert.deepEqual([total(), total()], [3, 3]);
});

Deno.test("RunCounts begins behind the last reset that is on its way", () => {
  const { state, counts, total } = scene();
  state.run = { resets: 0, sums: JSON.stringify(sumsOfTasks([book("a")])) };
  state.forms = [FORM.key];
  state.unwritten = [book("b"), { type: "reset" }];
  assert.equal(total(), 0);
  state.unwritten.push(bookOf({ ...RECORD, id: "c", forms: [FORM] }));
  assert.equal(total(), 1);
  assert.equal(counts.sums().of("form_tool", "Bash").forms, 1);
});

Deno.test("RunCounts counts a form that is in the database no more, and what was given back of it", () => {
  const { state, counts } = scene();
  state.forms = [FORM.key, FORM.entry];
  state.unwritten = [
    bookOf({ ...RECORD, forms: [FORM] }),
    givenOf({ ...RETRIEVAL, tokens: 5 }),
  ];
  assert.deepEqual(counts.sums().of("form_tool", "Bash"), {
    asked_for: 1,
    tokens_given_back: 5,
  });
});

Deno.test("RunCounts.fresh gives forms once that were sent with success, and again after a reset of any process", () => {
  const { state, counts } = scene();
  const fresh = (status = 200) =>
    counts.fresh({ ...RECORD, status, forms: [FORM] }).length;
  assert.deepEqual([fresh(529), fresh(), fresh()], [0, 1, 0]);
  counts.forget();
  assert.deepEqual([fresh(), fresh()], [1, 0]);
  state.run = { resets: 1, sums: undefined };
  counts.sums();
  assert.deepEqual([fresh(), fresh()], [1, 0]);
});
