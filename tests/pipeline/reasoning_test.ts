/** Plain reasoning that a client sends back: shortened when it is new, left out once the provider has forgotten it, and never changed between. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import { makePrefixProofs } from "../../src/pipeline/prefix_proof.ts";
import { besideTurns, withoutReasoning } from "../../src/pipeline/reasoning.ts";
import type { BlockRef } from "../../src/core/block.ts";
import type { LiveBlock } from "../../src/pipeline/live_zone_pass.ts";
import {
  bodyOf,
  type ClientFormat,
  CLIENTS,
  type Conversation,
} from "../conformance/conversation.ts";
import { decodeLiteral } from "../../src/bytes/json_string.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { openRouter } from "../../src/compute/open_router.ts";
import { sentThought, THOUGHT } from "./thought.ts";
import { FORMATS, type Harness, harness } from "./harness.ts";

const utf8 = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const LONG_MS = 3 * 3_600_000;
const thought = (i: number, words = 200) =>
  Array.from({ length: words }, (_, w) => `thought-${i}-${w}`).join(" ");

/** The same in lines: reasoning that the compressors of the harness shorten. */
const written = (i: number) =>
  thought(i).replaceAll(/((?:\S+ ){19}\S+) /g, "$1\n");

/** One call per step; the results are small. */
const talk = (steps: number): Conversation => ({
  question: "why did it fail?",
  steps: Array.from({ length: steps }, (_, i) => ({
    calls: [{
      id: `c${i}`,
      tool: "Bash",
      args: { command: "x" },
      result: `ok ${i}`,
    }],
  })),
});

type Values = Record<string, unknown>;

/** The reasoning of step `i` as the client writes it; `sign` makes it one that only the provider can read. */
function reasoned(
  client: ClientFormat,
  element: Values,
  said: string,
  sign: boolean,
): Values {
  switch (client.id) {
    case "messages": {
      if (element["role"] !== "assistant") return element;
      const thinking = { type: "thinking", thinking: said };
      const signed = sign ? { ...thinking, signature: "c2ln" } : thinking;
      return { ...element, content: [signed, ...element["content"] as []] };
    }
    case "chat_completions":
      if (element["role"] !== "assistant") return element;
      return {
        ...element,
        reasoning_content: said,
        ...sign && { reasoning_details: [{ type: "reasoning.encrypted" }] },
      };
    case "responses":
      if (element["type"] !== "reasoning") return element;
      return {
        ...element,
        encrypted_content: sign ? "x" : null,
        content: [{ type: "reasoning_text", text: said }],
      };
  }
}

/** Body after `n` steps, with one thought before each call. */
function thinking(
  client: ClientFormat,
  n: number,
  {
    sign = false,
    words = 200,
    think = (i: number) => thought(i, words),
    of = talk(n),
  } = {},
): Uint8Array {
  const body = JSON.parse(text(bodyOf(client, of, n)));
  let i = 0;
  body[client.array] = body[client.array].map((element: Values) => {
    const made = reasoned(client, element, think(i), sign);
    if (made !== element) i++;
    return made;
  });
  return utf8.encode(JSON.stringify(body));
}

/** Which thoughts are in what was sent. */
const thoughtsIn = (call: CompressedBody) =>
  [0, 1, 2, 3, 4, 5].filter((i) => text(call.bytes).includes(thought(i, 1)));

/** Which thoughts are in it from their first word to their last. */
const wholeIn = (call: CompressedBody) =>
  [0, 1, 2, 3, 4, 5].filter((i) =>
    text(call.bytes).includes(`thought-${i}-99`)
  );
/** What the compressors of the harness make of a thought. */
const shortened = (i: number) => {
  const lines = written(i).split("\n");
  return JSON.stringify(
    `${lines[0]}\n… lines 2-9 omitted\n${lines.at(-1)}\n` +
      `[10 lines compressed to 2. Retrieve more: hash=${ccrKey(written(i))}]`,
  );
};
const SHORTEN = { keepsReasoning: 0 };

const restarted = ({ store, clock }: Harness) => harness({ store, clock });

for (const client of CLIENTS) {
  const { id } = client;

  Deno.test(`${id}: old reasoning is left out once the provider has forgotten it, but for the last, and the same bytes go out from then on`, async () => {
    for (const keepsReasoning of [0, 1, 2]) {
      const facts = { keepsReasoning };
      const process = harness();
      const proofs = makePrefixProofs();
      await process.send(id, thinking(client, 0), facts);
      for (const n of [1, 2, 3]) {
        const warm = await process.send(id, thinking(client, n), facts);
        assert.deepEqual(thoughtsIn(warm), [0, 1, 2].slice(0, n));
        proofs.prove(warm);
      }
      process.clock.ms += LONG_MS;
      const cold = await process.send(id, thinking(client, 4), facts);
      const kept = [0, 1, 2, 3].slice(4 - keepsReasoning);
      assert.deepEqual(thoughtsIn(cold), kept);
      assert.equal(proofs.prove(cold)!.verdict, "decided");
      const words = "… [200 words omitted]\\n[200 words compressed to 0. " +
        "Retrieve more: hash=";
      assert.equal(text(cold.bytes).split(words).length, 5 - keepsReasoning);
      for (const key of cold.elided.keys()) {
        const entry = process.store.entry(key, process.clock.ms);
        assert("original" in entry && /^thought-\d-0 /.test(entry.original));
      }
      for (const later of [facts, {}]) {
        const next = await restarted(process)
          .send(id, thinking(client, 5), later);
        assert.deepEqual(thoughtsIn(next), [...kept, 4]);
        assert.equal(proofs.prove(next)!.verdict, "extended");
      }
    }
  });

  Deno.test(`${id}: reasoning that is signed or encrypted stays as it is, and so does what is short`, async () => {
    for (const how of [{ sign: true }, { words: 40 }]) {
      const process = harness();
      const facts = { keepsReasoning: 0 };
      for (const n of [0, 1, 2]) {
        await process.send(id, thinking(client, n, how), facts);
      }
      process.clock.ms += LONG_MS;
      const cold = await process.send(id, thinking(client, 3, how), facts);
      assert.deepEqual(thoughtsIn(cold), [0, 1, 2]);
    }
  });

  Deno.test(`${id}: reasoning stays where the model could not ask for it, or nobody wants it left out`, async () => {
    for (
      const [ccr, facts] of [[false, { keepsReasoning: 0 }], [true, {
        recompacts: true,
      }]] as const
    ) {
      const process = harness({ ccr });
      for (const n of [0, 1, 2]) {
        await process.send(id, thinking(client, n), facts);
      }
      process.clock.ms += LONG_MS;
      const cold = await process.send(id, thinking(client, 3), facts);
      assert.deepEqual(thoughtsIn(cold), [0, 1, 2]);
    }
  });

  Deno.test(`${id}: where none is to stay, new reasoning is shortened at once, and the same bytes go out from then on`, async () => {
    const think = { think: written };
    const process = harness();
    const proofs = makePrefixProofs();
    await process.send(id, thinking(client, 0, think), SHORTEN);
    let last: CompressedBody | undefined;
    for (const n of [1, 2, 3]) {
      last = await process.send(id, thinking(client, n, think), SHORTEN);
      assert.deepEqual(wholeIn(last), []);
      assert.notEqual(proofs.prove(last)!.verdict, "ours");
      assert(text(last.bytes).includes(shortened(n - 1)));
      assert.deepEqual(last.strategies, ["log"]);
      assert.equal(
        last.seen.length,
        n === 0 ? 0 : last.scan!.blocks.length - n + 1,
      );
    }
    for (
      const { original } of process.decided.filter(({ toolName }) =>
        toolName === "model reasoning"
      )
    ) {
      const entry = process.store.entry(original, process.clock.ms);
      assert("original" in entry && /^thought-\d-0 /.test(entry.original));
    }
    const other = { session: "fork" };
    for (
      const facts of [SHORTEN, {}, { keepsReasoning: 1 }, {
        ...SHORTEN,
        ...other,
      }, other]
    ) {
      for (const at of [process, restarted(process)]) {
        const again = await at.send(id, thinking(client, 3, think), facts);
        assert.deepEqual(again.bytes, last!.bytes);
      }
    }
  });

  Deno.test(`${id}: reasoning that was sent whole stays whole, whatever is set later, and what is new after that is shortened`, async () => {
    const think = { think: written };
    for (const before of [{}, { keepsReasoning: 1 }]) {
      const process = harness();
      for (const n of [0, 1, 2, 4]) {
        await process.send(id, thinking(client, n, think), before);
      }
      for (const at of [process, restarted(process)]) {
        for (const n of [4, 2, 3, 1]) {
          for (const session of [{}, { session: "fork" }]) {
            const call = await at.send(id, thinking(client, n, think), {
              ...SHORTEN,
              ...session,
            });
            assert.deepEqual(wholeIn(call), [0, 1, 2, 3].slice(0, n));
          }
        }
      }
      const next = await restarted(process).send(
        id,
        thinking(client, 5, think),
        SHORTEN,
      );
      assert.deepEqual(wholeIn(next), [0, 1, 2, 3]);
      assert(text(next.bytes).includes(shortened(4)));
    }
  });

  Deno.test(`${id}: the model reads what its reasoning came to and what led there, and how much is missing where`, async () => {
    const { decide } = await openRouter();
    const process = harness({ decide });
    const think = { think: () => THOUGHT };
    await process.send(id, thinking(client, 0, think), SHORTEN);
    const call = await process.send(id, thinking(client, 1, think), SHORTEN);
    const { reasoning } = FORMATS[id]!.scan(call.bytes);
    assert.deepEqual(
      reasoning!.map(({ span }) => decodeLiteral(call.bytes, span)),
      [sentThought(ccrKey(THOUGHT))],
    );
    const entry = process.store.entry(ccrKey(THOUGHT), process.clock.ms);
    assert("original" in entry && entry.original === THOUGHT);
    assert.equal(entry.toolName, "model reasoning");
  });

  Deno.test(`${id}: only the last turn of the model is shortened, and only when something stands behind it`, async () => {
    const think = { think: written };
    const process = harness();
    await process.send(id, thinking(client, 0, think), SHORTEN);
    await process.send(id, thinking(client, 1, think), SHORTEN);
    // What came between was not seen here: the provider may hold it.
    const call = await process.send(id, thinking(client, 3, think), SHORTEN);
    assert.deepEqual(wholeIn(call), [1]);
    const open = JSON.parse(text(thinking(client, 4, think)));
    const array = open[client.array];
    const end = array.findLastIndex((element: Values) =>
      text(utf8.encode(JSON.stringify(element))).includes("thought-3-")
    );
    array.length = end + 1;
    const unfinished = utf8.encode(JSON.stringify(open));
    for (const at of [process, restarted(process)]) {
      const whole = await at.send(id, unfinished, SHORTEN);
      assert.deepEqual(wholeIn(whole), [1, 3]);
      const next = await at.send(id, thinking(client, 4, think), SHORTEN);
      assert.deepEqual(wholeIn(next), [1, 3]);
    }
  });

  Deno.test(`${id}: a thought that comes again in the same words is another one`, async () => {
    const think = { think: () => written(0) };
    const process = harness();
    await process.send(id, thinking(client, 0, think), SHORTEN);
    await process.send(id, thinking(client, 1, think));
    for (const at of [process, process, restarted(process)]) {
      const call = await at.send(id, thinking(client, 2, think), SHORTEN);
      const { reasoning } = FORMATS[id]!.scan(call.bytes);
      assert.deepEqual(
        reasoning!.map(({ span }) => decodeLiteral(call.bytes, span)),
        [written(0), JSON.parse(shortened(0))],
      );
    }
  });

  Deno.test(`${id}: reasoning before the first result is sent as it was when there are some`, async () => {
    const steps = [
      { says: "hm", calls: [], note: "go on" },
      ...talk(2).steps,
    ];
    const body = (n: number) =>
      thinking(client, n, { think: written, of: { ...talk(0), steps } });
    for (const [first, whole] of [[SHORTEN, []], [{}, [0]]] as const) {
      const process = harness();
      await process.send(id, body(0), SHORTEN);
      const early = await process.send(id, body(1), first);
      assert.deepEqual(wholeIn(early), whole);
      for (const n of [1, 2, 3]) {
        for (const at of [process, restarted(process)]) {
          assert.deepEqual(wholeIn(await at.send(id, body(n), SHORTEN)), whole);
        }
      }
      for (const n of [3, 1]) {
        const off = await restarted(process).send(id, body(n));
        assert.deepEqual(wholeIn(off), whole);
      }
    }
    // The result is missing at first, as after an interruption.
    const process = harness();
    const cut = JSON.parse(text(thinking(client, 1, { think: written })));
    const results = cut[client.array].pop();
    assert(JSON.stringify(results).includes("ok 0"));
    cut[client.array].push(client.elements(talk(0), 0).at(-1));
    await process.send(id, thinking(client, 0), SHORTEN);
    await process.send(id, utf8.encode(JSON.stringify(cut)));
    const call = await process
      .send(id, thinking(client, 1, { think: written }), SHORTEN);
    assert.deepEqual(wholeIn(call), [0]);
  });

  Deno.test(`${id}: where it is switched off, reasoning is not looked up, and one number is noted of its conversation`, async () => {
    const asked: string[] = [];
    const process = harness({ enter: (part) => asked.push(part) });
    const think = { think: written };
    await process.send(id, thinking(client, 0, think));
    for (const n of [1, 2, 2]) {
      asked.length = 0;
      const call = await process.send(id, thinking(client, n, think));
      assert.deepEqual(wholeIn(call), [0, 1].slice(0, n));
      assert.equal(call.bytes.length > call.body.length, true);
      assert.equal(
        call.seen.some(({ toolName }) => toolName !== "Bash"),
        false,
      );
      const names = asked.filter((part) => part === "name").length;
      assert.equal(names, call.scan!.blocks.length);
    }
    assert.equal(process.decided.length, 0);
  });

  Deno.test(`${id}: what was shortened is left out once the provider has forgotten it, and both name the same original`, async () => {
    const think = { think: written };
    const process = harness();
    const proofs = makePrefixProofs();
    for (const n of [0, 1, 2]) {
      const warm = await process.send(id, thinking(client, n, think), SHORTEN);
      proofs.prove(warm);
      assert.equal(warm.elided.has(ccrKey(written(0))), n > 0);
    }
    process.clock.ms += LONG_MS;
    const cold = await process.send(id, thinking(client, 3, think), SHORTEN);
    assert.equal(proofs.prove(cold)!.verdict, "decided");
    assert.deepEqual(cold.strategies, ["reasoning"]);
    assert.equal(thoughtsIn(cold).length, 0);
    const warm = await restarted(process)
      .send(id, thinking(client, 4, think), SHORTEN);
    assert.equal(proofs.prove(warm)!.verdict, "extended");
    assert.deepEqual(warm.strategies, ["reasoning", "log"]);
    assert(text(warm.bytes).includes(shortened(3)));
    for (const i of [0, 1, 2, 3]) {
      assert(warm.elided.has(ccrKey(written(i))));
      const entry = process.store.entry(ccrKey(written(i)), process.clock.ms);
      assert("original" in entry && entry.original === written(i));
    }
    assert.equal(process.failures.size, 0);
  });

  Deno.test(`${id}: a request that cannot take the tool gets whole reasoning, and the next that can has its form again`, async () => {
    const process = harness();
    const body = thinking(client, 1, { think: written });
    const { tools, ...rest } = JSON.parse(text(body));
    // No more tools, several choices, or an answer in the background.
    const many = Array.from({ length: 128 }, () => tools[0]);
    const bare = { ...rest, tools: id === "messages" ? many : tools };
    Object.assign(bare, id === "chat_completions" && { n: 2 });
    Object.assign(bare, id === "responses" && { background: true });
    await process.send(id, thinking(client, 0), SHORTEN);
    const sent = await process.send(id, body, SHORTEN);
    assert(text(sent.bytes).includes(shortened(0)));
    const without = utf8.encode(JSON.stringify(bare));
    const whole = await process.send(id, without, SHORTEN);
    assert.deepEqual(wholeIn(whole), [0]);
    const again = await process.send(id, body, SHORTEN);
    assert.deepEqual(again.bytes, sent.bytes);
  });

  Deno.test(`${id}: a scan finds the same reasoning in a body whose beginning it knows`, async () => {
    const process = harness();
    for (const n of [20, 21, 23]) {
      const body = thinking(client, n);
      const known = process.parts.bodies.begin(body);
      const { reasoning } = FORMATS[id]!.scan(body, known);
      process.parts.bodies.keep(known);
      assert.deepEqual(reasoning, FORMATS[id]!.scan(body).reasoning);
      assert.equal(reasoning!.length, n);
    }
    await Promise.resolve();
  });

  Deno.test(`${id}: reasoning is sent as it was before until a cold turn, in any order of requests, forks, restarts, pauses and settings`, async () => {
    const move = fc.record({
      n: fc.integer({ min: 0, max: 5 }),
      session: fc.constantFrom(undefined, "s"),
      idle: fc.constantFrom(0, 0, 240_000, LONG_MS),
      restarts: fc.boolean(),
      recompacts: fc.boolean(),
      keepsReasoning: fc.constantFrom(undefined, 0, 0, 1, 2),
    });
    let shortenedOnes = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(written, thought),
        async (moves, think) => {
          let process = harness();
          const proofs = makePrefixProofs();
          let turns = 0;
          const ofSession = new Map<string | undefined, number>();
          const sent = new Map<number, string>();
          for (const { n, session, idle, restarts, ...facts } of moves) {
            const { recompacts, keepsReasoning } = facts;
            process.clock.ms += idle;
            if (restarts) process = restarted(process);
            const call = await process.send(
              id,
              thinking(client, n, { think }),
              {
                recompacts,
                ...session !== undefined && { session },
                ...keepsReasoning !== undefined && { keepsReasoning },
              },
            );
            const { verdict } = proofs.prove(call)!;
            assert.notEqual(verdict, "ours", `at ${n}`);
            assert.equal(process.failures.size, 0);
            const was = ofSession.get(session) ?? 0;
            if (verdict === "decided") assert(call.coldTurns! > was, `at ${n}`);
            ofSession.set(session, call.coldTurns ?? was);
            const isCold = (call.coldTurns ?? turns) > turns;
            turns = Math.max(turns, call.coldTurns ?? 0);
            if (isCold) sent.clear();
            const { reasoning } = FORMATS[id]!.scan(call.bytes);
            for (const [i, { span: { start, end } }] of reasoning!.entries()) {
              const now = text(call.bytes.subarray(start, end));
              if (call.declaration.by === "proxy") {
                assert.equal(now, sent.get(i) ?? now, `thought ${i} at ${n}`);
                sent.set(i, now);
              }
              if (now === shortened(i)) shortenedOnes++;
            }
            for (const key of call.elided.keys()) {
              const entry = process.store.entry(key, process.clock.ms);
              assert("original" in entry, `${key} is gone at ${n}`);
            }
          }
        },
      ),
      { numRuns: 100 },
    );
    assert(shortenedOnes > 0);
  });
}

Deno.test("withoutReasoning leaves a text alone that holds a marker or is no text", () => {
  const client = CLIENTS.find(({ id }) => id === "chat_completions")!;
  const format = FORMATS["chat_completions"]!;
  const { parts } = harness();
  const left = (said: string) => {
    const body = utf8.encode(
      text(thinking(client, 1)).replace(thought(0), said),
    );
    return withoutReasoning(parts, { body, scan: format.scan(body) }, 99);
  };
  assert.equal(left(thought(0)).length, 1);
  assert.equal(left(`${thought(0)} hash=abc`).length, 0);
  assert.equal(left(`${thought(0)} \\ud800`).length, 0);
  assert.equal(left("x".repeat(5000)).length, 0);
});

Deno.test("besideTurns touches no reasoning where a turn is written as its rounds were, and shortens none behind such a turn", () => {
  const client = CLIENTS.find(({ id }) => id === "messages")!;
  const { parts } = harness();
  const body = thinking(client, 2);
  const scan = FORMATS["messages"]!.scan(body);
  const unreasoned = withoutReasoning(parts, { body, scan }, 99);
  const [first, second] = unreasoned;
  const live = (block: BlockRef) => ({ block }) as LiveBlock;
  const asked = [live(second!.block), live(scan.blocks.at(-1)!)];
  const plan = { scan, unreasoned, asked };
  const replacement = new Uint8Array();
  const beside = (start: number, end: number) =>
    besideTurns(plan, [{ span: { start, end }, replacement }]);
  assert.equal(besideTurns(plan, []), plan);
  const { start, end } = second!.block.span;
  for (const turn of [beside(start - 9, end + 9), beside(start, end)]) {
    assert.deepEqual(turn.unreasoned, [first]);
    assert.deepEqual(turn.asked, asked.slice(1));
  }
  const before = beside(start - 9, start - 9);
  assert.deepEqual(before.unreasoned, unreasoned);
  assert.deepEqual(before.asked, asked.slice(1));
  const early = beside(first!.block.span.start, first!.block.span.end);
  assert.deepEqual(early.unreasoned, [second]);
  assert.deepEqual(early.asked, asked);
});
