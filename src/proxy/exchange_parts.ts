/** What an exchange with a provider is made from. @module */
import type { ProviderFormat } from "../core/format.ts";
import type { BodyCount, CountInput } from "../core/tokens.ts";
import type { Send, Upstream } from "../core/upstream.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import type { PrefixProofs } from "../pipeline/prefix_proof.ts";
import type { StickyBetas } from "./beta_tracker.ts";
import type { HostRefusals, OnHostRefused } from "./host_refusals.ts";
import type { Meter } from "./meter.ts";
import type { RequestBody } from "./request_body.ts";
import type { RetrievalParts } from "./retrieval_session.ts";

/** Parts that outlive the call. */
export interface ExchangeParts {
  /** Whether `x-svc-*` fields stop here. */
  readonly stripInternal: boolean;
  /** What callers from other machines send; never forwarded. */
  readonly token: string | undefined;
  /** Counts a body beside the request. */
  readonly count: (input: CountInput) => BodyCount;
  /** Sends upstream. */
  readonly send: Send;
  /** What answering retrievals needs. */
  readonly retrievals: RetrievalParts;
  /** Told of what broke a response, or kept it from coming. */
  readonly onFailure: (error: unknown, upstream: Upstream | undefined) => void;
  /** Told of the id of a response that a later request may continue. Never throws. */
  readonly onResponseId: (
    id: string,
    call: Pick<CompressedBody, "conversation">,
  ) => void;
  /** Compares what is sent with the request before. */
  readonly proofs: PrefixProofs;
  /** Told of an addition that the upstream does not take. */
  readonly onHostRefused: OnHostRefused;
  /** What is known of requests for usage, by host and model. */
  readonly refusals: Pick<HostRefusals, "usage" | "noteUsage">;
}

/** One call. */
export interface Exchange {
  /** The client's request. */
  readonly request: Request;
  /** Aborted when the client leaves, or the proxy stops. */
  readonly signal: AbortSignal;
  /** Its body. */
  readonly read: RequestBody;
  /** Where it goes. */
  readonly upstream: Upstream;
  /** Its wire format. */
  readonly format: ProviderFormat;
  /** Path and query to send; the client's own when `undefined`. */
  readonly path: string | undefined;
  /** Whether the model is asked about the conversation, and not to go on with it. */
  readonly isPreview: boolean;
  /** Beta features of the conversation; `undefined` where the client's field is left alone. */
  readonly betas: StickyBetas | undefined;
  /** What is sent. */
  readonly call: CompressedBody;
  /** What is sent after an error whose body is `text`; `undefined` when there is no second try. */
  readonly again: (
    refusal: { readonly status: number; readonly text: string },
  ) => Promise<CompressedBody | undefined>;
  /** Follows the call. */
  readonly meter: Meter;
}
