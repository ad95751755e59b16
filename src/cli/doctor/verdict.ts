/** What a check found. @module */

/** `skip`: there is nothing to check. */
export type CheckStatus = "pass" | "warn" | "fail" | "skip";

/** Facts for programs; never a secret. */
export type Details = Readonly<Record<string, unknown>>;

/** What a check found. */
export interface Verdict {
  /** How it is. */
  readonly status: CheckStatus;
  /** What was found, one line without a final period. */
  readonly summary: string;
  /** What to do; `null` for nothing. */
  readonly hint: string | null;
  /** Facts for programs. */
  readonly details: Details;
}

/** What to do, and facts. */
export interface Extras {
  /** What to do. */
  readonly hint?: string;
  /** Facts for programs. */
  readonly details?: Details;
}

/** Everything is as it should be. */
export function passed(summary: string, extras: Extras = {}): Verdict {
  return verdict("pass", summary, extras);
}

/** Something may not be as the user wants it. */
export function warned(summary: string, extras: Extras = {}): Verdict {
  return verdict("warn", summary, extras);
}

/** Something does not work. */
export function failed(summary: string, extras: Extras = {}): Verdict {
  return verdict("fail", summary, extras);
}

/** There is nothing to check. */
export function skipped(summary: string, extras: Extras = {}): Verdict {
  return verdict("skip", summary, extras);
}

function verdict(
  status: CheckStatus,
  summary: string,
  { hint, details = {} }: Extras,
): Verdict {
  return { status, summary, hint: hint ?? null, details };
}
