/** Where requests go. @module */

/** One header field. */
export type HeaderField = readonly [name: string, value: string];

/** The groups of routes that have an upstream of their own. */
export type Family = "messages" | "chat" | "vertex" | "foundry" | "google";

/** What a route knows about its destination. */
export interface RouteTarget {
  /** Whose upstream it goes to; `undefined` where nothing names one: then only an upstream that the client chose is right. */
  readonly family: Family | undefined;
  /** Region of a vertex route, checked; `global` for the host without one. */
  readonly region?: string;
  /** Where the request goes instead of the configured upstream; one that the client chose wins. */
  readonly fixed?: Upstream;
}

/** A resolved destination. */
export interface Upstream {
  /** Origin and optional path prefix. */
  readonly base: URL;
  /** Label for reports: the provider's name where the host is known, else the host. */
  readonly label: string;
  /** The operator's fields for this host; they win over the client's of the same name. */
  readonly extraHeaders: readonly HeaderField[];
  /** Whether the client chose it for this request; not there unless it did. */
  readonly isChosen?: true;
  /** Whether the client chose it and the operator did not name it: what it reports as usage is a claim. */
  readonly isUnverified?: true;
  /** The only addresses that may be connected to, IP literals; absent where any may that the name has. */
  readonly addresses?: readonly string[];
  /** Path and query to send instead of the client's, as they are to be written; the client's own unless given. */
  readonly path?: string;
  /** Why the upstream that the client asked for is not used, as a slug; absent when it asked for none or got it. */
  readonly ignoredOverride?: string;
}

/** Picks destinations. */
export interface UpstreamResolver {
  /** Never rejects: an upstream that the client may not choose means the configured one. */
  resolve(request: Request, wanted: RouteTarget): Promise<Upstream>;
}

/** Reads a body chunk by chunk. */
export interface ChunkReader {
  /** The next chunk; `undefined` at the end. Rejects with what broke the body. */
  read(): Promise<Uint8Array | undefined>;
  /** Ends the body before its end. */
  cancel(reason: unknown): Promise<void>;
}

/** Body of a request to an upstream: bytes, or a stream of them, which is sent in chunks without a length; `null` for none. */
export type UpstreamBody = Uint8Array | ReadableStream<Uint8Array> | null;

/** A request to an upstream, which may hold what the fetch standard cannot express. */
export interface UpstreamCall {
  /** Absolute URL, path and query byte for byte as the client wrote them. */
  readonly target: string;
  /** HTTP method. */
  readonly method: string;
  /** Fields, names in lower case, each name once. */
  readonly headers: readonly HeaderField[];
  /** What is sent. */
  readonly body: UpstreamBody;
  /** Ends the request, and afterwards the body of its reply. */
  readonly signal: AbortSignal;
  /** The only addresses that may be connected to, IP literals; any that the name has where absent. */
  readonly addresses?: readonly string[] | undefined;
  /** Whether the client has the beginning of the answer already and cannot ask again itself: temporary failures are retried here. */
  readonly isContinuation: boolean;
}

/** What an upstream answers. Stages hand it on; the `Response` is made of it where it leaves. */
export interface Reply {
  /** From 200 to 599. */
  readonly status: number;
  /** Reason phrase; empty where there is none. */
  readonly statusText: string;
  /** Fields. Not modified. */
  readonly headers: Headers;
  /** The body: whole, or as it comes; `null` for none. */
  readonly body: Uint8Array | ChunkReader | null;
}

/** Sends one request. */
export type Send = (call: UpstreamCall) => Promise<Reply>;
