/** What the server hands to the app with every request. @module */
import type { Context } from "hono";
import type { Peer } from "../core/http.ts";
import type { AuditDetails } from "./audit_details.ts";

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
