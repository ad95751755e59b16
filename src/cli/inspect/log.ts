/** `svc log`: one line per request, from the ledger. @module */
import { blockFacts, requestFacts } from "../../core/inspected.ts";
import type { LedgerReader, LoggedRequest } from "../../core/ledger_reader.ts";
import { CliFailure } from "../failure.ts";
import type { CliIo, OpenedLedger } from "../io.ts";
import { nameText } from "../originals/words.ts";
import { safeJson } from "../clean_text.ts";
import { columnWriter } from "../columns.ts";
import {
  type LedgerPlace,
  ledgerPlace,
  noLedger,
  noneFound,
  openedLedger,
} from "../ledger_place.ts";
import {
  costText,
  countText,
  isPassedThrough,
  msText,
  savedText,
  shortId,
  statusText,
  timeText,
} from "../words.ts";

/** Milliseconds between two looks at the ledger. */
const POLL_MS = 500;
/** Looks at a new ledger that may fail: so long a proxy may take to make its tables. */
const MAX_FAILURES = 10;
/** Requests read at once while following. */
const PAGE = 500;

/** What to list, and how. */
export interface LogRun {
  /** Requests at most, the newest ones. */
  readonly limit: number;
  /** Only requests that came then or later, milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
  /** Whether to go on with new ones until it is stopped. */
  readonly follow: boolean;
  /** For programs: one JSON object per line. */
  readonly json: boolean;
}

/** Writes one request. */
type Print = (request: LoggedRequest) => void;

/**
 * Prints requests to stdout, the oldest first. With `follow` it returns after a stop signal.
 *
 * @throws {CliFailure} If a setting cannot be used, requests are not kept on disk, or the ledger is unusable.
 */
export async function runLog(run: LogRun, io: CliIo): Promise<void> {
  const place = ledgerPlace(io);
  const stopped = new AbortController();
  const ignore = run.follow ? io.onStopSignal(() => stopped.abort()) : () => {};
  try {
    const ledger = await openedLedger(place, io) ??
      (run.follow ? await awaited(place, io, stopped.signal) : undefined);
    if (ledger !== undefined) {
      await printed({ run, place, ledger, signal: stopped.signal }, io);
    } else if (!run.follow) {
      io.stderr(`No requests: ${await noLedger(place, io)}\n`);
    }
  } finally {
    ignore();
  }
}

/**
 * The ledger once a proxy makes it; `undefined` when stopped before.
 *
 * @throws {CliFailure} If it is there and stays unusable.
 */
async function awaited(
  place: LedgerPlace,
  io: CliIo,
  signal: AbortSignal,
): Promise<OpenedLedger | undefined> {
  io.stderr(`Waiting for requests: ${await noLedger(place, io)}\n`);
  for (let failures = 0; !signal.aborted;) {
    await io.wait(POLL_MS, signal);
    try {
      const ledger = await openedLedger(place, io);
      if (ledger !== undefined) return ledger;
    } catch (error) {
      // A proxy that starts makes the file first, then its tables.
      if (!(error instanceof CliFailure) || ++failures > MAX_FAILURES) {
        throw error;
      }
    }
  }
  return undefined;
}

/** All that is known once the ledger is open. */
interface OpenRun {
  readonly run: LogRun;
  readonly place: LedgerPlace;
  readonly ledger: OpenedLedger;
  readonly signal: AbortSignal;
}

async function printed(
  { run, place, ledger, signal }: OpenRun,
  io: CliIo,
): Promise<void> {
  const { reader } = ledger;
  try {
    // Before the list: what comes in between is then in the list, not lost.
    const newest = reader.requests({ limit: 1 })[0]?.seq ?? 0;
    const found = reader.requests({
      limit: run.limit + 1,
      ...run.since !== undefined && { since: run.since },
    });
    const shown = found.slice(0, run.limit);
    if (found.length === 0) {
      const text = await noneFound(nothing(run, place), place, io);
      io.stderr(`${text}${run.follow ? "; waiting" : ""}\n`);
    }
    const print = printer(run, io, shown.length > 0 || run.follow);
    for (const request of shown.toReversed()) print(request);
    if (found.length > shown.length && run.since !== undefined) {
      io.stderr(
        `These are the newest ${countText(run.limit)}; --limit takes more\n`,
      );
    }
    const last = Math.max(newest, shown[0]?.seq ?? 0);
    if (run.follow) await followed({ reader, last, print, signal }, io);
  } finally {
    ledger.close();
  }
}

function nothing({ since }: LogRun, { path }: LedgerPlace): string {
  return since === undefined
    ? `No requests in ${path} yet`
    : `No requests since ${timeText(since)} in ${path}`;
}

/** How new requests are followed. */
interface Following {
  readonly reader: LedgerReader;
  /** Position of the last one that was printed. */
  readonly last: number;
  readonly print: Print;
  readonly signal: AbortSignal;
}

async function followed(
  { reader, last, print, signal }: Following,
  io: CliIo,
): Promise<void> {
  let after = last;
  while (!signal.aborted) {
    const page = reader.requests({ limit: PAGE, after });
    for (const request of page) {
      print(request);
      after = request.seq;
    }
    if (page.length < PAGE) await io.wait(POLL_MS, signal);
  }
}

function printer({ json }: LogRun, io: CliIo, heading: boolean): Print {
  const write = (text: string) => io.stdout(new TextEncoder().encode(text));
  if (json) {
    return (request) =>
      write(
        `${
          safeJson({
            ...requestFacts(request),
            blocks: request.blocks.map(blockFacts),
          })
        }\n`,
      );
  }
  const line = columnWriter(COLUMNS);
  if (heading) write(line(COLUMNS.map(({ heading }) => heading)));
  return (request) => write(line(cellsOf(request)));
}

const COLUMNS = [
  { heading: "TIME", width: 19 },
  { heading: "ID", width: 8 },
  { heading: "MODEL", width: 20 },
  { heading: "PROJECT", width: 8 },
  { heading: "STATUS", width: 6 },
  { heading: "TOKENS", width: 31, right: true },
  { heading: "COST", width: 9, right: true },
  { heading: "ADDED", width: 7, right: true },
  { heading: "RULES", width: 0 },
] as const;

function cellsOf(request: LoggedRequest): string[] {
  return [
    timeText(request.at),
    shortId(request.id),
    nameText(request.model),
    nameText(request.project),
    statusText(request),
    tokensText(request),
    costText(request),
    msText(request.overheadMs),
    rulesText(request),
  ];
}

/** Of a request that nobody looked into there is nothing to say. */
function tokensText(request: LoggedRequest): string {
  const { tokensBefore, tokensAfter, tokensSaved } = request;
  if (isPassedThrough(request) && tokensBefore === 0) return "-";
  return `${countText(tokensBefore)} -> ${countText(tokensAfter)} (${
    savedText(tokensSaved, tokensBefore)
  })`;
}

function rulesText({ strategies, prefix }: LoggedRequest): string {
  const names = strategies.map(nameText);
  if (prefix?.verdict === "ours") names.push("PREFIX BROKEN BY SVC");
  return names.length === 0 ? "-" : names.join(", ");
}
