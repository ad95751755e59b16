/** What the server hands to the app with every request. @module */
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
