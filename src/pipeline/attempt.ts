/** Fail-open: the one place where failures are absorbed, logged once and counted. @module */
import { cutText } from "../bytes/cut_text.ts";
import type { StageFailure } from "../core/ledger.ts";
import type { Log } from "../core/log.ts";

/** Runs work whose failure must not fail a request. */
export interface Attempt {
  /** Result of `work`, or `fallback` if it throws or rejects. An `AbortError` is no failure: it is thrown on. */
  <T>(stage: string, work: () => Promise<T>, fallback: T): Promise<T>;
  /** The same for work that does not wait. */
  now<T>(stage: string, work: () => T, fallback: T): T;
  /** Notes a failure that was absorbed elsewhere (in a worker), by its message. */
  failed(stage: string, reason: string): void;
  /** Failures per stage since the start. */
  readonly failures: ReadonlyMap<string, number>;
}

/**
 * Makes the absorber.
 *
 * @param log Told of each stage and message once.
 */
export function makeAttempt(log: Log): Attempt {
  const failures = new Map<string, number>();
  const told = new Set<string>();
  const failed = (stage: string, message: string) => {
    const reason = cutText(message, MAX_REASON_CHARS);
    failures.set(stage, (failures.get(stage) ?? 0) + 1);
    const line = `${stage}: ${reason}`;
    if (told.has(line) || told.size >= MAX_TOLD) return;
    told.add(line);
    log("warn", "stage_failed", { stage, reason });
  };
  const attempt = async <T>(
    stage: string,
    work: () => Promise<T>,
    fallback: T,
  ): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isAbort(error)) throw error;
      failed(stage, reasonOf(error));
      return fallback;
    }
  };
  const now = <T>(stage: string, work: () => T, fallback: T): T => {
    try {
      return work();
    } catch (error) {
      if (isAbort(error)) throw error;
      failed(stage, reasonOf(error));
      return fallback;
    }
  };
  return Object.assign(attempt, { now, failed, failures });
}

/** UTF-16 units of a message that are logged and remembered. */
const MAX_REASON_CHARS = 500;

/**
 * The same absorber for one request, which notes what failed in it.
 *
 * @param noted Failures are added at its end.
 */
export function noting(attempt: Attempt, noted: StageFailure[]): Attempt {
  const note = (stage: string, error: unknown): never => {
    if (!isAbort(error)) noted.push({ stage, reason: reasonOf(error) });
    throw error;
  };
  const noteIn = <T>(stage: string, work: () => Promise<T>, fallback: T) =>
    attempt(stage, async () => {
      try {
        return await work();
      } catch (error) {
        return note(stage, error);
      }
    }, fallback);
  return Object.assign(noteIn, {
    now: <T>(stage: string, work: () => T, fallback: T) =>
      attempt.now(stage, () => {
        try {
          return work();
        } catch (error) {
          return note(stage, error);
        }
      }, fallback),
    failures: attempt.failures,
    failed(stage: string, reason: string) {
      noted.push({ stage, reason });
      attempt.failed(stage, reason);
    },
  });
}

/** Messages of errors can vary without end; past this many they are only counted. */
const MAX_TOLD = 1000;

/** One line that says what was thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error
    ? `${thrown.name}: ${thrown.message}`
    : String(thrown);
}

/** Whether `thrown` says that the client has left. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}
