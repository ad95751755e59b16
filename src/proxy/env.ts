/** What the server hands to the app with every request. @module */
import type { Peer } from "../core/http.ts";

/** Hono environment of all handlers and gates: `c.env.peer`. */
export type ProxyEnv = {
  /** Values bound per request. */
  Bindings: {
    /** The other end of the connection. */
    peer: Peer;
  };
};
