/** Sending again what an upstream could not take just now. @module */

/** Times that a request is sent again. */
const MAX_AGAIN = 2;
/** Statuses that pass: too many requests, and a provider that is down or overloaded. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 529]);
/** Longest wait that an upstream may ask for, in milliseconds. */
const MAX_WAIT_MS = 5000;
/** Wait before the first time, doubled for the second, in milliseconds. */
const WAIT_MS = 500;

/** Resolves after `ms` milliseconds; rejects with the signal's reason when it fires before. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** How often and how long is decided here; the rest comes from the caller. */
export interface TryAgainOptions {
  /** Waits. */
  readonly wait: Wait;
  /** Ends the waiting, and means that nothing is sent again. */
  readonly signal: AbortSignal;
}

/**
 * Sends, and sends again at most twice when the upstream cannot be reached or answers 429, 500, 502,
 * 503 or 529. The wait before is what its `retry-after` says, at most five seconds; else 0.5 s, then 1 s.
 *
 * @param send Called with whether this is a further time.
 * @returns The last response, whatever its status.
 * @throws What `send` threw last, or the signal's reason.
 */
export async function tryAgain(
  send: (again: boolean) => Promise<Response>,
  { wait, signal }: TryAgainOptions,
): Promise<Response> {
  for (let sent = 0;; sent++) {
    let response: Response | undefined;
    try {
      response = await send(sent > 0);
    } catch (error) {
      if (signal.aborted || sent === MAX_AGAIN) throw error;
    }
    if (response) {
      if (sent === MAX_AGAIN || !PASSING.has(response.status)) return response;
      // Nobody reads it: what breaks it does not matter.
      await response.body?.cancel().catch(() => {});
    }
    await wait(waitMs(response, sent), signal);
  }
}

function waitMs(response: Response | undefined, sent: number): number {
  const asked = response?.headers.get("retry-after")?.trim() ?? "";
  return /^\d+(\.\d+)?$/.test(asked)
    ? Math.min(Number(asked) * 1000, MAX_WAIT_MS)
    : WAIT_MS * 2 ** sent;
}

/** The real {@linkcode Wait}. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
}
