/** How a request ended, for reports. @module */
import type { LoggedRequest } from "../../core/ledger_reader.ts";

/** Status of a request whose client left first. */
const LEFT = 499;

/** How a request ended; `other`: answered, but not by a model. */
export type Ending =
  | "answered"
  | "other"
  | "failed"
  | "client_errors"
  | "aborted"
  | "cached"
  | "refused";

/** How it ended. */
export function endingOf(
  { status, cached, refusedBy, costBasis }: LoggedRequest,
): Ending {
  if (refusedBy !== undefined) return "refused";
  if (cached) return "cached";
  if (status === LEFT) return "aborted";
  if (status >= 500) return "failed";
  if (status >= 400) return "client_errors";
  return costBasis === undefined ? "other" : "answered";
}

/** Prompt tokens as billed, cached ones included; `undefined` when the provider did not say. */
export function promptOf(
  { input, cacheRead, cacheWrite }: LoggedRequest,
): number | undefined {
  const isKnown = input !== undefined || cacheRead !== undefined ||
    cacheWrite !== undefined;
  return isKnown
    ? (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
    : undefined;
}

/** Whether a provider took it, so that its tokens count. */
export function isTaken(request: LoggedRequest): boolean {
  const ending = endingOf(request);
  return ending === "answered" || ending === "other" ||
    (ending === "aborted" && promptOf(request) !== undefined);
}
