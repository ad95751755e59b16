/** What the server hands to the app with every request. @module */
import {
  type Attribution,
  attributionOf,
  splitProject,
} from "./attribution.ts";
import { pathOf } from "../upstream/forward.ts";
import type { Context } from "hono";

/** Hono environment of all handlers and gates: `c.env.peer`. */
export type ProxyEnv = {
  /** Values bound per request. */
  Bindings: {
    /** The other end of the connection, as the socket sees it. */
    peer: Peer;
    /** Settles, without ever rejecting, when the response was sent whole or broke off; absent without a server. */
    completed?: Promise<void>;
    /** Calls `listener` when the client leaves before the response begins; absent where that cannot be seen. */
    onLeave?: (listener: () => void) => void;
  };
  /** What gates found out for those behind them. */
  Variables: {
    /** Whether the request carried the proxy's token. */
    holdsToken?: boolean;
    /** What a handler says about a change that it made, for the audit. */
    auditDetails?: AuditDetails;
  };
};

/** What the server knows about the request in `c`; nothing where there is no server in front, e.g. in a test. */
export function bindingsOf(
  c: Context<ProxyEnv>,
): Partial<ProxyEnv["Bindings"]> {
  const env: Partial<ProxyEnv["Bindings"]> | undefined = c.env;
  return env ?? {};
}

/** What a handler says about a change that it made: names of settings, never their values. */
interface AuditDetails {
  /** Settings that have another value now. */
  readonly changed_keys: readonly string[];
  /** Settings that cannot be changed. */
  readonly refused_keys?: readonly string[];
}

/** Who is calling, as seen by the socket. */
export interface Peer {
  /** IP literal, or `undefined` when the transport hides it (never treated as loopback). */
  readonly address: string | undefined;
}

/** What is known of a request before anything is asked about it. */
export interface Incoming {
  /** As it came; its URL may begin with `/p/<project>`. */
  readonly request: Request;
  /** What the server knows about it. */
  readonly env: Partial<ProxyEnv["Bindings"]>;
  /** Path and query as they were written, without the project. */
  readonly path: string;
  /** The path alone. */
  readonly pathname: string;
  /** Percent-encoded name in the path; `undefined` when it names none. */
  readonly project: string | undefined;
  /** Names that it is counted under. */
  readonly names: Attribution;
}

/** Reads the request in `c`. */
export function incomingOf(c: Context<ProxyEnv>): Incoming {
  const request = c.req.raw;
  const { project, path } = splitProject(pathOf(request.url));
  return {
    request,
    env: bindingsOf(c),
    path,
    pathname: path.replace(/[?#].*$/s, ""),
    project,
    names: attributionOf(request.headers, project),
  };
}
