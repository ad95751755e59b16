/** Random requests for properties of the ledger. */
import fc from "fast-check";
import type {
  PrefixProof,
  RequestRecord,
  SeenBlock,
  SentForm,
} from "../../src/core/ledger.ts";
import type { BlockKey, CcrKey } from "../../src/core/store.ts";
import { NOON, RECORD } from "./samples.ts";

const tokens = fc.integer({ min: 0, max: 100_000 });
const PLAIN = { noNullPrototype: true } as const;
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: undefined });
/** Few names, with awkward ones among them. */
const name = fc.oneof(
  fc.constantFrom("", "a", "b", "(other)", "(added)", "__proto__", `"\\'é `),
  fc.string(),
).map((text) => text.replaceAll("\0", ""));

const form: fc.Arbitrary<SentForm> = fc.record({
  key: fc.uuid().map((id) => id as BlockKey),
  entry: maybe(fc.uuid().map((id) => id as CcrKey)),
  toolName: name,
  strategy: fc.constantFrom("log", "json", "wrapped:json"),
  saved: tokens,
}, PLAIN);

const block: fc.Arbitrary<SeenBlock> = fc.record({
  key: maybe(fc.constant("b" as BlockKey)),
  entry: maybe(fc.constant("k" as CcrKey)),
  isKnown: fc.boolean(),
  messageIndex: fc.nat(),
  toolName: name,
  kind: fc.constantFrom("", "log"),
  outcome: fc.constantFrom("elided", "reformatted", "alone"),
  strategy: fc.constantFrom("", "log"),
  reason: fc.constantFrom("", "too_small"),
  bytes: fc.nat(),
  tokensBefore: maybe(tokens),
  tokensAfter: maybe(tokens),
}, PLAIN);

const prefix: fc.Arbitrary<PrefixProof> = fc.record({
  verdict: fc.constantFrom("first", "extended", "client", "decided", "ours"),
  previousBytes: fc.nat(),
  equalBytes: fc.nat(),
  firstDifference: fc.constantFrom("", "/messages/3"),
}, PLAIN);

const money = maybe(fc.integer({ min: -1e12, max: 1e12 }));

/** Any finished request: answered, failed, left by its client, cached, refused, with and without a bill and a price. */
export const anyRecord: fc.Arbitrary<RequestRecord> = fc.record({
  id: fc.uuid(),
  at: fc.integer({ min: NOON - 50 * 86_400_000, max: NOON }),
  provider: fc.constantFrom("messages", "responses"),
  model: name,
  project: name,
  stack: name,
  agent: name,
  conversation: name,
  status: fc.constantFrom(200, 200, 200, 400, 429, 499, 500, 529),
  cached: fc.constantFrom(false, false, true),
  refusedBy: fc.constantFrom(undefined, undefined, "budget", "rate_limit"),
  tokensBefore: tokens,
  tokensAfter: tokens,
  latencyMs: fc.integer({ min: 0, max: 1e7 }),
  ttfbMs: maybe(tokens),
  usage: fc.record({
    input: tokens,
    output: tokens,
    cacheRead: tokens,
    cacheWrite: tokens,
  }, { ...PLAIN, requiredKeys: [] }),
  cost: maybe(fc.record({
    basis: fc.constantFrom("measured", "estimated"),
    nanoUsd: money,
    savedGrossNanoUsd: money,
    savedNetNanoUsd: money,
  }, PLAIN)),
  blocks: fc.array(block, { maxLength: 2 }),
  prefix: maybe(prefix),
  forms: fc.array(form, { maxLength: 5 }),
  furtherRounds: fc.nat({ max: 2 }),
}).map((fields): RequestRecord => {
  const { forms, tokensBefore, tokensAfter } = fields;
  const kept = forms.reduce((sum, { saved }) => sum + saved, 0);
  // What is not the forms' was added.
  const after = Math.max(tokensAfter, tokensBefore - kept);
  const addedKept = after - tokensBefore + kept;
  const savedTokens = { fresh: 0, kept, addedFresh: 0, addedKept };
  return { ...RECORD, ...fields, tokensAfter: after, savedTokens };
});
