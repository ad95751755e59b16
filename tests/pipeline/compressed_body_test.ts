import assert from "node:assert/strict";
import { splice } from "../../src/bytes/splice.ts";
import type { BlockLookup } from "../../src/core/forms.ts";
import type { BlockKey } from "../../src/core/store.ts";
import {
  hasOlder,
  uncountedSpans,
  untouched,
  withoutUsageRequest,
} from "../../src/pipeline/compressed_body.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { formOf } from "../ccr/samples.ts";
import { bodyOf, messagesClient } from "../conformance/conversation.ts";

/** An older result, then a live one. */
const body = bodyOf(messagesClient, {
  question: "q",
  steps: ["older", "live"].map((result) => ({
    calls: [{ id: result, tool: "Bash", args: {}, result }],
  })),
}, 2);
const scan = messagesFormat.scan(body);
const [olderBlock, liveBlock] = scan.blocks;
const key = "key" as BlockKey;

/** What is known of the older and of the live block. */
const recognised = (older: BlockLookup, live: BlockLookup) => ({
  lookups: [older, live],
});
const FORM: BlockLookup = { state: "form", key, form: formOf("short") };
const FRESH: BlockLookup = { state: "new", key, verdict: "" };
const ALONE: BlockLookup = { state: "alone", key, verdict: "" };
const UNREADABLE: BlockLookup = { state: "unreadable" };

Deno.test("untouched sends the array that came, counts all of it where nothing was scanned, and has nothing to take back", async () => {
  const call = untouched(body, undefined, "unscannable");
  assert.equal(call.bytes, body);
  assert.deepEqual(call.uncounted, [{ start: 0, end: body.length }]);
  assert.deepEqual(call.declaration, { by: "nobody", reason: "unscannable" });
  assert.equal(call.formTokensSaved, 0);
  call.sent();
  await call.retract();
  assert.equal(untouched(body, scan, "passthrough").uncounted, scan.counted);
});

Deno.test("withoutUsageRequest takes out that edit alone, and gives the array that came where it was the only one", () => {
  const edit = (at: number) => ({
    span: { start: at, end: at },
    replacement: Uint8Array.of(0x20),
  });
  const [other, usageRequest] = [edit(3), edit(body.length - 1)];
  const call = { ...untouched(body, scan, "test"), usageRequest };
  const both = withoutUsageRequest({ ...call, edits: [other, usageRequest] });
  assert.deepEqual(both.edits, [other]);
  assert.deepEqual(both.bytes, splice(body, [other]));
  assert.equal(both.usageRequest, undefined);
  const alone = withoutUsageRequest({ ...call, edits: [usageRequest] });
  assert.deepEqual([alone.edits, alone.bytes === body], [[], true]);
});

Deno.test("hasOlder is true for a readable older block without a form alone", () => {
  for (
    const [older, live, expected] of [
      [FRESH, FORM, true],
      [ALONE, FORM, true],
      [FORM, FRESH, false],
      [UNREADABLE, ALONE, false],
    ] as const
  ) {
    const found = hasOlder(scan, recognised(older, live));
    assert.equal(found, expected, `${older.state} ${live.state}`);
  }
});

Deno.test("uncountedSpans leaves out blocks that have a form, and names the others by their key", async () => {
  const lookups = recognised(FORM, FRESH);
  const spans = await uncountedSpans(scan, lookups, [
    { key, block: olderBlock!, form: formOf("short") },
  ]);
  const { span: older } = olderBlock!;
  const { span: live } = liveBlock!;
  assert.deepEqual(
    spans,
    scan.counted.filter((span) => span !== older)
      .map((span) => span === live ? { ...span, id: key } : span),
  );
  assert.equal(spans.length, scan.counted.length - 1);
});

Deno.test("uncountedSpans gives a block that cannot be read no name", async () => {
  const spans = await uncountedSpans(
    scan,
    recognised(UNREADABLE, UNREADABLE),
    [],
  );
  assert.deepEqual(spans, scan.counted);
});
