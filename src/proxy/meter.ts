/** What one provider call cost, measured once and recorded once. @module */
import type { Clock } from "../core/clock.ts";
import type { Pricing } from "../core/cost.ts";
import type { BodyScan } from "../core/format.ts";
import type { PrefixProof, RequestRecord } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";
import type { BodyCount } from "../core/tokens.ts";
import type { Upstream } from "../core/upstream.ts";
import { sumOfUsage, type Usage } from "../core/usage.ts";
import { reasonsIn } from "../pipeline/seen_blocks.ts";
import type { CallsInFlight } from "./calls_in_flight.ts";
import {
  type CallFacts,
  contextHeaders,
  ESTIMATED,
  sentForm,
  tokenHeaders,
} from "./call_facts.ts";
import {
  type CallTokens,
  CountedBeside,
  countsOf,
  type OwnCount,
  plainTokens,
  supportedClaim,
  tokensOf,
} from "./call_tokens.ts";

/** What a meter needs. */
export interface MeterParts {
  /** Measures. */
  readonly clock: Clock;
  /** Makes the random id of a request. */
  readonly newId: () => string;
  /** What requests cost. */
  readonly pricing: Pricing;
  /** Takes the finished request; never throws. A promise, where it takes some turns, resolves when it is taken. */
  readonly record: (entry: RequestRecord) => Promise<void> | undefined | void;
  /** Holds a record that waits for its count, so that a report can wait for it. */
  readonly calls: Pick<CallsInFlight, "waitFor">;
}

/** One round's answer. */
interface Round {
  readonly usage: Usage;
  /** Tokens that the answer can have, by its size. */
  readonly received: number;
}

/** Follows one call: measures from its making on, and ends with the record. */
export class Meter {
  /** What is counted beside the body. */
  beside: CountedBeside = new CountedBeside();
  readonly #parts: MeterParts;
  readonly #empty: RequestRecord;
  readonly #onEnd: () => void;
  readonly #start: number;
  #upstream: Upstream | undefined;
  #receivedAt: number;
  #overheadMs = 0;
  #ttfbMs: number | undefined;
  #prefix: PrefixProof | undefined;
  #errorType = "";
  #isPlain = false;
  readonly #retrieved: RetrievalEvent[] = [];
  readonly #rounds: Round[] = [];

  /**
   * @param empty {@linkcode emptyRecord} of the call.
   * @param onEnd Called once, before the call is recorded.
   */
  constructor(
    parts: MeterParts,
    empty: RequestRecord,
    onEnd: () => void = () => {},
  ) {
    this.#parts = parts;
    this.#empty = empty;
    this.#onEnd = onEnd;
    this.#start = parts.clock.monotonic();
    this.#receivedAt = this.#start;
  }

  /** Of the request, in its record. */
  get id(): string {
    return this.#empty.id;
  }

  /** Where it goes; `undefined` until that is known. */
  get upstream(): Upstream | undefined {
    return this.#upstream;
  }

  /** Its destination is known. */
  goesTo(upstream: Upstream): void {
    this.#upstream = upstream;
  }

  /** The first byte of the response is here. */
  answering(): void {
    this.#ttfbMs ??= this.#latency();
  }

  /** How its bytes go on from the request before. */
  proved(proof: PrefixProof | undefined): void {
    this.#prefix = proof;
  }

  /** The body is here. */
  received(): void {
    this.#receivedAt = this.#parts.clock.monotonic();
  }

  /** The request leaves. */
  sent(): void {
    this.#overheadMs = this.#parts.clock.monotonic() - this.#receivedAt;
  }

  /** Another body is sent for it: what was counted so far does not count. */
  restarted(): void {
    this.beside = new CountedBeside(this.beside.answers);
  }

  /** It was sent again as the client sent it: nothing was saved. */
  resent(): void {
    this.#isPlain = true;
  }

  /** The model was given this back. */
  retrieved(event: RetrievalEvent): void {
    this.#retrieved.push(event);
  }

  /** The word that the upstream has for its error, or ours; empty for none. */
  errorIs(type: string): void {
    this.#errorType = type;
  }

  /** One round's usage, and the tokens that its answer can have by its size. */
  used(usage: Usage, received: number): void {
    this.#rounds.push({ usage, received });
  }

  /** `x-svc-tokens-*`, by what is counted so far, and what the prompt may have; `x-svc-tokens-estimated` where that is not everything. */
  headers(
    call: CallFacts,
    count: BodyCount,
  ): Readonly<Record<string, string>> {
    const { before, after } = this.#tokens(call, count);
    return {
      ...tokenHeaders("x-svc-tokens-", before, after),
      ...contextHeaders(call.context),
      ...countsOf(count, this.beside).every((one) => one.isExact())
        ? {}
        : ESTIMATED,
    };
  }

  /** Ends the call once its tokens are counted. */
  finish(call: CallFacts, count: BodyCount, status: number): void {
    const latencyMs = this.#latency();
    const counts = countsOf(count, this.beside);
    const done = Promise.all(counts.map(({ done }) => done)).then(() => {
      const { before, after, saved, schema } = this.#tokens(call, count);
      return this.#record({
        status,
        latencyMs,
        model: call.scan?.model ?? "",
        conversation: call.conversation ?? "",
        tokensBefore: before,
        tokensAfter: after,
        savedTokens: saved,
        schemaTokensSaved: schema,
        olderDecided: call.older?.reason,
        failures: call.failures,
        ...!this.#isPlain && {
          strategies: call.strategies,
          leftAlone: reasonsIn(call.seen),
          blocks: call.seen,
          forms: call.formed.map(sentForm),
          ...call.shape && { shape: call.shape },
        },
        ...call.context && { context: call.context },
        ...call.routing && { routedFrom: call.routing.route.from },
        ...call.breakpoints.length > 0 && { hasOwnBreakpoints: true },
      }, call.scan);
    });
    this.#parts.calls.waitFor(done);
  }

  /** Ends a call that no model answered. */
  failed(status: number): void {
    this.#record({ status, latencyMs: this.#latency() });
  }

  /** Ends a call that was refused here, before it was sent. */
  refused(by: NonNullable<RequestRecord["refusedBy"]>, model: string): void {
    const latencyMs = this.#latency();
    this.#record({ status: 429, latencyMs, model, refusedBy: by });
  }

  /** Ends a call that was answered from the response cache. */
  answeredFromCache(model: string): void {
    const latencyMs = this.#latency();
    this.#record({ status: 200, latencyMs, model, cached: true });
  }

  #tokens(call: CallFacts, count: BodyCount): CallTokens {
    return this.#isPlain
      ? plainTokens(call, count)
      : tokensOf(call, count, this.beside);
  }

  #latency(): number {
    return this.#parts.clock.monotonic() - this.#start;
  }

  /** Usage by round; of what an unknown upstream claims, the part that the request and the answer's size support. */
  #usage(own: Pick<OwnCount, "sent" | "maxOutput">): readonly Usage[] {
    return this.#rounds.map(({ usage, received }) =>
      this.#upstream?.isUnverified
        ? supportedClaim(usage, { ...own, received })
        : usage
    );
  }

  /** @param scan What was found in the body. */
  #record(
    facts: Partial<RequestRecord> & { status: number },
    scan?: Pick<BodyScan, "maxOutput" | "begun">,
  ): Promise<void> | undefined | void {
    const maxOutput = scan?.maxOutput;
    const rounds = this.#usage({ sent: facts.tokensAfter ?? 0, maxOutput });
    const entry: RequestRecord = {
      ...this.#empty,
      upstream: this.#upstream?.label ?? "",
      overheadMs: this.#overheadMs,
      ttfbMs: this.#ttfbMs,
      prefix: this.#prefix,
      errorType: this.#errorType,
      usage: sumOfUsage(rounds),
      furtherUsage: sumOfUsage(rounds.slice(1)),
      furtherRounds: Math.max(0, rounds.length - 1),
      retrieved: this.#retrieved,
      ...facts,
    };
    const isOurs = entry.cached || entry.refusedBy !== undefined;
    this.#onEnd();
    return this.#parts.record({
      ...entry,
      cost: isOurs ? undefined : this.#parts.pricing.costOf({
        ...entry,
        rounds,
        saved: entry.savedTokens,
        isBegun: scan?.begun ?? false,
      }),
    });
  }
}
