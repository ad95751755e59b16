/** What one provider call cost, measured once and recorded once. @module */
import type { Clock } from "../core/clock.ts";
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";
import type { Usage } from "../core/usage.ts";
import type { CompressedBody } from "../pipeline/compress_body.ts";
import type { FormedBlock } from "../pipeline/frozen_pass.ts";
import type { BodyCount } from "../core/tokens.ts";

/** Follows one call. */
export interface Meter {
  /** The body is here. */
  received(): void;
  /** The request leaves. */
  sent(): void;
  /** It was sent again as the client sent it: nothing was saved. */
  resent(): void;
  /** This was sent besides the client's own text, e.g. an original that the model asked for. */
  added(text: BodyCount): void;
  /** The model was given this back. */
  retrieved(event: RetrievalEvent): void;
  /** This was taken out, apart from what the forms save. */
  removed(text: BodyCount): void;
  /** One round's usage. */
  used(usage: Usage): void;
  /** `x-svc-tokens-*`, by what is counted so far. */
  headers(
    call: CompressedBody,
    count: BodyCount,
  ): Readonly<Record<string, string>>;
  /** Ends the call once its tokens are counted. */
  finish(call: CompressedBody, count: BodyCount, status: number): void;
  /** Ends a call that was not relayed. */
  failed(status: number): void;
}

/** What a meter needs. */
export interface MeterParts {
  /** Slug of the wire format. */
  readonly format: { readonly id: string };
  /** Measures. */
  readonly clock: Clock;
  /** Takes the finished request; never throws. */
  readonly record: (entry: RequestRecord) => void;
  /** Told of a record that waits for its count, so that a report can wait for it. */
  readonly pending: (record: Promise<void>) => void;
}

/** Starts to measure one call. */
export function makeMeter(parts: MeterParts): Meter {
  const { clock } = parts;
  const start = clock.monotonic();
  let receivedAt = start;
  let overheadMs = 0;
  let plain = false;
  const added: BodyCount[] = [];
  const removed: BodyCount[] = [];
  const retrieved: RetrievalEvent[] = [];
  let usage: Usage = {};
  const rounds: Usage[] = [];
  const tokens = (call: CompressedBody, count: BodyCount) => {
    const { tokens, extraTokens } = count.estimate();
    const before = tokens +
      call.formed.reduce((sum, { form }) => sum + form.tokensBefore, 0);
    const after = before - call.formTokensSaved + extraTokens +
      sumOf(added) - sumOf(removed);
    return { before, after: plain ? before : after };
  };
  const record = (facts: Partial<RequestRecord> & { status: number }) =>
    parts.record({
      provider: parts.format.id,
      model: "",
      tokensBefore: 0,
      tokensAfter: 0,
      latencyMs: clock.monotonic() - start,
      overheadMs,
      usage,
      strategies: [],
      leftAlone: [],
      forms: [],
      retrieved,
      furtherRounds: Math.max(0, rounds.length - 1),
      furtherInput: rounds.slice(1).reduce(
        (sum, { input = 0, cacheRead = 0, cacheWrite = 0 }) =>
          sum + input + cacheRead + cacheWrite,
        0,
      ),
      ...facts,
    });
  return {
    received: () => {
      receivedAt = clock.monotonic();
    },
    sent: () => {
      overheadMs = clock.monotonic() - receivedAt;
    },
    resent: () => {
      plain = true;
    },
    added: (text) => void added.push(text),
    retrieved: (event) => void retrieved.push(event),
    removed: (text) => void removed.push(text),
    used: (round) => {
      usage = sum(usage, round);
      rounds.push(round);
    },
    headers: (call, count) => {
      const { before, after } = tokens(call, count);
      return {
        "x-svc-tokens-before": `${before}`,
        "x-svc-tokens-after": `${after}`,
        "x-svc-tokens-saved": `${before - after}`,
      };
    },
    finish: (call, count, status) => {
      const latencyMs = clock.monotonic() - start;
      const counted = [count, ...added, ...removed].map(({ done }) => done);
      const done = Promise.all(counted).then(() => {
        const { before, after } = tokens(call, count);
        record({
          status,
          latencyMs,
          model: call.scan?.model ?? "",
          tokensBefore: before,
          tokensAfter: after,
          strategies: plain ? [] : call.strategies,
          leftAlone: plain ? [] : call.leftAlone,
          forms: plain ? [] : call.formed.map(sentForm),
        });
      });
      parts.pending(done);
    },
    failed: (status) => record({ status }),
  };
}

function sentForm({ key, block, form }: FormedBlock): SentForm {
  return {
    key,
    entry: form.entry,
    toolName: block.toolName ?? "",
    strategy: form.strategy,
    saved: form.tokensBefore - form.tokensAfter,
  };
}

function sumOf(counts: readonly BodyCount[]): number {
  return counts.reduce((sum, count) => sum + count.estimate().tokens, 0);
}

/** Adds what was reported; a field that neither round has stays missing. */
function sum(a: Usage, b: Usage): Usage {
  const total: { -readonly [K in keyof Usage]: number } = {};
  for (const key of ["input", "output", "cacheRead", "cacheWrite"] as const) {
    const [x, y] = [a[key], b[key]];
    if (x !== undefined || y !== undefined) total[key] = (x ?? 0) + (y ?? 0);
  }
  return total;
}
