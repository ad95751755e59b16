/** The request log: one line of JSON per finished request, for other programs. @module */
import { errorMessage } from "../core/errors.ts";
import { dirname } from "node:path";
import type { RequestRecord, SeenBlock } from "../core/ledger.ts";
import { savedBy } from "../core/outcome.ts";
import { percentOf } from "../core/percent.ts";
import type { Log } from "../core/log.ts";
import { type Later, within } from "./later.ts";
import { jsonLine, maskText } from "./mask.ts";
import type { LoggedTexts } from "./message_log.ts";

/** What a request log needs. */
interface RequestLogOptions {
  /** The file, as the user gave it. */
  readonly path: string;
  /** Told once of a file that cannot be written, and at the end of what was lost. */
  readonly log: Log;
  /** Texts of a request; given only while messages are logged. */
  readonly texts?: ((id: string) => LoggedTexts | undefined) | undefined;
  /** Timers; real ones unless given. */
  readonly later?: Later;
}

/** Characters that may wait for the disk. */
const MAX_WAITING = 16 * 1024 * 1024;
/** Milliseconds that the last lines may hold up the end of the process. */
const CLOSE_MS = 2000;

/** Makes the log. The file is made with its first request, and only appended to: whole lines, by any number of processes. */
export function openRequestLog(options: RequestLogOptions) {
  const { path, log, texts, later } = options;
  const file = new AppendFile({
    path,
    maxWaiting: MAX_WAITING,
    onFailure: (reason) =>
      log("warn", "request_log_unavailable", { path, reason }),
  });
  return {
    /** Takes a finished request; never throws, never waits. */
    record(entry: RequestRecord) {
      const facts = jsonLine(loggedRequest(entry));
      file.append(withTexts(facts, texts?.(entry.id)));
    },
    /** Writes what waits, for at most 2 seconds: a pipe that nobody reads, or a disk that is away, never answers. */
    async close() {
      await within(CLOSE_MS, file.flush(), later);
      const count = file.dropped + file.unwritten;
      if (count === 0) return;
      log("warn", "request_log_lines_lost", { path, count });
    },
  };
}

/**
 * The facts of a request in the names of `/stats`: numbers, slugs, digests, and names with
 * {@linkcode maskText} over them; no text of a message.
 */
function loggedRequest(
  entry: RequestRecord,
): Readonly<Record<string, unknown>> {
  const { prefix } = entry;
  const saved = savedBy(entry);
  return {
    request_id: entry.id,
    timestamp: new Date(entry.at).toISOString(),
    provider: entry.provider,
    upstream: maskText(entry.upstream),
    model: maskText(entry.model),
    project: maskText(entry.project),
    stack: maskText(entry.stack),
    agent: maskText(entry.agent),
    conversation: entry.conversation,
    status: entry.status,
    cached: entry.cached,
    refused_by: entry.refusedBy ?? null,
    input_tokens_original: entry.tokensBefore,
    input_tokens_optimized: entry.tokensAfter,
    ...billed(entry),
    tokens_saved: saved,
    savings_percent: percentOf(saved, entry.tokensBefore),
    optimization_latency_ms: entry.overheadMs,
    ttfb_ms: entry.ttfbMs ?? null,
    total_latency_ms: entry.latencyMs,
    ...paid(entry),
    transforms_applied: entry.strategies,
    older_decided: entry.olderDecided ?? null,
    further_rounds: entry.furtherRounds,
    retrievals: entry.retrieved.length,
    prefix: prefix === undefined ? null : {
      verdict: prefix.verdict,
      previous_bytes: prefix.previousBytes,
      equal_bytes: prefix.equalBytes,
      first_difference: maskText(prefix.firstDifference),
    },
    blocks: entry.blocks.map(loggedBlock),
  };
}

function billed({ usage }: RequestRecord) {
  return {
    input_tokens: usage.input ?? null,
    output_tokens: usage.output ?? null,
    cache_read_tokens: usage.cacheRead ?? null,
    cache_write_tokens: usage.cacheWrite ?? null,
  };
}

function paid({ cost }: RequestRecord) {
  return {
    cost_basis: cost?.basis ?? null,
    nano_usd: cost?.nanoUsd ?? null,
    saved_gross_nano_usd: cost?.savedGrossNanoUsd ?? null,
    saved_net_nano_usd: cost?.savedNetNanoUsd ?? null,
  };
}

function loggedBlock(block: SeenBlock): Readonly<Record<string, unknown>> {
  return {
    entry: block.entry ?? null,
    message_index: block.messageIndex,
    tool: maskText(block.toolName),
    kind: block.kind,
    outcome: block.outcome,
    strategy: block.strategy,
    reason: block.reason,
    bytes: block.bytes,
    tokens_before: block.tokensBefore ?? null,
    tokens_after: block.tokensAfter ?? null,
  };
}

/** Puts the texts behind the facts as they are: they are JSON already. */
function withTexts(facts: string, texts: LoggedTexts | undefined): string {
  if (texts === undefined) return `${facts}\n`;
  const members = Object.entries(texts).map(([name, json]) =>
    `,"${name}":${json}`
  );
  return `${facts.slice(0, -1)}${members.join("")}}\n`;
}
/** What an appended file needs. */
interface AppendFileOptions {
  /** The file; made when the first line comes, with its directories, for this user only. */
  readonly path: string;
  /** Characters that may wait for the disk. */
  readonly maxWaiting: number;
  /** Told of the first failure. */
  readonly onFailure: (reason: string) => void;
}

/**
 * Takes lines at once; what comes while the disk is busy goes out together, in one write to the end of the file.
 *
 * The file is opened for each write: it may be moved away at any time. A failure loses lines and never throws.
 */
export class AppendFile {
  readonly #options: AppendFileOptions;
  #waiting: string[] = [];
  #waitingChars = 0;
  #unwritten = 0;
  #writing: Promise<void> | undefined;
  #dropped = 0;
  #hasTold = false;

  /** Prepares the file; nothing is opened yet. */
  constructor(options: AppendFileOptions) {
    this.#options = options;
  }

  /** Lines that were lost. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Lines that are neither in the file nor lost. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Takes a line with its line break; drops it when too much waits. */
  append(line: string): void {
    if (this.#waitingChars + line.length > this.#options.maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#unwritten++;
    this.#waitingChars += line.length;
    this.#writing ??= this.#write();
  }

  /** Resolves when everything that was taken is in the file or lost. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    // What is appended in the same turn goes with it.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      const text = lines.join("");
      try {
        await appendTo(this.#options.path, text);
      } catch (error) {
        this.#dropped += lines.length;
        this.#report(error);
      }
      this.#unwritten -= lines.length;
      this.#waitingChars -= text.length;
    }
    this.#writing = undefined;
  }

  #report(error: unknown): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    const reason = errorMessage(error);
    this.#options.onFailure(reason);
  }
}

async function appendTo(path: string, text: string): Promise<void> {
  const options = { append: true, create: true, mode: 0o600 } as const;
  using file = await Deno.open(path, options).catch(async (error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return await Deno.open(path, options);
  });
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
}
