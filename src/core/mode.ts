/** How much the proxy may do to one request. @module */

/** `passthrough` forwards the client's bytes; the other two are the proxy modes. */
export type CompressionMode = "cache" | "token" | "passthrough";
