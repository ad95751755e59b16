/** Notes and markers that say something else than what is left out, and rows that a question names. */
import assert from "node:assert/strict";
import { cutOriginal } from "../../src/compute/open_router.ts";
import type { BlockJob } from "../../src/core/decision.ts";
import { openRouter } from "../../src/compute/open_router.ts";
import { jobOf } from "../pipeline/jobs.ts";

const { decide } = await openRouter();

/** What is sent for a text with parts left out. */
async function sentFor(text: string, facts: Partial<BlockJob> = {}) {
  const decision = await decide(jobOf(text, { model: "gpt-5", ...facts }));
  assert(decision.type === "form" && decision.elision !== undefined);
  return JSON.parse(new TextDecoder().decode(decision.literal)) as string;
}

/** What a marker says. */
function markerOf(sent: string): { total: number; unit: string; kept: number } {
  const [, total, unit = "", kept] =
    /\[(\d+) (\w+) compressed to (\d+)\./.exec(sent) ?? [];
  return { total: Number(total), unit, kept: Number(kept) };
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const LOG = range(300).map((i) =>
  `2026-11-21T10:00:${10 + i % 50} INFO worker-${i % 5} job ${i} done in ${
    i * 37 % 180
  } ms\n`
).join("");

Deno.test("a marker counts the last line of a text when it holds terminal codes only", async () => {
  const sent = await sentFor(`${LOG}\x1b[0m\x1b[0m`);
  assert.deepEqual([markerOf(sent).total, markerOf(sent).unit], [301, "lines"]);
});

Deno.test("a marker counts the lines of a wrapper around what is compressed", async () => {
  const sent = await sentFor(`Exit code 1\n${LOG}`);
  const { total, unit, kept } = markerOf(sent);
  assert.deepEqual([total, unit], [301, "lines"]);
  const inside = markerOf(await sentFor(LOG));
  assert.equal(kept, inside.kept + 1);
});

const orders = (count: number, refunded: number) =>
  JSON.stringify(
    range(count).map((i) => ({
      order_id: `ord-${1000 + i * 7}`,
      customer: ["ada", "bob", "cleo", "dina"][i * 5 % 4],
      status: i % Math.floor(count / refunded) === 3
        ? "refunded"
        : ["paid", "draft", "placed"][i % 3],
      total: `${10 + i * 37 % 90}.50`,
    })),
  );
const refundedIn = (text: string) => text.match(/,refunded/g)?.length ?? 0;
const QUESTION = "which orders are refunded?";

Deno.test("all rows that a question names by value stay while there is room", async () => {
  const text = orders(84, 12);
  assert.equal(refundedIn(await sentFor(text, { query: QUESTION })), 12);
  assert.ok(refundedIn(await sentFor(text, { query: "" })) < 6);
});

Deno.test("a note says how many more rows match the question than there is room for", async () => {
  const sent = await sentFor(orders(4000, 800), { query: QUESTION });
  const kept = refundedIn(sent);
  assert.ok(kept >= 12 && kept < 400, `${kept}`);
  assert.match(sent, new RegExp(`\\(${800 - kept} more match the question\\)`));
});

Deno.test("a note says how many more rows report failures, also where no value says so", async () => {
  const rows = range(600).map((i) => ({
    id: i,
    status: i % 5 === 3 ? `failed: timeout after ${i % 91} s` : "paid",
  }));
  const sent = await sentFor(JSON.stringify(rows), {
    query: "which failing orders are there?",
  });
  const kept = sent.match(/failed: /g)?.length ?? 0;
  assert.ok(kept > 2 && kept < 120, `${kept}`);
  assert.match(sent, new RegExp(`\\(${120 - kept} more report failures\\)`));
});

Deno.test("a marker never says that nothing of a text is left when containers inside are left out", async () => {
  const file = new URL("../corpus/json/terraform_show.txt", import.meta.url);
  const text = await Deno.readTextFile(file);
  const { total, kept } = markerOf(await sentFor(text));
  assert.ok(kept > 0 && kept < total, `${kept} of ${total}`);
});

Deno.test("the items that a note names come back from JSON that lost its beginning", async () => {
  const rows = range(200).map((i) => ({ id: i, text: `request ${i} handled` }));
  const text = JSON.stringify({ rows, total: 200 }).slice(70);
  const sent = await sentFor(text);
  const [, from, to] = /… items (\d+)-(\d+) omitted/.exec(sent) ?? [];
  const cut = cutOriginal(
    { original: text, strategy: "smart_crusher", toolName: "" },
    { lines: `items ${from}-${to}` },
  );
  assert.ok(cut.ok, JSON.stringify(cut));
  // The first whole element has number 1, and the id that is behind the cut.
  const first = Number(/"id":(\d+)/.exec(text.slice(text.indexOf("},{")))?.[1]);
  const ids = [...cut.content.matchAll(/"id":(\d+)/g)].map(([, id]) =>
    Number(id)
  );
  assert.equal(ids[0], first + Number(from) - 1);
  assert.equal(ids.at(-1), first + Number(to) - 1);
});
