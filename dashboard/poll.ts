/** Asking the proxy again and again, while somebody looks. @module */
import { useEffect, useState } from "preact/hooks";

/** What is known of one route. */
export interface Polled<T> {
  /** The last answer; `undefined` before the first. */
  readonly data: T | undefined;
  /** When it came. */
  readonly at: Date | undefined;
  /** The proxy answers, but not to this reader. */
  readonly withheld: boolean;
  /** When the proxy stopped answering; `undefined` while it does. */
  readonly failedSince: Date | undefined;
  /** Why, in words. */
  readonly failure: string | undefined;
}

/** Milliseconds after which an answer is given up. */
const PATIENCE_MS = 10_000;

const NOTHING: Polled<never> = {
  data: undefined,
  at: undefined,
  withheld: false,
  failedSince: undefined,
  failure: undefined,
};

/** Last answers by path, the oldest first: a section that is opened again shows them at once. */
const kept = new Map<string, Polled<unknown>>();
/** Answers that are kept: paths hold times, which go on. */
const MAX_KEPT = 24;

/** How a route is asked. */
export interface PollOptions {
  /** Whether to keep what is there. */
  readonly isPaused?: boolean;
  /** Whether it answers strangers as if it was not there. Then it is not asked again. */
  readonly isGuarded?: boolean;
}

/**
 * Asks `path` now and then every `everyMs` milliseconds while the page is visible.
 *
 * @param path A path of this origin.
 */
export function usePolled<T>(
  path: string,
  everyMs: number,
  { isPaused = false, isGuarded = false }: PollOptions = {},
): Polled<T> {
  const [state, setState] = useState<{ path: string; polled: Polled<T> }>();
  useEffect(() => {
    if (isPaused) return;
    return repeat(everyMs, async (signal) => {
      const polled = await ask<T>(path, isGuarded, signal);
      if (signal.aborted) return;
      keep(path, polled);
      setState({ path, polled });
      return polled.withheld ? "end" : undefined;
    });
  }, [path, everyMs, isPaused, isGuarded]);
  return state?.path === path ? state.polled : lastOf<T>(path);
}

function keep(path: string, polled: Polled<unknown>): void {
  kept.delete(path);
  kept.set(path, polled);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

function lastOf<T>(path: string): Polled<T> {
  return (kept.get(path) as Polled<T> | undefined) ?? NOTHING;
}

async function ask<T>(
  path: string,
  isGuarded: boolean,
  signal: AbortSignal,
): Promise<Polled<T>> {
  const before = lastOf<T>(path);
  const failed = (failure: string) => ({
    ...before,
    failure,
    failedSince: before.failedSince ?? new Date(),
  });
  try {
    const response = await fetch(path, {
      headers: { accept: "application/json" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    if (isGuarded && (response.status === 404 || response.status === 403)) {
      return { ...NOTHING, withheld: true };
    }
    if (!response.ok) return failed(`it answered ${response.status}`);
    const data: T = await response.json();
    return { ...NOTHING, data, at: new Date() };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Runs `work` until it says so, now and after each pause; not while the page is hidden. Returns what ends it. */
function repeat(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<"end" | undefined>,
): () => void {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  const turn = async () => {
    clearTimeout(timer);
    if (running || ended.signal.aborted || document.hidden) return;
    running = true;
    const said = await work(ended.signal);
    if (said === "end") ended.abort();
    running = false;
    timer = setTimeout(turn, everyMs);
  };
  document.addEventListener("visibilitychange", turn, { signal: ended.signal });
  void turn();
  return () => {
    ended.abort();
    clearTimeout(timer);
  };
}
