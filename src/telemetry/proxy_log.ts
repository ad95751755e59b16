/** The proxy's own log: one JSON object per line, rotated, private. @module */
import type { Log } from "../core/log.ts";
import { jsonLine, maskedField } from "./mask.ts";
import { RotatingFile } from "./rotating_file.ts";

/** Bytes of a log file. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Rotated files. */
const BACKUPS = 5;
/** A file is rotated after the line that makes it too long: so much before its limit that the line still fits. */
const LONGEST_LINE = 16 * 1024;

/** What a proxy log needs. */
interface ProxyLogOptions {
  /** The file, e.g. `<workspace>/logs/proxy.log`; see {@linkcode claimLogFile} for several processes. */
  readonly path: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Told once when the file cannot be used; the log on stderr. */
  readonly fallback: Log;
  /** Bytes of a file at most; 10 MiB unless given, at least 32 KiB. */
  readonly maxBytes?: number;
}

/** A log that goes to a file. */
export type ProxyLog = ReturnType<typeof openProxyLog>;

/**
 * Makes the proxy log. The file is made with its first record.
 *
 * A line is `{"time":…,"level":…,"event":…}` and the record's fields, masked. A file that cannot be used costs its
 * lines, never a request: `proxy_log_unavailable` says so once, and the file is tried again once a minute.
 */
export function openProxyLog(options: ProxyLogOptions) {
  const { path, now, fallback, maxBytes = MAX_BYTES } = options;
  const lineOf = lineMaker();
  const file = new RotatingFile({
    path,
    maxBytes: maxBytes - LONGEST_LINE,
    backups: BACKUPS,
    gatheredChars: LONGEST_LINE / MAX_UTF8,
    now,
    onFailure: (reason) =>
      fallback("warn", "proxy_log_unavailable", { path, reason }),
    lostLine: (count) => lineOf(now(), ["warn", "log_lines_lost", { count }]),
  });
  return {
    /** Takes records of all levels; never throws, never waits. */
    log(...record: Parameters<Log>) {
      const line = lineOf(now(), record);
      // What went wrong must be in the file even if the process ends by it.
      if (isUrgent(record[0])) file.write(line);
      else file.gather(line);
    },
    /** Writes what waits and closes the file; what is logged later is dropped. */
    close: () => file.close(),
  };
}

/** One log that hands each record to all of `logs`, in this order. */
export function teeLog(...logs: readonly Log[]): Log {
  return (level, event, fields) => {
    for (const log of logs) log(level, event, fields);
  };
}

function isUrgent(level: Parameters<Log>[0]): boolean {
  return level === "warn" || level === "error";
}

/** Members that a line begins with. */
const HEAD: ReadonlySet<string> = new Set(["time", "level", "event"]);

/** Makes the lines of one log. */
function lineMaker(): (at: number, record: Parameters<Log>) => string {
  const timeOf = timeMaker();
  return (at, [level, event, fields = {}]) => {
    const head = `{"time":"${timeOf(at)}","level":"${level}","event":${
      jsonLine(event)
    }`;
    let line = head;
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (value === undefined || HEAD.has(name)) continue;
      line += `,${jsonLine(name)}:${jsonLine(maskedField(name, value))}`;
    }
    const chars = line.length + 1;
    if (chars <= LONGEST_LINE / MAX_UTF8) return `${line}}\n`;
    return `${head},"cut":${chars}}\n`;
  };
}

/** Makes ISO 8601 of milliseconds since the Unix epoch: of times in one second only the end differs. */
function timeMaker(): (at: number) => string {
  let second = NaN;
  let beginning = "";
  return (at) => {
    const begun = Math.floor(at / 1000);
    if (begun !== second) {
      beginning = new Date(begun * 1000).toISOString().slice(0, -"000Z".length);
      second = begun;
    }
    const ms = Math.floor(at - begun * 1000);
    return `${beginning}${String(ms).padStart(3, "0")}Z`;
  };
}

/** Bytes that a UTF-16 unit can become, escapes included in the units. */
const MAX_UTF8 = 3;
