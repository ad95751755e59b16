import assert from "node:assert/strict";
import type { CostFacts } from "../../src/core/cost.ts";
import type {
  PrefixProof,
  RequestRecord,
  SeenBlock,
} from "../../src/core/ledger.ts";
import type { CompressedBody } from "../../src/pipeline/compressed_body.ts";
import type { BodyCount } from "../../src/core/tokens.ts";
import { Meter } from "../../src/proxy/meter.ts";
import { NO_PRICES, recordWith, upstreamAt } from "./call_parts.ts";

const SEEN: readonly SeenBlock[] = [{
  key: undefined,
  entry: undefined,
  isKnown: false,
  messageIndex: 0,
  toolName: "Bash",
  kind: "",
  outcome: "alone",
  strategy: "",
  reason: "no_kind",
  bytes: 300,
  tokensBefore: 9,
  tokensAfter: 9,
}];

const call = {
  scan: { model: "m" },
  strategies: ["log"],
  conversation: "c",
  seen: SEEN,
  formed: [{
    key: "b",
    block: { toolName: "Bash" },
    form: {
      strategy: "log",
      entry: "k",
      tokensBefore: 100,
      tokensAfter: 30,
    },
  }],
  formTokensSaved: 70,
  decided: [],
  hasDeclared: true,
  failures: [],
  breakpoints: [],
} as unknown as CompressedBody;

const PROOF: PrefixProof = {
  verdict: "extended",
  previousBytes: 10,
  equalBytes: 10,
  firstDifference: "",
};

/** A count that is estimated at first. */
function countOf(tokens: number, extraTokens: number) {
  let known = { tokens: 999, extraTokens };
  let isExact = false;
  const { promise, resolve } = Promise.withResolvers<typeof known>();
  const count: BodyCount = {
    estimate: () => known,
    isExact: () => isExact,
    done: promise,
  };
  return {
    count,
    finish() {
      known = { tokens, extraTokens };
      isExact = true;
      resolve(known);
    },
  };
}

function meterAt(time: { ms: number }) {
  const records: RequestRecord[] = [];
  const pending: Promise<void>[] = [];
  const meter = new Meter(
    {
      newId: () => "id",
      pricing: NO_PRICES,
      clock: { now: () => time.ms, monotonic: () => time.ms },
      record: (entry) => void records.push(entry),
      calls: { waitFor: (record) => void pending.push(record) },
    },
    recordWith({ at: time.ms, project: "shop", stack: "web", agent: "curl" }),
  );
  return { meter, records, pending };
}

Deno.test("meter records one request with its exact count, times and summed usage", async () => {
  const time = { ms: 100 };
  const { meter, records, pending } = meterAt(time);
  time.ms = 150;
  meter.goesTo(upstreamAt("http://up.test", "up"));
  meter.received();
  time.ms = 152;
  meter.sent();
  meter.used({ input: 5, output: 1 }, 1);
  meter.used({ output: 2, cacheRead: 7 }, 2);
  time.ms = 350;
  meter.answering();
  time.ms = 400;
  meter.answering();
  meter.proved(PROOF);
  const { count, finish } = countOf(200, 60);
  meter.finish(call, count, 200);
  assert.deepEqual(records, []);
  time.ms = 900;
  finish();
  await Promise.all(pending);
  assert.deepEqual(records, [{
    id: "id",
    at: 100,
    provider: "messages",
    upstream: "up",
    model: "m",
    status: 200,
    tokensBefore: 300,
    tokensAfter: 300 - 70 + 60,
    latencyMs: 300,
    overheadMs: 2,
    usage: { input: 5, output: 3, cacheRead: 7 },
    strategies: ["log"],
    leftAlone: ["no_kind"],
    blocks: SEEN,
    project: "shop",
    stack: "web",
    agent: "curl",
    conversation: "c",
    ttfbMs: 250,
    prefix: PROOF,
    forms: [{
      key: "b",
      entry: "k",
      toolName: "Bash",
      strategy: "log",
      saved: 70,
    }],
    retrieved: [],
    furtherRounds: 1,
    furtherUsage: { output: 2, cacheRead: 7 },
    savedTokens: { fresh: 0, kept: 70, addedFresh: 0, addedKept: 60 },
    schemaTokensSaved: 0,
    cost: undefined,
    cached: false,
    refusedBy: undefined,
    errorType: "",
    failures: [],
    olderDecided: undefined,
  }]);
});

Deno.test("meter says which requests have breakpoints of ours", async () => {
  const insertion = {
    span: { start: 1, end: 1 },
    replacement: Uint8Array.of(0x20),
  };
  for (const breakpoints of [[], [insertion]]) {
    const { meter, records, pending } = meterAt({ ms: 0 });
    const { count, finish } = countOf(200, 60);
    finish();
    meter.finish({ ...call, breakpoints }, count, 200);
    await Promise.all(pending);
    const expected = breakpoints.length > 0 ? true : undefined;
    assert.equal(records[0]!.hasOwnBreakpoints, expected);
  }
});

Deno.test("meter gives the token headers by what is counted so far; a definition can cost more than was saved", () => {
  const { meter } = meterAt({ ms: 0 });
  const { count, finish } = countOf(200, 75);
  assert.deepEqual(meter.headers(call, count), {
    "x-svc-tokens-before": "1099",
    "x-svc-tokens-after": "1104",
    "x-svc-tokens-saved": "-5",
    "x-svc-tokens-estimated": "true",
  });
  finish();
  assert.deepEqual(meter.headers(call, count), {
    "x-svc-tokens-before": "300",
    "x-svc-tokens-after": "305",
    "x-svc-tokens-saved": "-5",
  });
});

Deno.test("meter marks the token headers while anything that was sent is not counted", () => {
  for (const name of ["added", "removed", "answers", "unloaded"] as const) {
    const { meter } = meterAt({ ms: 0 });
    const { count, finish } = countOf(200, 75);
    const other = countOf(10, 0);
    if (name === "unloaded") meter.beside.unloaded = other.count;
    else meter.beside[name].push(other.count);
    finish();
    const isMarked = () =>
      "x-svc-tokens-estimated" in meter.headers(call, count);
    assert.equal(isMarked(), true, name);
    other.finish();
    assert.equal(isMarked(), false, name);
  }
});

Deno.test("meter counts nothing as saved for a request that went out as it came", async () => {
  const { meter, records, pending } = meterAt({ ms: 0 });
  meter.resent();
  const { count, finish } = countOf(200, 60);
  assert.equal(meter.headers(call, count)["x-svc-tokens-saved"], "0");
  meter.finish(call, count, 200);
  finish();
  await Promise.all(pending);
  assert.equal(records[0]?.tokensAfter, records[0]?.tokensBefore);
  assert.deepEqual(records[0]?.strategies, []);
});

Deno.test("meter records a call that was not relayed at once", () => {
  const { meter, records } = meterAt({ ms: 0 });
  meter.failed(502);
  assert.equal(records[0]?.status, 502);
  assert.equal(records[0]?.tokensBefore, 0);
});

Deno.test("meter keeps apart what was saved and added in this request and before", async () => {
  const { meter, records, pending } = meterAt({ ms: 0 });
  const put = [countOf(80, 0), countOf(500, 0), countOf(200, 60)];
  const [back, answer, body] = put;
  meter.beside.added.push(back!.count);
  meter.beside.answers.push(answer!.count);
  const first = { ...call, decided: call.formed, hasDeclared: false };
  meter.finish({ ...first, formTokensSaved: 90 }, body!.count, 200);
  for (const { finish } of put) finish();
  await Promise.all(pending);
  assert.deepEqual(records[0]?.savedTokens, {
    fresh: 70,
    kept: 20,
    addedFresh: 60,
    addedKept: 80,
  });
  assert.equal(records[0]?.tokensAfter, 300 - 90 + 60 + 80 + 500);
});

Deno.test("meter takes definitions that are deferred for saved: fresh where the conversation begins, then kept", async () => {
  for (const hasDeclared of [false, true]) {
    const { meter, records, pending } = meterAt({ ms: 0 });
    const counts = [countOf(1000, 0), countOf(40, 0), countOf(200, 60)];
    const [late, answer, body] = counts;
    meter.beside.unloaded = late!.count;
    meter.beside.answers.push(answer!.count);
    meter.finish({ ...call, hasDeclared }, body!.count, 200);
    for (const { finish } of counts) finish();
    await Promise.all(pending);
    const [record] = records;
    assert.equal(record?.schemaTokensSaved, 1000);
    assert.deepEqual(
      record?.savedTokens,
      hasDeclared
        ? { fresh: 0, kept: 1070, addedFresh: 0, addedKept: 60 }
        : { fresh: 1000, kept: 70, addedFresh: 60, addedKept: 0 },
    );
    assert.equal(record?.tokensAfter, 300 - 70 - 1000 + 60 + 40);
  }
});

Deno.test("meter forgets deferred definitions of a body that another one took the place of, or that went out as it came", async () => {
  for (const change of ["restarted", "resent"] as const) {
    const { meter, records, pending } = meterAt({ ms: 0 });
    const late = countOf(1000, 0);
    meter.beside.unloaded = late.count;
    meter[change]();
    const { count, finish } = countOf(200, 60);
    meter.finish(call, count, 200);
    finish();
    late.finish();
    await Promise.all(pending);
    assert.equal(records[0]?.schemaTokensSaved, 0, change);
  }
});

Deno.test("meter puts a price on what was sent upstream, and on nothing else", () => {
  const asked: CostFacts[] = [];
  const records: RequestRecord[] = [];
  const meterWith = () =>
    new Meter(
      {
        newId: () => "id",
        pricing: {
          costOf: (facts) => {
            asked.push(facts);
            return undefined;
          },
          reserveFor: () => 0,
          contextLimit: () => undefined,
        },
        clock: { now: () => 0, monotonic: () => 0 },
        record: (entry) => void records.push(entry),
        calls: { waitFor: () => {} },
      },
      recordWith({}),
    );
  meterWith().failed(502);
  meterWith().answeredFromCache("m");
  meterWith().refused("budget", "m");
  assert.deepEqual(asked.map(({ status }) => status), [502]);
  assert.deepEqual(
    records.map(({ status, cached, refusedBy }) => [status, cached, refusedBy]),
    [[502, false, undefined], [200, true, undefined], [429, false, "budget"]],
  );
});

Deno.test("meter takes off what a retrieval sent back", async () => {
  const { meter, records, pending } = meterAt({ ms: 0 });
  const answer = countOf(80, 0);
  meter.beside.added.push(answer.count);
  const replaced = countOf(15, 0);
  meter.beside.removed.push(replaced.count);
  const { count, finish } = countOf(200, 60);
  meter.finish(call, count, 200);
  finish();
  answer.finish();
  replaced.finish();
  await Promise.all(pending);
  assert.equal(records[0]?.tokensAfter, 300 - 70 + 60 + 80 - 15);
  const { fresh, kept, addedFresh, addedKept } = records[0]!.savedTokens;
  assert.equal(fresh + kept, 70, "what the forms save, and nothing else");
  assert.equal(addedFresh + addedKept, 60 + 80 - 15);
});
