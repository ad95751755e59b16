/** Requests that the upstream refused with 400, as files without any text of the user's. @module */
import { join } from "node:path";
import { parseJson } from "../bytes/json_parts.ts";
import type { Log } from "../core/log.ts";
import type { RefusedCall } from "../core/refused_call.ts";
import { maskText } from "./mask.ts";
import {
  ERROR_RULES,
  maskedJson,
  maskedText,
  type MaskRules,
  REQUEST_RULES,
} from "./masked_json.ts";

/** What dumps need. */
export interface DebugDumpsOptions {
  /** Directory; made with its first file, for this user only. */
  readonly directory: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Told of each dump, and once of a directory that cannot be used. */
  readonly log: Log;
  /** Files that are kept, the newest ones; 50 unless given. */
  readonly maxFiles?: number;
}

/** Writes refused requests to files. */
export interface DebugDumps {
  /** Writes one, beside the request; never throws. */
  dump(refused: RefusedCall): void;
  /** Resolves when what was given is written. */
  close(): Promise<void>;
}

const MAX_FILES = 50;
/** Dumps that wait for the disk; what comes on top is left out. */
const MAX_WAITING = 10;
/** Bytes of a body whose structure is shown: more would take the server's thread too long. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Makes the writer. */
export function openDebugDumps(options: DebugDumpsOptions): DebugDumps {
  const { directory, now, log, maxFiles = MAX_FILES } = options;
  let waiting = 0;
  let hasTold = false;
  let last = Promise.resolve();
  const write = async (refused: RefusedCall, at: number) => {
    try {
      await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
      const file = fileName(refused.id, at);
      const text = `${JSON.stringify(dumpOf(refused, at), null, 1)}\n`;
      const onlyOurs = { createNew: true, mode: 0o600 };
      await Deno.writeTextFile(join(directory, file), text, onlyOurs);
      log("info", "debug_400_written", { file, request_id: refused.id });
      await keepNewest(directory, maxFiles);
    } catch (error) {
      if (hasTold) return;
      hasTold = true;
      const reason = error instanceof Error ? error.message : String(error);
      log("warn", "debug_400_unavailable", { path: directory, reason });
    } finally {
      waiting--;
    }
  };
  return {
    dump(refused) {
      if (waiting >= MAX_WAITING) return;
      waiting++;
      const at = now();
      last = last.then(() => write(refused, at));
    },
    close: () => last,
  };
}

/** The contents of a dump: structure, lengths and names, no text. */
export function dumpOf(
  refused: RefusedCall,
  at: number,
): Readonly<Record<string, unknown>> {
  return {
    time: new Date(at).toISOString(),
    request_id: refused.id,
    method: refused.method,
    path: maskText(
      refused.path.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, ""),
    ),
    status: refused.status,
    upstream: maskText(refused.host),
    headers: maskedHeaders(refused.headers),
    body_bytes: refused.body.length,
    body: structureOf(refused.body, REQUEST_RULES),
    error: structureOf(refused.error, ERROR_RULES),
  };
}

/** Each field's name; its value only where it says a format, a length or a version. */
function maskedHeaders(headers: Headers): Readonly<Record<string, string>> {
  const masked: Record<string, string> = {};
  for (const [name, value] of headers) {
    masked[maskText(name)] = shownValue(name, value) ?? maskedText(value);
  }
  return masked;
}

function shownValue(name: string, value: string): string | undefined {
  if (name === "content-type") {
    return /^[a-z]{1,20}\/[\w.+-]{1,40}(?=$|;)/i.exec(value)?.[0];
  }
  if (name === "content-length") return /^\d{1,12}$/.exec(value)?.[0];
  if (!/(?:^|-)version$/.test(name)) return undefined;
  return /^v?\d[\d.-]{0,19}(?:-preview|-beta)?$/.exec(value)?.[0];
}

function structureOf(body: Uint8Array, rules: MaskRules): unknown {
  if (body.length > MAX_BODY_BYTES) return `<body ${body.length}>`;
  const text = utf8.decode(body);
  const value = parseJson(text);
  return value === undefined ? maskedText(text) : maskedJson(value, rules);
}

const utf8 = new TextDecoder();

/** Rises with time; without capitals, so that the log does not take it for a key. */
function fileName(id: string, at: number): string {
  const time = new Date(at).toISOString().replace(/[-:.Z]/g, "")
    .replace("T", "-");
  return `${time}-${id.replace(/[^\w-]/g, "_").slice(0, 64)}.json`;
}

/** Names that this program gives. */
const DUMP = /^\d{8}-\d{9}-[\w-]+\.json$/;

async function keepNewest(directory: string, count: number): Promise<void> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(directory)) {
    if (isFile && DUMP.test(name)) names.push(name);
  }
  for (const name of names.sort().slice(0, -count)) {
    try {
      await Deno.remove(join(directory, name));
    } catch (error) {
      // Another process was faster.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
