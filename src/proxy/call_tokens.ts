/** Tokens of one provider call, by our counter: what its body would have had, and what was sent. @module */
import { RESERVED_OUTPUT, sumOfUsage, type Usage } from "../core/usage.ts";
import type { SavedTokens } from "../core/cost.ts";
import type { BodyCount } from "../core/tokens.ts";
import { type CallFacts, NOTHING_SAVED } from "./call_facts.ts";

/** What is counted of a call beside its body. */
export class CountedBeside {
  /** What was sent besides the client's own text, as in earlier requests. */
  readonly added: BodyCount[] = [];
  /** What stood where that stands. */
  readonly removed: BodyCount[] = [];
  /** Definitions that are not in the prompt, or are written anew. */
  unloaded: BodyCount | undefined;
  /** Definitions that are written anew, as they are sent. */
  rewritten: BodyCount | undefined;
  /** What was sent in further rounds. */
  readonly answers: BodyCount[];

  /** Nothing but the answers of further rounds. */
  constructor(answers: BodyCount[] = []) {
    this.answers = answers;
  }
}

/** The tokens of a call. */
export interface CallTokens {
  /** What the client's body has. */
  readonly before: number;
  /** What was sent. */
  readonly after: number;
  /** Of the difference, what is new and what was saved before. */
  readonly saved: SavedTokens;
  /** Of definitions that are not in the prompt. */
  readonly schema: number;
}

/** Everything that is counted for a call with this body. */
export function countsOf(
  body: BodyCount,
  { added, removed, answers, unloaded, rewritten }: CountedBeside,
): readonly BodyCount[] {
  return [
    ...[body, ...added, ...removed, ...answers],
    ...unloaded ? [unloaded] : [],
    ...rewritten ? [rewritten] : [],
  ];
}

/** Tokens of a call whose body was sent as it came. */
export function plainTokens(call: CallFacts, body: BodyCount): CallTokens {
  const before = tokensBefore(call, body.estimate().tokens);
  return { before, after: before, saved: NOTHING_SAVED, schema: 0 };
}

/** Tokens of a call, by what is counted so far. */
export function tokensOf(
  call: CallFacts,
  body: BodyCount,
  beside: CountedBeside,
): CallTokens {
  const { tokens, extraTokens } = body.estimate();
  const before = tokensBefore(call, tokens);
  const schema = (beside.unloaded?.estimate().tokens ?? 0) -
    (beside.rewritten?.estimate().tokens ?? 0);
  const [added, removed] = [sumOf(beside.added), sumOf(beside.removed)];
  const after = before - call.formTokensSaved - schema + extraTokens +
    added - removed + sumOf(beside.answers);
  const fresh = call.decided.reduce(
    (sum, { form }) => sum + form.tokensBefore - form.tokensAfter,
    0,
  );
  const saved = {
    fresh: fresh + (call.hasDeclared ? 0 : schema),
    kept: call.formTokensSaved - fresh + (call.hasDeclared ? schema : 0),
    addedFresh: call.hasDeclared ? 0 : extraTokens,
    // What is put back in place of something has that in it.
    addedKept: added - removed + (call.hasDeclared ? extraTokens : 0),
  };
  return { before, after, saved, schema };
}

function tokensBefore({ formed }: CallFacts, tokens: number): number {
  return formed.reduce((sum, { form }) => sum + form.tokensBefore, tokens);
}

function sumOf(counts: readonly BodyCount[]): number {
  return counts.reduce((sum, count) => sum + count.estimate().tokens, 0);
}

/** Tokens of one round by our own count. */
export interface OwnCount {
  /** Tokens of the prompt that was sent. */
  readonly sent: number;
  /** Tokens that the answer can have, by its size; 0 for what is no model's answer. */
  readonly received: number;
  /** Tokens that the request permits for an answer; `undefined` where it does not say. */
  readonly maxOutput: number | undefined;
}

/** No limit that a client sets counts beyond this: models generate no more in one answer. */
const MOST_OUTPUT = 128_000;

/**
 * The part of a claim that our own count supports. It makes every cost record an estimated one.
 *
 * @param claim One round's usage as the upstream reported it.
 * @returns No more prompt tokens than `sent`, no more generated ones than `received` or the request permits; an empty claim stays empty.
 */
export function supportedClaim(
  claim: Usage,
  { sent, received, maxOutput = RESERVED_OUTPUT }: OwnCount,
): Usage {
  if (Object.keys(claim).length === 0) return claim;
  const { output: claimed = received, outputEstimate: _, ...prompt } = claim;
  const output = Math.min(claimed, received, maxOutput, MOST_OUTPUT);
  return {
    ...promptTokens(prompt) <= sent ? sumOfUsage([prompt]) : { input: sent },
    output,
    outputEstimate: output,
  };
}

function promptTokens(
  { input = 0, cacheRead = 0, cacheWrite = 0, cacheWrite1h = 0 }: Usage,
): number {
  return input + cacheRead + Math.max(cacheWrite, cacheWrite1h);
}
