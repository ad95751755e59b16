/** Why an upstream gave no response, or half of one. @module */
import { errorMessage, ServiceError } from "../core/errors.ts";

/** Nothing left: no connection to the upstream was established. Thrown below {@linkcode UpstreamUnreachable}, with what prevented it as its cause. */
export class ConnectFailure extends Error {
  /** Makes the failure; `cause` is what the last attempt failed with. */
  constructor(cause: unknown) {
    const reason = errorMessage(cause);
    super(`Cannot connect to the upstream: ${reason}`, { cause });
    this.name = "ConnectFailure";
  }
}

/** A response whose status no client can be given. Thrown below {@linkcode UpstreamUnreachable}. */
export class UnusableStatus extends RangeError {
  /** The status. */
  readonly status: number;

  /** Makes the failure. */
  constructor(status: number) {
    super(`Unusable status ${status}`);
    this.name = "UnusableStatus";
    this.status = status;
  }
}

/** The upstream could not be reached, the connection broke before a response, or the response was none. Its message holds the host and nothing else of the URL. */
export class UpstreamUnreachable extends ServiceError {
  /** Whether it may be reached later although not a byte of the request left: sending again does nothing twice. */
  readonly isUnsent: boolean;

  /** Makes the error of one failed request. */
  constructor(host: string, { reason, isUnsent, via, status }: Unreachable) {
    const through = via === undefined ? "" : ` through the proxy ${via}`;
    const advice = ADVICE[reason] ??
      "check that its address is right and that it is up";
    const what = status === undefined
      ? `Failed to connect to upstream API at ${host}${through} (${reason})`
      : `Upstream API at ${host}${through} ${oddAnswer(status)}`;
    const details = { host, reason };
    super("connection_error", `${what}: ${advice}`, details);
    this.name = "UpstreamUnreachable";
    this.isUnsent = isUnsent;
  }
}

function oddAnswer(status: number): string {
  if (status === 101) return "switched protocols (101) without being asked to";
  const what = status >= 100 && status < 200 ? "final HTTP" : "HTTP";
  return `answered with status ${status}, which is no ${what} status`;
}

/** What is known of a failure. */
interface Unreachable {
  readonly reason: string;
  readonly isUnsent: boolean;
  /** Host of the HTTP proxy in between. */
  readonly via?: string | undefined;
  /** What it answered with all the same. */
  readonly status?: number | undefined;
}

/** The upstream's response broke off. Its message holds the host and nothing else of the URL. */
export class UpstreamBrokeOff extends ServiceError {
  /** Makes the error; `cause` is what the body broke with. */
  constructor(host: string, cause: unknown) {
    super(
      "connection_error",
      `Upstream API at ${host} broke its response off: try again`,
      { host, reason: "connection closed" },
    );
    this.name = "UpstreamBrokeOff";
    this.cause = cause;
  }
}

/** The upstream took longer than SVC_REQUEST_TIMEOUT allows, until its response began or between two parts of it. */
export class UpstreamTimeout extends ServiceError {
  /** Makes the error; `phase` says what did not come within `timeoutMs` milliseconds. */
  constructor(host: string, phase: "response" | "chunk", timeoutMs: number) {
    const what = phase === "response" ? "did not answer" : "sent nothing more";
    super(
      "connection_error",
      `Upstream API at ${host} ${what} within ${
        timeoutMs / 1000
      } seconds: try again, or raise SVC_REQUEST_TIMEOUT`,
      { host, reason: "timed out", timeout_ms: timeoutMs },
    );
    this.name = "UpstreamTimeout";
  }
}

const UNTRUSTED = "certificate not accepted";
const PROXY_REFUSED = "refused by the HTTP proxy";
const UNUSABLE = "unusable status";
const NOT_PERMITTED = "not permitted";

/** What helps against some reasons. */
const ADVICE: Readonly<Record<string, string>> = {
  [UNTRUSTED]:
    "check its address, or name the authority of its certificate in SVC_CA_FILE",
  [PROXY_REFUSED]: "check SVC_HTTP_PROXY, its user and its password",
  [UNUSABLE]: "check that its address is right",
  [NOT_PERMITTED]:
    "--offline, or a narrow --allow-net, keeps svc to the hosts of its configuration; add this one to it and start svc again, or start it without --offline",
};

/** Signs of a cause in the text of an error, first match wins. */
const REASONS: readonly (readonly [sign: RegExp, reason: string])[] = [
  // What the runtime refuses: a connection, and the look-up of a name.
  [/^NotCapable|getaddrinfo EPERM/, NOT_PERMITTED],
  [/certificate|altname/i, UNTRUSTED],
  [/tunnel error|proxy auth/i, PROXY_REFUSED],
  [/refused/i, "connection refused"],
  [/dns|lookup|ENOTFOUND|EAI_/i, "unknown host name"],
  [/tls|ssl|corrupt message|handshake/i, "TLS failure"],
  [/timed? ?out/i, "timed out"],
  [/blocked/i, "blocked port"],
  [/reset|closed|hang up|incomplete|broken pipe/i, "connection closed"],
];

/** Reasons that no further try takes away. */
const LASTING: ReadonlySet<string> = new Set([
  UNTRUSTED,
  PROXY_REFUSED,
  NOT_PERMITTED,
]);

/** Where a request was to go. */
export interface Attempted {
  /** The request's URL. */
  readonly url: string;
  /** Host of the HTTP proxy it was to go through. */
  readonly via?: string | undefined;
}

/**
 * The error for what `fetch` or a socket threw. Of its text nothing is kept but a short
 * reason: it holds the URL, and that may hold a key.
 */
export function unreachable(
  error: unknown,
  { url, via }: Attempted,
): UpstreamUnreachable {
  const { host } = new URL(url);
  if (error instanceof UnusableStatus) {
    const { status } = error;
    const facts = { reason: UNUSABLE, isUnsent: false, status, via };
    return new UpstreamUnreachable(host, facts);
  }
  const isConnectFailure = error instanceof ConnectFailure;
  const thrown = isConnectFailure ? error.cause : error;
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : "";
  const text = `${thrown} ${code} ${cause ?? ""}`
    .replace(/https?:\/\/\S*/g, "");
  const reason = REASONS.find(([sign]) => sign.test(text))?.[1] ??
    "connection failed";
  // The runtime's client says in words whether it got as far as sending.
  const isUnconnected = isConnectFailure || text.includes("(Connect)");
  return new UpstreamUnreachable(host, {
    reason,
    isUnsent: isUnconnected && !LASTING.has(reason),
    via,
  });
}

/**
 * What is wrong with a status that is nothing to pass on: one outside 200 to 599, with which no response
 * can be made, and the 407 of our own HTTP proxy, which no client could answer.
 *
 * @param isProxied Whether the request went through an HTTP proxy.
 */
export function unusable(
  status: number,
  isProxied: boolean,
): Error | undefined {
  if (status === 407 && isProxied) {
    return new Error("Proxy authentication required");
  }
  return status < 200 || status > 599 ? new UnusableStatus(status) : undefined;
}
