/** How a request ended, in words. @module */
import type { FeedRow } from "../api.ts";

/** What is known of the end of a request. */
export type Ended = Pick<
  FeedRow,
  | "status"
  | "cached"
  | "refused_by"
  | "prefix"
  | "ttfb_ms"
  | "error_type"
  | "failures"
>;

/** Draws it; in red when svc changed the prefix, which must never happen. */
export function Outcome({ row }: { readonly row: Ended }) {
  const [tone, text, more] = outcomeOf(row);
  return (
    <>
      <span class={`badge ${tone}`}>{text}</span>
      {more && <span class="under soft">{more}</span>}
      {row.failures.map(({ stage, reason }) => (
        <span class="under" key={stage}>
          <span class="badge warn">sent as it came</span>
          <span class="under soft">{stage}: {reason}</span>
        </span>
      ))}
      {isBroken(row) && (
        <span class="under">
          <span class="badge alarm">prefix changed by svc</span>
        </span>
      )}
    </>
  );
}

/** Whether svc changed what it had sent before. */
export function isBroken({ prefix }: Pick<Ended, "prefix">): boolean {
  return prefix?.verdict === "ours";
}

/** What statuses mean where the answer itself names no error. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: "bad request",
  401: "the key was not accepted",
  403: "not allowed",
  404: "no such path or model",
  408: "the body came too slowly",
  413: "too large",
  429: "rate limit",
  502: "the connection to the provider failed",
  503: "too much at once",
  504: "no answer in time",
  529: "overloaded",
};

/** Colour, text, and what else is known. Only 5xx counts as failed, here as in the figures. */
function outcomeOf(
  { status, cached, refused_by, ttfb_ms, error_type }: Ended,
): readonly [tone: string, text: string, more?: string] {
  if (refused_by !== null) {
    const why = refused_by === "budget" ? "budget used up" : "rate limit";
    return ["warn", "refused by svc", why];
  }
  if (cached) return ["", "from cache"];
  if (status === 499) return ["", "client left"];
  if (status < 400) return ["good", String(status)];
  // What never had a first byte was answered here.
  const by = ttfb_ms === null ? "svc" : "upstream";
  const why = [by, error_type ?? MEANINGS[status]].filter(Boolean).join(": ");
  return status >= 500
    ? ["bad", `failed (${status})`, why]
    : ["warn", `refused (${status})`, why];
}
