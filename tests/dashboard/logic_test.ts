/** What the page shows and sends, without a browser. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  bytes,
  compact,
  count,
  duration,
  share,
  shareUsd,
  span,
  usd,
  usdTick,
} from "../../dashboard/format.ts";
import { scaleOf } from "../../dashboard/parts/scale.ts";
import { hrefOf, routeOf } from "../../dashboard/route.ts";
import {
  changedValues,
  type Field,
  lockOf,
} from "../../dashboard/settings_form.ts";
import {
  lifetimeOf,
  merged,
  moneyOf,
  runOf,
  spanOf,
} from "../../dashboard/scope.ts";
import { wordDiff } from "../../dashboard/word_diff.ts";
import { MASK } from "../../src/settings/fields.ts";
import { LIFETIME, STATS } from "./canned.ts";
import { someSchema } from "./settings_in_memory.ts";

Deno.test("usd shows two significant digits at least, and a minus before the sign", () => {
  assert.equal(usd(1284.5), "$1,284.50");
  assert.equal(usd(0.44213), "$0.4421");
  assert.equal(usd(0.00123), "$0.0012");
  assert.equal(usd(0.0000004449), "$0.00000044");
  assert.equal(usd(1e-9), "$0.000000001");
  assert.equal(usd(0), "$0.00");
  assert.equal(usd(-0.7221), "\u2212$0.7221");
  assert.equal(usd(undefined), "–");
  assert.equal(usd(null), "unknown");
  assert.deepEqual([0, 0.3, -20, 0.125].map(usdTick), [
    "$0",
    "$0.3",
    "\u2212$20",
    "$0.125",
  ]);
});

Deno.test("usd shows no amount as zero but zero, in nano-dollars", () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (nano) => {
    assert.match(usd(nano / 1e9), /[1-9]/);
  }));
});

Deno.test("figures are written with separators, units and a real minus", () => {
  assert.equal(count(-1284310), "\u22121,284,310");
  assert.equal(compact(1284310), "1.3M");
  assert.deepEqual(
    [812, 999.6, 14_250, 131_500, 999_600, 61_204_118, 1 << 30, 5e12].map(
      bytes,
    ),
    [
      "812 B",
      "1 kB",
      "14.3 kB",
      "132 kB",
      "1 MB",
      "61.2 MB",
      "1.07 GB",
      "5000 GB",
    ],
  );
  assert.deepEqual([2.31, 31.4, 4120.4, 124_000].map(duration), [
    "2.3 ms",
    "31 ms",
    "4.12 s",
    "2 min 4 s",
  ]);
  assert.deepEqual([0, 59, 8042, 90_061].map(span), [
    "0 s",
    "59 s",
    "2 h 14 min",
    "1 d 1 h",
  ]);
});

Deno.test("share rounds exact numbers once, and calls neither little nothing nor nearly all all", () => {
  assert.equal(share(3995, 10_000), "40.0%");
  // In two decimals it is 39.95: rounded again it would be one tenth too much.
  assert.equal(share(399_460, 1_000_000), "39.9%");
  assert.equal(share(-31, 1000), "\u22123.1%");
  assert.equal(share(0, 7), "0.0%");
  assert.equal(share(7, 7), "100.0%");
  assert.equal(share(1, 1_000_000), "~0%");
  assert.equal(share(-1, 1_000_000), "~0%");
  assert.equal(share(999_999, 1_000_000), "~100%");
  assert.equal(share(3, 0), "–");
  assert.equal(share(undefined, 5), "–");
  assert.equal(shareUsd(1.4751495, 4.45), "33.1%");
  assert.equal(shareUsd(1.475175, 4.45), "33.2%");
  assert.equal(shareUsd(null, 4.45), "–");
});

Deno.test("moneyOf knows nothing where requests without a price are all that cost", () => {
  const sums = { net: 0, gross: 0, cost: 0 };
  assert.equal(moneyOf({ ...sums, unpriced: 0 }).without, 0);
  const none = { net: null, gross: null, cost: null, without: null };
  assert.deepEqual(moneyOf({ ...sums, unpriced: 3 }), { ...none, unpriced: 3 });
  assert.deepEqual(moneyOf({ ...none, unpriced: 3 }), { ...none, unpriced: 3 });
  const some = moneyOf({ net: 0.5, gross: 2, cost: 1.5, unpriced: 3 });
  assert.deepEqual(some, {
    net: 0.5,
    gross: 2,
    cost: 1.5,
    without: 2,
    unpriced: 3,
  });
});

Deno.test("routeOf reads what hrefOf writes, and opens the settings at their own path", () => {
  fc.assert(fc.property(fc.string({ minLength: 1 }), (detail) => {
    fc.pre(detail.isWellFormed());
    const filter = { conversation: detail, problems: true };
    const route = routeOf(hrefOf("feed", detail, filter), "/dashboard");
    assert.deepEqual(route, { section: "feed", detail, filter });
  }));
  const at = (hash: string, path: string) => routeOf(hash, path).section;
  assert.equal(at("", "/dashboard"), "overview");
  assert.equal(at("", "/dashboard/settings"), "settings");
  assert.equal(at("#/health", "/dashboard/settings"), "health");
  assert.equal(at("#/constructor", "/dashboard"), "overview");
  assert.deepEqual(routeOf("#/feed/%zz?problems=0", "/"), {
    section: "feed",
    detail: "",
    filter: {},
  });
});

Deno.test("scaleOf holds zero and all values between its outer ticks", () => {
  const values = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }));
  fc.assert(fc.property(values, (all) => {
    const { ticks, place } = scaleOf(all, 0.01);
    assert(ticks.includes(0));
    assert(ticks.length >= 2 && ticks.length <= 8, `${ticks.length} ticks`);
    for (const value of [0, ...all]) {
      assert(place(value) >= -1e-9 && place(value) <= 1 + 1e-9);
    }
  }));
  assert.deepEqual(scaleOf([0, 0], 1).ticks, [0, 1]);
});

Deno.test("merged makes one of scopes with the same figures, and leaves others", () => {
  const run = { title: "This run", aside: "a", scope: runOf(STATS) };
  const lifetime = {
    title: "Lifetime",
    aside: "c",
    scope: lifetimeOf(LIFETIME),
  };
  const titles = (...scopes: Parameters<typeof merged>[0]) =>
    merged(scopes).map(({ title }) => title);
  // A sum of dollars that was added up in another order.
  const same = { ...run.scope, net: run.scope.net! + 1e-12, refused: 2 };
  const week = { title: "Last 7 days", aside: "b", scope: same };
  assert.deepEqual(titles(run, week, { ...lifetime, scope: run.scope }), [
    "This run, last 7 days and lifetime",
  ]);
  assert.deepEqual(titles(run, week, lifetime), [
    "This run and last 7 days",
    "Lifetime",
  ]);
  const other = { ...week, scope: { ...same, requests: 1 } };
  assert.equal(titles(run, other, lifetime).length, 3);
  // What is not known yet is not the same.
  const unknown = { title: "x", aside: "", scope: undefined };
  assert.equal(titles(unknown, unknown).length, 2);
  // Requests that were refused are shown where one of them knows their number.
  assert.equal(merged([run, week])[0]?.scope?.refused, 2);
});

Deno.test("spanOf has what would have been sent without svc", () => {
  const sums = STATS.savings.per_model!["claude-haiku-4-5"]!;
  const { saved, before, net } = spanOf({ total: { ...sums, refused: 1 } });
  assert.deepEqual([saved, before, net], [1_102_701, 5_012_703, 0.4421]);
});

Deno.test("wordDiff gives back both texts", () => {
  const text = fc.array(
    fc.constantFrom("a", "b", " ", "\n", "word", "ok 1\n", "\u{1f600}"),
    { maxLength: 60 },
  ).map((parts) => parts.join(""));
  fc.assert(fc.property(text, text, (original, form) => {
    const pieces = wordDiff(original, form);
    assert(pieces !== undefined);
    const without = (kind: string) =>
      pieces.filter((piece) => piece.kind !== kind)
        .map((piece) => piece.text).join("");
    assert.equal(without("added"), original);
    assert.equal(without("removed"), form);
  }));
});

Deno.test("wordDiff marks the words of a line that differ, and whole lines that have little in common", () => {
  assert.deepEqual(wordDiff("the old cart\n", "the new cart\n"), [
    { kind: "same", text: "the " },
    { kind: "removed", text: "old" },
    { kind: "added", text: "new" },
    { kind: "same", text: " cart\n" },
  ]);
  assert.deepEqual(wordDiff("ok 1 first\nok 2 second\n", "[2 lines]\n"), [
    { kind: "removed", text: "ok 1 first\nok 2 second\n" },
    { kind: "added", text: "[2 lines]\n" },
  ]);
});

Deno.test("wordDiff finds the line that a shorter one was made of", () => {
  const lines = Array.from(
    { length: 40 },
    (_, n) => `08:00 INFO worker-${n % 8} job ${18_000 + n} done`,
  );
  const form = [
    "(line starts: ~{1} is 08:00 INFO worker-{1} job)",
    "~0 18000 done",
    "[38 lines omitted]",
    "~7 18039 done",
  ].join("\n");
  const pieces = wordDiff(lines.join("\n"), form) ?? [];
  const textsOf = (kind: string) =>
    pieces.filter((piece) => piece.kind === kind).map(({ text }) => text);
  // Its first line has words of all lines in it, and is none of them.
  assert.deepEqual(textsOf("added").filter((text) => text.length > 2), [
    "(line starts: ~{1} is 08:00 INFO worker-{1} job)\n",
    "[38 lines omitted]\n",
  ]);
  assert(textsOf("removed").some((text) => text.includes("18001 done\n")));
  assert(textsOf("same").includes("18039 done"));
});

Deno.test("wordDiff stays quick, however much two texts differ", () => {
  const line = (i: number) => `${i * 7919 % 1000} a b c d ${i}\n`;
  const texts = [1, 3].map((n) =>
    Array.from({ length: 20_000 }, (_, i) => line(i * n + n)).join("")
  );
  // That it ends at all is the test: without bounds it would take minutes.
  const pieces = wordDiff(texts[0]!, texts[1]!);
  assert(pieces === undefined || pieces.length > 0);
});

/** A field of the real registry. */
function field(key: string): Field {
  const found = someSchema().fields.find((one) => one.key === key);
  assert(found !== undefined, key);
  return found;
}

Deno.test("changedValues sends what differs from what is stored, as its type", () => {
  const fields = someSchema().fields;
  assert.deepEqual(
    changedValues(fields, {
      mode: "cache",
      lossless: "true",
      budget: "12.5",
      rpm: "60",
      budget_period: "daily",
    }),
    { mode: "cache", lossless: true, budget: 12.5, rpm: 60 },
  );
  // The server says what is wrong with it.
  assert.deepEqual(changedValues(fields, { rpm: "many" }), { rpm: "many" });
  assert.deepEqual(changedValues(fields, { budget: "" }), { budget: null });
  assert.deepEqual(changedValues(fields, { mode: null, lossless: null }), {
    mode: null,
  });
});

Deno.test("changedValues leaves a masked secret where it is, and sends one that was typed", () => {
  const secret = someSchema().fields.find(({ secret, stored }) =>
    secret && stored !== null
  );
  assert(secret !== undefined);
  assert.deepEqual(changedValues([secret], { [secret.key]: MASK }), {});
  const typed = '{"x-key":"other"}';
  assert.deepEqual(changedValues([secret], { [secret.key]: typed }), {
    [secret.key]: typed,
  });
});

Deno.test("lockOf says what stands in the way of a change", () => {
  assert.equal(lockOf(field("mode")), undefined);
  assert.equal(lockOf(field("port")), "Set by the environment (SVC_PORT)");
  assert.equal(lockOf(field("stateless")), "Set on the command line");
  assert.equal(lockOf(field("target_ratio")), "Not in this version");
});
