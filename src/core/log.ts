/** Log records as the rest of `src/` writes them. @module */

/** Severity of a log record. */
export type LogLevel = "info" | "warn" | "error";

/** Writes one record. `event` is a stable slug; `fields` never hold body text or credentials. */
export type Log = (
  level: LogLevel,
  event: string,
  fields?: Readonly<Record<string, string | number | boolean>>,
) => void;
