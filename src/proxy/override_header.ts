/** What a client is told whose choice of an upstream was not followed. @module */
import type { Upstream } from "../core/upstream.ts";

/** The field that says why; none where the client chose nothing, or got it. */
export function overrideHeader(
  { ignoredOverride }: Pick<Upstream, "ignoredOverride">,
): Readonly<Record<string, string>> {
  return ignoredOverride === undefined
    ? {}
    : { "x-svc-base-url-ignored": ignoredOverride };
}
