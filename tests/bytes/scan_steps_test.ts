import assert from "node:assert/strict";
import { KnownBody } from "../../src/bytes/scan_cache.ts";
import { scanInSteps } from "../../src/bytes/scan_steps.ts";
import type { ScannedElements } from "../../src/core/block.ts";
import type { ProviderFormat } from "../../src/core/format.ts";
import { chatCompletionsFormat } from "../../src/providers/chat_completions/format.ts";
import { messagesFormat } from "../../src/providers/messages/format.ts";
import { responsesFormat } from "../../src/providers/responses/format.ts";
import {
  type ClientFormat,
  CLIENTS,
  styledBodyOf,
} from "../conformance/conversation.ts";

const FORMATS: readonly ProviderFormat[] = [
  messagesFormat,
  chatCompletionsFormat,
  responsesFormat,
];

/** The first `n` turns of a conversation in which everything that a scan collects comes up again and again. */
function body(client: ClientFormat, n: number, messagesFirst = false) {
  const steps = Array.from({ length: n }, (_, i) => ({
    says: `step ${i}`,
    ...i % 7 === 0 && { note: `look at ${i} `.repeat(200) },
    calls: [{
      id: `call_${i % 900}`,
      tool: "Bash",
      args: { command: `run ${i}` },
      result: i % 3 === 0 ? [`a ${i}`, "b"] : `line ${i}\n`.repeat(20),
    }],
  }));
  const style = { indent: undefined, ascii: false, messagesFirst };
  return styledBodyOf(client, style)({ question: "why?", steps }, n);
}

/** Scans in steps; gives what was found, and how often other work had its turn. */
async function stepwise(format: ProviderFormat, known: KnownBody) {
  let turns = 0;
  const scan = await scanInSteps(
    (memory) => format.scan(known.body, memory),
    known,
    () => Promise.resolve(void turns++),
  );
  return { scan, turns };
}

for (const [i, format] of FORMATS.entries()) {
  const client = CLIENTS[i]!;

  Deno.test(`${format.id}: a scan in steps finds the same`, async () => {
    for (const messagesFirst of [false, true]) {
      const bytes = body(client, 1200, messagesFirst);
      const { scan, turns } = await stepwise(format, new KnownBody(bytes));
      assert.deepEqual(scan, format.scan(bytes));
      assert(turns >= 4, `${turns}`);
    }
  });

  Deno.test(`${format.id}: a scan in steps goes on from an earlier body, and a later one from it`, async () => {
    const before = new KnownBody(body(client, 1000));
    await stepwise(format, before);
    const bytes = body(client, 2400);
    const known = new KnownBody(bytes, before, before.body.length - 10);
    const { scan, turns } = await stepwise(format, known);
    assert.deepEqual(scan, format.scan(bytes));
    const alone = await stepwise(format, new KnownBody(bytes));
    assert(turns > 0 && turns < alone.turns, `${turns} of ${alone.turns}`);

    const after = new KnownBody(bytes, known, bytes.length);
    assert.deepEqual(await stepwise(format, after), { scan, turns: 0 });
  });
}

Deno.test("a scan in steps throws what is wrong in a later step", async () => {
  const bytes = body(CLIENTS[0]!, 1200).subarray(0, -1);
  await assert.rejects(
    stepwise(messagesFormat, new KnownBody(bytes)),
    SyntaxError,
  );
});

Deno.test("a step of a scan is no shorter than what is read in each", async () => {
  const system = "s".repeat(400_000);
  const messages = Array.from({ length: 4000 }, (_, i) => ({
    role: "user",
    content: `${i}`.padEnd(200, "x"),
  }));
  const bytes = new TextEncoder().encode(JSON.stringify({ system, messages }));
  const { scan, turns } = await stepwise(messagesFormat, new KnownBody(bytes));
  assert.equal(scan.messages.length, 4000);
  assert(turns >= 1 && turns <= 2, `${turns}`);
});

Deno.test("a scan goes on from an earlier body wherever they part, and keeps few marks of what is old", () => {
  const bytes = body(CLIENTS[0]!, 300);
  const noted: ScannedElements[] = [];
  const scanFrom = (equal: number, elements?: ScannedElements) => {
    noted.length = 0;
    return messagesFormat.scan(bytes, {
      equal,
      elements,
      note: (found) => void noted.push(found),
    });
  };
  const alone = scanFrom(0);
  const [first] = noted as [ScannedElements];
  assert.equal(first.messages.length, 601);
  assert.ok(first.marks.length < 120, `${first.marks.length}`);
  const { start, end } = alone.conversation;
  for (let equal = start; equal < end; equal += 997) {
    assert.deepEqual(scanFrom(equal, first), alone);
    const [again] = noted as [ScannedElements];
    assert.deepEqual(scanFrom(equal + 400, again), alone);
    // The newest elements were not read again.
    const newest = first.messages.findLastIndex((one) => one.end <= equal);
    if (newest > 550) {
      assert.equal(again.messages[newest], first.messages[newest]);
    }
  }
});
