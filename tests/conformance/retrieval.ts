/** Rules of the retrieval half of every wire format; each format's test calls this once. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { RETRIEVAL_TOOL } from "../../src/core/retrieval.ts";
import type { Reply } from "../../src/core/upstream.ts";
import { replyOf } from "../upstream/replies.ts";
import type { Dialect, Part, Turn } from "./retrieval_dialects.ts";
import { ask, bodyOf, call, isOurs, Lab, turns } from "./retrieval_lab.ts";

const say = (text: string): Part => ({ text });
const think = (thinking: string): Part => ({ thinking });

/** Responses by what they show. */
const SCRIPTS: Readonly<Record<string, readonly Turn[]>> = {
  "alone": turns("a", [ask("r1")], [say("It is ünlucky.")]),
  "after text": turns("b", [say("Let me see. "), ask("r1")], [say("Done.")]),
  "with thinking": turns(
    "c",
    [think("hmm"), say("Look: "), ask("r1")],
    [think("ah, so"), say("Done.")],
  ),
  "twice in a row": turns(
    "d",
    [say("One. "), ask("r1")],
    [think("two"), ask("r2")],
    [say("Three.")],
  ),
  "in parallel": turns("e", [ask("r1"), ask("r2")], [say("Both.")]),
  "before a call of the client": turns(
    "f",
    [say("See. "), ask("r1")],
    [say("Now run."), call("c1")],
  ),
  "beside, first": turns("g", [think("t"), ask("r1"), call("c1")]),
  "beside, last": turns("h", [say("Both: "), call("c1"), ask("r1")]),
  "beside, between": turns("i", [call("c1"), ask("r1"), call("c2")]),
  "beside, around": turns("j", [ask("r1"), call("c1"), ask("r2")]),
  "rounds, then beside": turns(
    "k",
    [say("First. "), ask("r1")],
    [think("then"), call("c1"), ask("r2")],
  ),
  "cut off later": turns("l", [say("One. "), ask("r1")], {
    cut: [say("It is"), ask("r2")],
  }),
  "with nothing more to say": turns("m", [say("Only this."), ask("r1")], []),
};

/** Registers one test per rule, kind of response and script. */
export function testRetrieval(dialect: Dialect): void {
  const { format } = dialect;
  const name = `${format.id} retrieval`;

  Deno.test(`${name} definition has at most 80 tokens and one required argument`, () => {
    const { definition } = format.retrieval;
    assert.ok(encode(definition).length <= 80);
    const search = format.retrieval.deferral?.searchDefinition ?? "";
    assert.ok(encode(search).length <= 60);
    assert.ok(definition.includes(`"name":"${RETRIEVAL_TOOL}"`));
    assert.ok(definition.includes(`"required":["hash"]`));
  });

  for (const streaming of [false, true]) {
    const kind = streaming ? "stream" : "document";
    for (const [script, rounds] of Object.entries(SCRIPTS)) {
      Deno.test(`${name}, ${kind}: ${script}`, () =>
        showsAndGrows(new Lab(dialect, { streaming }), rounds));
    }
    Deno.test(`${name}, ${kind}: several in one conversation`, async () => {
      const lab = new Lab(dialect, { streaming });
      for (const rounds of Object.values(SCRIPTS)) {
        await showsAndGrows(lab, rounds);
      }
    });
    failures(dialect, streaming);
  }

  Deno.test(`${name} of a stream does not depend on chunks`, () =>
    sameInChunks(dialect));
  untouched(dialect);
}

/** The client sees one response without us, and its next request extends what was sent last. */
async function showsAndGrows(
  lab: Lab,
  rounds: readonly Turn[],
): Promise<void> {
  const { text, sent, ids, response } = await lab.exchange(rounds);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("x-request-id"), "r1");
  assert.ok(!text.includes(RETRIEVAL_TOOL));
  const seen = lab.read(text);
  const last = rounds.at(-1)!;
  const said = rounds.flatMap(({ parts }) => parts).filter((p) => !isOurs(p));
  assert.deepEqual(spoken(seen.parts), spoken(said));
  assert.deepEqual(seen.stop, seen.parts.length === 0 ? "end" : last.stop);
  assert.equal(seen.id, rounds[0]!.id);
  assert.equal(seen.input, last.input);
  assert.equal(
    seen.output,
    rounds.reduce((sum, { output }) => sum + output, 0),
  );
  assert.equal(sent.length, rounds.length);
  const isMapped = lab.dialect.format.id === "responses" && rounds.length > 1;
  assert.deepEqual(ids, isMapped ? [[rounds[0]!.id, last.id]] : []);
  lab.take(seen);
  const next = lab.spliced();
  assert.ok(lab.inside(next).startsWith(`${lab.inside(sent.at(-1)!)},`));
  answersEverything(lab, next, rounds);
  // And the request after that extends this one.
  lab.elements.push(lab.dialect.user("go on"));
  assert.ok(lab.inside(lab.spliced()).startsWith(lab.inside(next)));
}

/** Every retrieval of the model that was not cut off stands in the next request with its answer. */
function answersEverything(
  lab: Lab,
  body: Uint8Array,
  rounds: readonly Turn[],
): void {
  const elements = JSON.parse(`[${lab.inside(body)}]`) as unknown[];
  const answers = lab.dialect.answers(elements);
  const text = JSON.stringify(elements);
  for (const { parts, stop } of rounds) {
    for (const part of parts) {
      if (!("tool" in part) || (isOurs(part) && stop === "cut")) continue;
      const { id } = part;
      const expected = isOurs(part)
        ? JSON.stringify({ hash: `hash of ${id}`, é: "\n" })
        : `out ${id}`;
      assert.equal(answers.get(id), expected);
      assert.ok(text.includes(`${isOurs(part) ? RETRIEVAL_TOOL : "Bash"}"`));
    }
  }
}

/** Texts joined, as some formats cannot tell them apart; the rest in order by kind. */
function spoken(parts: readonly Part[]): unknown {
  return {
    text: parts.flatMap((part) => "text" in part ? part.text : []).join(""),
    thinking: parts.flatMap((p) => "thinking" in p ? p.thinking : []).join(""),
    calls: parts.filter((part) => "tool" in part),
  };
}

function failures(dialect: Dialect, streaming: boolean): void {
  const kind = streaming ? "stream" : "document";
  const name = `${dialect.format.id} retrieval, ${kind}`;
  const ends = async (
    script: readonly (Turn | (() => Response))[],
    refusal = 502,
  ) => {
    const lab = new Lab(dialect, { streaming });
    const failed: unknown[] = [];
    const out = await lab.exchange(script, {
      onFailure: (error) => void failed.push(error),
    });
    assert.equal(failed.length, 1);
    assert.equal(lab.records.length, 0);
    assert.equal(out.response.status, streaming ? 200 : refusal);
    if (streaming) assert.match(out.text, dialect.errorEvent);
    else assert.ok("error" in JSON.parse(out.text));
    assert.throws(() => lab.read(out.text));
    return out;
  };
  const [first, second] = turns("z", [say("One. "), ask("r1")], [say("Two.")]);

  Deno.test(`${name} ends with what was said when asked a fourth time`, async () => {
    const lab = new Lab(dialect, { streaming });
    const script = turns(
      "w",
      [say("A "), ask("r1")],
      [say("B "), ask("r2")],
      [say("C "), ask("r3")],
      [say("D"), ask("r4")],
    );
    const { text, sent, response, forbidden } = await lab.exchange(script);
    assert.equal(response.status, 200);
    assert.deepEqual(forbidden, [false, false, true]);
    assert.ok(!text.includes(RETRIEVAL_TOOL));
    const seen = lab.read(text);
    assert.deepEqual(spoken(seen.parts), {
      text: "A B C D",
      thinking: "",
      calls: [],
    });
    assert.equal(seen.stop, "end");
    lab.take(seen);
    const next = lab.inside(lab.spliced());
    assert.ok(next.startsWith(`${lab.inside(sent.at(-1)!)},`));
    assert.ok(next.includes("hash of r3") && !next.includes("r4"));
  });

  Deno.test(`${name} ends with an error when asked a fourth time and nothing was said`, async () => {
    const script = turns("y", [ask("r1")], [ask("r2")], [ask("r3")], [
      ask("r4"),
    ]);
    const { forbidden } = await ends(script);
    assert.deepEqual(forbidden, [false, false, true]);
  });

  const status = (status: number, body: string) => () =>
    new Response(body, { status, headers: { "retry-after": "7" } });
  const unreachable = () => {
    throw new TypeError("no route to host");
  };

  Deno.test(`${name} ends with the provider's own error when the continuation is refused`, async () => {
    const error = { type: "slow_down", message: "not\nnow" };
    const body = JSON.stringify({ type: "error", error, request_id: "r" });
    for (const refusal of [400, 429, 503]) {
      const { text, response, sent } = await ends(
        [first!, status(refusal, body)],
        refusal,
      );
      assert.equal(sent.length, 2);
      if (streaming) {
        const ending = text.slice(text.lastIndexOf("data: "));
        assert.match(ending, /"slow_down"/);
        assert.ok(ending.includes(JSON.stringify(error.message)));
        assert.doesNotMatch(ending, /svc|retriev/);
      } else {
        assert.equal(text, body);
        assert.equal(response.headers.get("retry-after"), "7");
      }
    }
  });

  Deno.test(`${name} names the status where the continuation is refused without an error of its own`, async () => {
    const broken = () =>
      new Response(
        new ReadableStream({ pull: (to) => to.error(new Error("reset")) }),
        { status: 400 },
      );
    const bodies = ["", "<html>", '{"error":"no"}', " ".repeat(70_000)];
    for (const refusal of bodies.map((body) => status(400, body))) {
      const lab = new Lab(dialect, { streaming });
      const { text, response } = await lab.exchange([first!, refusal]);
      if (!streaming) assert.equal(response.status, 400);
      else assert.match(text, /svc answered: .* with status 400/);
    }
    if (!streaming) return;
    const { text } = await ends([first!, broken]);
    assert.match(text, /svc answered: .* with status 400/);
  });

  Deno.test(`${name} ends with an error when the provider cannot be reached again`, async () => {
    const { sent } = await ends([first!, unreachable]);
    assert.equal(sent.length, 2);
  });

  Deno.test(`${name} ends with an error when the continuation breaks off`, async () => {
    const lab = new Lab(dialect, { streaming });
    const whole = await lab.answer(second!).text();
    const half = whole.slice(0, whole.length / 2);
    await ends([first!, () => bodyOf(half, streaming)]);
  });

  Deno.test(`${name} drops a call that was cut off and keeps the reason`, async () => {
    const lab = new Lab(dialect, { streaming });
    const { text, sent } = await lab.exchange(
      turns("x", { cut: [say("It is"), ask("r1")] }),
    );
    const seen = lab.read(text);
    assert.equal(seen.stop, "cut");
    assert.deepEqual(seen.parts, [say("It is")]);
    assert.equal(sent.length, 1);
    assert.equal(lab.records.length, 0);
  });

  Deno.test(`${name} leaves no message without content where a call that was cut off is all there is`, async () => {
    for (const before of [[], [[ask("r0")]]]) {
      const lab = new Lab(dialect, { streaming });
      const { text, sent } = await lab.exchange(
        turns("x", ...before, { cut: [ask("r1")] }),
      );
      const seen = lab.read(text);
      assert.equal(seen.stop, "cut");
      const id = dialect.format.id;
      // An output may be empty, and an item that the provider did not make has no id there.
      if (id === "responses") assert.deepEqual(seen.parts, []);
      else {
        const stop = id === "messages" ? "max_tokens" : "length";
        const said = `The answer ended before it had any text (${stop}).`;
        assert.deepEqual(seen.parts, [say(said)]);
        lab.take(seen);
        const next = lab.inside(lab.spliced());
        assert.ok(next.startsWith(`${lab.inside(sent.at(-1)!)},`));
        assert.ok(next.includes(said));
      }
    }
  });

  Deno.test(`${name} keeps the whole answer when it cannot be remembered`, async () => {
    const lab = new Lab(dialect, { streaming });
    const failed: unknown[] = [];
    const { text } = await lab.exchange([first!, second!], {
      remember: () => Promise.reject(new Error("database is locked")),
      onFailure: (error) => void failed.push(error),
    });
    assert.deepEqual(spoken(lab.read(text).parts), spoken([say("One. Two.")]));
    assert.equal(failed.length, 1);
  });

  Deno.test(`${name} leaves tools alone on the last round when the client chose one`, async () => {
    const lab = new Lab(dialect, { streaming });
    const script = turns("w", [ask("r1")], [ask("r2")], [ask("r3")], [
      call("c"),
    ]);
    const { forbidden } = await lab.exchange(script, { toolChoiceAuto: false });
    assert.deepEqual(forbidden, [false, false, false]);
  });

  Deno.test(`${name} is remembered before the response ends`, async () => {
    const lab = new Lab(dialect, { streaming });
    const order: string[] = [];
    const exchange = lab.exchange([first!, second!], {
      remember: async () => {
        // Long enough for every byte that does not wait to go out.
        for (let i = 0; i < 20; i++) {
          await new Promise((done) => setTimeout(done));
        }
        order.push("remembered");
      },
    });
    await exchange.then(() => order.push("ended"));
    assert.deepEqual(order, ["remembered", "ended"]);
  });
}

function untouched(dialect: Dialect): void {
  const { id } = dialect.format;
  const [turn] = turns("u", [think("t"), say("Just text."), call("c1")]);
  for (const streaming of [false, true]) {
    const kind = streaming ? "stream" : "document";
    Deno.test(`${id} retrieval, ${kind}: a response without one keeps its bytes`, async () => {
      const lab = new Lab(dialect, { streaming });
      const whole = await lab.answer(turn!).text();
      const { text } = await lab.exchange([turn!]);
      assert.equal(text, whole);
      assert.equal(lab.records.length, 0);
    });
  }

  Deno.test(`${id} retrieval: an edited turn gets nothing put back`, async () => {
    const lab = new Lab(dialect, { streaming: false });
    const script = turns("v", [say("One. "), ask("r1")], [say("Two.")]);
    const { text } = await lab.exchange(script);
    assert.equal(lab.records.length, 1);
    const seen = lab.read(text);
    lab.take({ ...seen, parts: [say("One. Too.")] });
    assert.deepEqual(lab.spliced(), lab.body());
  });

  Deno.test(`${id} retrieval: a turn that moved is found, one of two alike is not`, async () => {
    const lab = new Lab(dialect, { streaming: false });
    const script = turns("v", [say("One. "), ask("r1")], [say("Two.")]);
    const { text } = await lab.exchange(script);
    const seen = lab.read(text);
    lab.elements.unshift(lab.dialect.user("before"), lab.dialect.user("all"));
    lab.take(seen);
    assert.ok(lab.inside(lab.spliced()).includes(RETRIEVAL_TOOL));
    lab.elements.push(lab.dialect.user("why?"));
    lab.take(seen);
    assert.deepEqual(lab.spliced(), lab.body());
  });

  Deno.test(`${id} retrieval: a turn is not found where the same was said in answer to something else`, async () => {
    const { user, echo, results } = dialect;
    const script = turns("v", [say("One. "), ask("r1")], [say("Two.")]);
    // Agents of one template: alike but for what their calls are named and give.
    const begin = (callId: string, question: string) => {
      const lab = new Lab(dialect, { streaming: false });
      const [called] = turns("c", [call(callId)]);
      lab.elements.push(...echo(called!), ...results([callId]));
      if (question !== "") {
        const [halfway] = turns("h", [say("Halfway.")]);
        lab.elements.push(...echo(halfway!), user(question));
      }
      return lab;
    };
    for (const question of ["", "go on"]) {
      const [one, other, same] = [
        begin("ca", question),
        begin("cb", question),
        begin("ca", question),
      ];
      const seen = one.read((await one.exchange(script)).text);
      for (const lab of [other, same]) {
        lab.records.push(...one.records);
        lab.take(seen);
      }
      assert.deepEqual(other.spliced(), other.body());
      assert.ok(same.inside(same.spliced()).includes(RETRIEVAL_TOOL));
    }
    const [one, other] = [begin("ca", "go on"), begin("ca", "stop")];
    const seen = one.read((await one.exchange(script)).text);
    other.records.push(...one.records);
    other.take(seen);
    assert.deepEqual(other.spliced(), other.body());
  });

  Deno.test(`${id} retrieval: a turn that was generated again is the newest one`, async () => {
    const lab = new Lab(dialect, { streaming: false });
    let seen: Turn | undefined;
    for (const name of ["r1", "r2"]) {
      const script = turns("v", [say("One. "), ask(name)], [say("Two.")]);
      seen = lab.read((await lab.exchange(script)).text);
    }
    assert.equal(lab.records.length, 2);
    lab.take(seen!);
    const inside = lab.inside(lab.spliced());
    assert.ok(inside.includes("hash of r2"));
    assert.ok(!inside.includes("hash of r1"));
  });

  Deno.test(`${id} retrieval: records of turns that are not in the body are not parsed`, async () => {
    const lab = new Lab(dialect, { streaming: false });
    const script = turns("v", [say("One. "), ask("r1")], [say("Two.")]);
    lab.take(lab.read((await lab.exchange(script)).text));
    const before = lab.spliced();
    const [known] = lab.records;
    const anchors = ["call:other", `text:${"0".repeat(32)}@0`, "id:other"];
    for (const anchor of anchors) {
      lab.records.push({ ...known!, anchor, data: "no JSON" });
    }
    assert.deepEqual(lab.spliced(), before);
  });

  Deno.test(`${id} retrieval: what comes before ours leaves before the next round is asked for`, async () => {
    const lab = new Lab(dialect, { streaming: true });
    const [first, second] = turns("t", [say("One. "), ask("r1")], [
      say("Two."),
    ]);
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const ticks: (() => void)[] = [];
    let stopped = 0;
    const pending = lab.exchange([first!], {
      continueWith: () => promise,
      everyTenSeconds: (tick) => {
        ticks.push(tick);
        return () => void stopped++;
      },
      lookup: () => Promise.resolve({ content: "{}" }),
    });
    while (ticks.length === 0) await new Promise((done) => setTimeout(done));
    for (let i = 0; i < 2; i++) {
      ticks[0]!();
      // The client takes it before the next one is due.
      await new Promise((done) => setTimeout(done));
    }
    assert.equal(stopped, 0);
    resolve(replyOf(lab.answer(second!)));
    const { text } = await pending;
    assert.ok(stopped > 0);
    const pings = new TextDecoder().decode(
      dialect.format.retrieval.exchange({
        streaming: true,
        conversationLength: 1,
        includeUsage: true,
      }).ping,
    );
    const [before, after] = text.split(pings + pings);
    assert.ok(before!.includes("One. "));
    assert.ok(after!.includes("Two."));
    lab.read(text);
  });
}

async function sameInChunks(dialect: Dialect): Promise<void> {
  for (const rounds of Object.values(SCRIPTS)) {
    const whole = await new Lab(dialect, { streaming: true }).exchange(rounds);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (chunkSize) => {
        const lab = new Lab(dialect, { streaming: true, chunkSize });
        const { text, sent } = await lab.exchange(rounds);
        assert.equal(text, whole.text);
        assert.deepEqual(sent, whole.sent);
      }),
      { numRuns: 4, examples: [[1]] },
    );
  }
}
