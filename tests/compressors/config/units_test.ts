import assert from "node:assert/strict";
import { viewOf } from "../../../src/compressors/config/parse.ts";
import { rowsOf } from "../../../src/compressors/config/alike.ts";
import {
  AGAIN,
  ALIKE,
  COMMENTED,
  COMMON,
  KEPT_BOOKS,
  PACKAGE,
  planOf,
} from "../../../src/compressors/config/plan.ts";
import { unitsOf } from "../../../src/compressors/config/units.ts";
import { STAYS } from "../../../src/engine/choose.ts";
import { contextOf, inputOf } from "../goldens.ts";
import { hostLines } from "./samples.ts";

/** Why each line does not stay. */
function whyOf(text: string): number[] {
  return [...planOf(viewOf(text)).why];
}

Deno.test("planOf keeps the first words and the warnings of a long comment", () => {
  const long = "#\n# one\n# two\n# TODO three\n# four\na:\n  b: c\n";
  assert.deepEqual(whyOf(long), [
    COMMENTED,
    0,
    COMMENTED,
    0,
    COMMENTED,
    0,
    0,
  ]);
  assert.deepEqual(whyOf("# one\n# two\n# three\na: b\n"), [0, 0, 0, 0]);
});

Deno.test("planOf keeps what is set, and warnings above it, of a text that explains each setting", () => {
  const off = (i: number) =>
    `# What option ${i} does.\n#option_${i} = ${i}\n\n`;
  const many = Array.from({ length: 20 }, (_, i) => off(i)).join("");
  const text = `${many}# You must restart.\nport = 5499\n\n${many}`;
  const lines = text.split("\n");
  const kept = whyOf(text).flatMap((why, i) => why === 0 ? [lines[i]] : []);
  assert.deepEqual(kept, ["# You must restart.", "port = 5499"]);
});

/** Settings as a program prints them with where they come from. */
function settings(sign: string, change: Record<number, string> = {}) {
  const values = ["True", "False", "None", "['/etc/a', '/usr/share/b']"];
  return Array.from(
    { length: 120 },
    (_, i) => change[i] ?? `OPTION_${i}${sign} = ${values[i * 7 % 4]}`,
  );
}

Deno.test("planOf leaves out common values of many settings, and keeps rare ones, failures and limits", () => {
  const change = {
    40: "LOG_LEVEL = debug",
    60: "TIMEOUT = 1200",
    80: "LAST_ERROR = connection refused",
  };
  const why = whyOf(settings("", change).join("\n"));
  for (const line of [0, 7, 40, 60, 80, 119]) assert.equal(why[line], 0);
  assert.equal(why.filter((one) => one === COMMON).length, 120 - 8 - 3 - 3);
});

Deno.test("planOf leaves out settings at their default but limits, and keeps those that somebody set", () => {
  const change = {
    40: "COLOR(default) = bright red",
    50: "FORKS(default) = 5",
    60: "PIPELINING(/etc/ansible/ansible.cfg) = True",
    70: "HOST(env: ANSIBLE_HOST) = False",
  };
  const why = whyOf(settings("(default)", change).join("\n"));
  const kept = [...why.keys()].filter((line) => why[line] === 0);
  assert.deepEqual(
    kept.filter((line) => line > 7 && line < 117),
    [50, 60, 70],
  );
});

Deno.test("planOf leaves few settings as they are", () => {
  assert.deepEqual(
    new Set(whyOf(settings("").slice(0, 30).join("\n"))),
    new Set([0]),
  );
});

Deno.test("planOf leaves out the middle of long texts and of encoded data", () => {
  const text = whyOf(`a: |\n${"  some words\n".repeat(12)}b: c\n`);
  assert.equal(text.filter((why) => why !== 0).length, 5);
  const data = whyOf(
    `a: |\n  BEGIN\n${`  ${"aB3".repeat(20)}\n`.repeat(6)}b: c\n`,
  );
  assert.equal(data.filter((why) => why !== 0).length, 5);
});

Deno.test("planOf leaves out bookkeeping", () => {
  const text = "metadata:\n  managedFields:\n  - a: b\n    c: d\n  name: x\n";
  assert.deepEqual(whyOf(text), [0, 0, KEPT_BOOKS, KEPT_BOOKS, 0]);
});

Deno.test("planOf leaves out alike entries but the first and the last, with what is between them", () => {
  const lines = hostLines(20);
  lines.splice(2 + 6 * 10, 0, "  # a remark", "");
  const why = whyOf(lines.join("\n"));
  assert.equal(why.indexOf(ALIKE), 2 + 6 * 5);
  assert.equal(why.lastIndexOf(ALIKE), 2 + 6 * 18 + 2 - 1);
  assert.equal(why.filter((reason) => reason === ALIKE).length, 13 * 6 + 2);
});

Deno.test("planOf keeps entries with other keys, a rare value or a failure", () => {
  const lines = hostLines(40);
  lines[2 + 6 * 12 + 5] = "    enabled: false";
  lines[2 + 6 * 15 + 2] = "    role: failed to start";
  lines.splice(2 + 6 * 18, 0, "  - name: other", "    legacy: true");
  const why = whyOf(lines.join("\n"));
  for (const entry of [12, 15]) assert.equal(why[2 + 6 * entry], 0);
  assert.equal(why[2 + 6 * 18], 0);
  assert.equal(why[2 + 6 * 13], ALIKE);
});

Deno.test("planOf finds blocks again only where they stay", () => {
  const { why, again } = planOf(viewOf(inputOf("config/openapi")));
  let found = 0;
  for (const [line, reason] of why.entries()) {
    if (reason !== AGAIN) continue;
    found++;
    assert.equal(why[again[line]!], 0);
  }
  assert.ok(found > 20);
});

Deno.test("unitsOf keeps a small entry whole and what it is below when a line of it answers", () => {
  const lines = hostLines(100);
  const at = 2 + 6 * 50;
  lines[at + 1] = "    address: gateway.example.org";
  const { weights } = unitsOf(
    viewOf(lines.join("\n")),
    contextOf(true, "which host is the gateway"),
  );
  assert.ok(weights.subarray(at, at + 6).every((weight) => weight === STAYS));
  assert.equal(weights[at + 6], 0);
  assert.equal(weights[1], STAYS);
});

Deno.test("unitsOf keeps packages that are asked for and leaves out the others", () => {
  const input = inputOf("config/cargo_lock");
  const view = viewOf(input);
  const { weights } = unitsOf(view, contextOf(true, "is memchr up to date"));
  const at = input.split("\n").indexOf('name = "memchr"');
  assert.equal(weights[at], STAYS);
  assert.equal(weights[at - 20], 0);
  assert.equal(planOf(view).why[at], PACKAGE);
});

Deno.test("rowsOf gives the lines of an entry", () => {
  const view = viewOf(hostLines(2).join("\n"));
  const entry = view.rows[2]!;
  assert.deepEqual(rowsOf(view, entry).map(({ line }) => line), [
    2,
    3,
    4,
    5,
    6,
    7,
  ]);
});
