/** A limit on requests per minute and caller. @module */
import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Clock } from "../../core/clock.ts";
import type { ProviderFormat } from "../../core/format.ts";
import type { RateLimit } from "../../core/limits.ts";
import type { ProxyEnv } from "../env.ts";
import { errorResponse, plainError } from "../errors.ts";
import { type Caller, callerIn, type Trust } from "./caller.ts";

/** What the gate depends on. */
export interface RateOptions {
  /** Counts. */
  readonly rate: RateLimit;
  /** Gateways that are believed. */
  readonly trust: Trust;
  /** Told of each request that was refused. Never throws. */
  readonly onRefused?: () => void;
}

/** Makes the gate: 429 for a caller that has used up its share, with the time to wait. */
export function limitRate(
  { rate, trust, onRefused }: RateOptions,
): MiddlewareHandler<ProxyEnv> {
  return async (c, next) => {
    const key = callerKey(c.req.raw.headers, callerIn(c, trust));
    const waitMs = await rate.take(key);
    if (waitMs <= 0) return await next();
    onRefused?.();
    return rateLimited(Math.ceil(waitMs / 1000));
  };
}

/** Fields that hold credentials. */
const CREDENTIALS = [
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
] as const;

/** Digest of the whole credentials and the address: callers of one machine with two keys are two. */
export function callerKey(
  headers: Headers,
  { address }: Pick<Caller, "address">,
): string {
  const parts = CREDENTIALS.map((name) => headers.get(name));
  return createHash("sha256")
    .update(JSON.stringify([address ?? null, ...parts]))
    .digest("base64url");
}

/** How much is counted. */
export interface RateLimitOptions {
  /** Requests per minute and caller, at least 1; as many may come at once. */
  readonly perMinute: number;
  /** Time. */
  readonly clock: Pick<Clock, "monotonic">;
  /** Callers that are told apart; 10,000 unless given. Further ones share one share. */
  readonly maxCallers?: number;
}

/** What a caller has left. */
interface Bucket {
  /** Requests, with a fraction. */
  tokens: number;
  /** Monotonic milliseconds at which that was so. */
  at: number;
}

const MINUTE_MS = 60_000;
const MAX_CALLERS = 10_000;

/**
 * Counts requests per caller in this process.
 *
 * A caller that has waited a minute has its whole share again and is forgotten,
 * which changes nothing for it. Nobody is forgotten earlier, so that crowding
 * callers out gives nobody a new share.
 */
export function makeRateLimit(
  { perMinute, clock, maxCallers = MAX_CALLERS }: RateLimitOptions,
): RateLimit {
  /** The one that was asked for longest ago comes first. */
  const buckets = new Map<string, Bucket>();
  const others: Bucket = { tokens: perMinute, at: clock.monotonic() };
  const purge = (now: number) => {
    for (const [caller, { at }] of buckets) {
      if (now - at < MINUTE_MS) return;
      buckets.delete(caller);
    }
  };
  const bucketOf = (caller: string, now: number): Bucket => {
    const known = buckets.get(caller);
    if (known === undefined && buckets.size >= maxCallers) return others;
    const bucket = known ?? { tokens: perMinute, at: now };
    buckets.delete(caller);
    buckets.set(caller, bucket);
    return bucket;
  };
  return {
    take(caller) {
      const now = clock.monotonic();
      purge(now);
      return Promise.resolve(takeFrom(bucketOf(caller, now), perMinute, now));
    },
  };
}

/** Takes one request, or says how many milliseconds are missing. */
function takeFrom(bucket: Bucket, perMinute: number, now: number): number {
  const perMs = perMinute / MINUTE_MS;
  const refilled = bucket.tokens + (now - bucket.at) * perMs;
  bucket.tokens = Math.min(perMinute, refilled);
  bucket.at = now;
  if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs);
  bucket.tokens--;
  return 0;
}

/**
 * The gate's refusal in the shape of a provider's family, as that refuses too.
 *
 * @param refusal What the gate answered: the time to wait stands in its field.
 */
export function rateResponse(
  { errorBody }: Pick<ProviderFormat, "errorBody">,
  refusal: Response,
): Response {
  const seconds = Number(refusal.headers.get("retry-after"));
  return errorResponse(errorBody(429, messageOf(seconds)), 429, {
    "retry-after": `${seconds}`,
  });
}

function messageOf(seconds: number): string {
  return `Cannot take more requests per minute from this caller: wait ${seconds} s, or raise SVC_RPM`;
}

function rateLimited(seconds: number): Response {
  return plainError(429, {
    type: "rate_limit_error",
    message: messageOf(seconds),
    details: { retry_after_seconds: seconds },
  }, { "retry-after": `${seconds}` });
}
