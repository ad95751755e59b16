/** One request to a provider from its arrival to its record: measured, and what goes wrong is answered and recorded. @module */
import { ServiceError } from "../core/errors.ts";
import { isAbort } from "../pipeline/attempt.ts";
import type { BodyBytes, BodyLease } from "./body_bytes.ts";
import { emptyRecord } from "./call_facts.ts";
import type { CallsInFlight } from "./calls_in_flight.ts";
import type { Incoming } from "./env.ts";
import { clientGone, statusOf } from "./errors.ts";
import { Meter, type MeterParts } from "./meter.ts";

/** What following calls needs. */
export interface FollowParts extends MeterParts {
  /** Requests that are not recorded yet. */
  readonly calls: CallsInFlight;
  /** Bounds the bytes of all bodies that are read whole. */
  readonly bodies: BodyBytes;
}

/** A call under way. */
export interface FollowedCall {
  /** Aborted when the client leaves, or the proxy stops. */
  readonly signal: AbortSignal;
  /** Follows the call; its end is the record. */
  readonly meter: Meter;
  /** Holds the bytes of its body, at most until it is recorded. */
  readonly lease: BodyLease;
}

/** What calls of one kind have of their own. */
export interface CallKind {
  /** {@linkcode RequestRecord.provider} of their records. */
  readonly provider: string;
  /** Makes the answer to an error that is not the client's leaving. */
  readonly refusal: (error: ServiceError, meter: Meter) => Response;
  /** Answers it, and sees to its record where it does not throw. */
  readonly work: (call: FollowedCall) => Promise<Response>;
}

/**
 * Runs one call.
 *
 * @throws What is no {@linkcode ServiceError}, once it is recorded.
 */
export async function followedCall(
  parts: FollowParts,
  { request, env, names }: Incoming,
  { provider, refusal, work }: CallKind,
): Promise<Response> {
  const { signal, recorded } = parts.calls.begin(request, env);
  const lease = parts.bodies.lease(signal);
  const meter = new Meter(parts, emptyRecord(parts, provider, names), () => {
    lease[Symbol.dispose]();
    recorded();
  });
  try {
    return await work({ signal, meter, lease });
  } catch (error) {
    if (signal.aborted || isAbort(error)) {
      meter.failed(499);
      return clientGone();
    }
    if (!(error instanceof ServiceError)) {
      meter.failed(500);
      throw error;
    }
    meter.errorIs(error.type);
    meter.failed(statusOf(error));
    return refusal(error, meter);
  }
}
