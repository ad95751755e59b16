/** What one provider call cost, measured once and recorded once. @module */
import type { Clock } from "../core/clock.ts";
import type { MadeForm, RequestRecord } from "../core/ledger.ts";
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
  let usage: Usage = {};
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
      made: [],
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
    removed: (text) => void removed.push(text),
    used: (round) => {
      usage = sum(usage, round);
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
          made: plain ? [] : call.made.map(madeForm),
        });
      });
      parts.pending(done);
    },
    failed: (status) => record({ status }),
  };
}

function madeForm({ block, form }: FormedBlock): MadeForm {
  return {
    toolName: block.toolName ?? "",
    strategy: form.strategy,
    isElided: form.entry !== undefined,
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
