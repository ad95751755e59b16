/** `svc log`: list the requests that went through the proxy. @module */
import type { OpenedLedger } from "../opened.ts";
import { lineWidth, print } from "../terminal.ts";
import { countOf, type Define } from "./options.ts";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { parseSince, SINCE_FORMS } from "../since.ts";
import type { CliIo } from "../io.ts";
import { blockFacts, requestFacts } from "../../core/inspected.ts";
import type { LedgerReader, LoggedRequest } from "../../core/ledger_reader.ts";
import { CliFailure } from "../failure.ts";
import {
  costText,
  countText,
  isPassedThrough,
  msText,
  nameText,
  ruleText,
  safeJson,
  shareText,
  shortId,
  statusText,
  timeText,
} from "../words.ts";
import { type Column, tableWriter } from "../table.ts";
import {
  type LedgerPlace,
  ledgerPlace,
  noLedger,
  noneFound,
  openedLedger,
} from "../stores.ts";

/** Requests listed without `--limit`. */
const LIMIT = 20;
/** Requests listed without `--limit`, but with `--since`. */
const LIMIT_SINCE = 1000;

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc log                        the last ${LIMIT} requests
  svc log --follow               then each new one as it finishes, until Ctrl-C
  svc log --since 2h             those of the last two hours
  svc log --since today --json   for programs: one JSON object per line
`;

/** Ends the help page. */
export const NOTES = `
STATUS: "failed" is a 5xx, "refused upstream" a 4xx, "passed through" a request
without a conversation. BEFORE, AFTER: prompt tokens as received and as sent, by
our counter. SAVED: the share that compression removed; 0 for a failed request.
COST: "~" marks an estimate, "?" a model without a known price, "-" a request
that reached no model. ADDED: milliseconds that the proxy added. RULES: what
changed the request; svc show <id> shows how.

A narrow terminal shows fewer columns. Piped output is 80 columns wide, or as
wide as COLUMNS says. --json has everything.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io) => {
  command
    .option("-f, --follow", "keep listing new requests until Ctrl-C")
    .option(
      "--limit <n>",
      `newest requests, at most (default: ${LIMIT}, with --since ${LIMIT_SINCE})`,
      countOf,
    )
    .option(
      "--since <time>",
      `only those since then: ${SINCE_FORMS}`,
      (text) => timeOf(text, io.now()),
    )
    .option("--json", "one JSON object per line")
    .action(async ({ follow = false, json = false, since, limit }) => {
      const most = limit ?? (since === undefined ? LIMIT : LIMIT_SINCE);
      await runLog({ limit: most, since, follow, json }, io);
    });
};

function timeOf(text: string, now: number): number {
  const at = parseSince(text, now);
  if (at !== undefined) return at;
  throw new InvalidArgumentError(`Give a time, e.g. ${SINCE_FORMS}`);
}

/** Milliseconds between two looks at the ledger. */
const POLL_MS = 500;
/** Looks at a new ledger that may fail: so long a proxy may take to make its tables. */
const MAX_FAILURES = 10;
/** Requests read at once while following. */
const PAGE = 500;

/** What to list, and how. */
interface LogRun {
  /** Requests at most, the newest ones. */
  readonly limit: number;
  /** Only requests that came then or later, milliseconds since the Unix epoch. */
  readonly since: number | undefined;
  /** Whether to go on with new ones until it is stopped. */
  readonly follow: boolean;
  /** For programs: one JSON object per line. */
  readonly json: boolean;
}

/** Prints requests to stdout, the oldest first. With `follow` it returns after a stop signal. */
async function runLog(run: LogRun, io: CliIo): Promise<void> {
  const place = ledgerPlace(io);
  const stopped = new AbortController();
  const { signal } = stopped;
  const ignore = run.follow ? io.onStopSignal(() => stopped.abort()) : () => {};
  try {
    using ledger = await openedLedger(place, io) ??
      (run.follow ? await awaited(place, io, signal) : undefined);
    if (ledger !== undefined) {
      await list(run, { ...place, reader: ledger.reader, signal }, io);
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

/** An open ledger. */
interface Opened extends LedgerPlace {
  readonly reader: LedgerReader;
  /** Says when to stop. */
  readonly signal: AbortSignal;
}

async function list(
  run: LogRun,
  { reader, signal, ...place }: Opened,
  io: CliIo,
): Promise<void> {
  const { limit, since, follow } = run;
  // Before the list: what comes in between is then in the list, not lost.
  const newest = reader.requests({ limit: 1 })[0]?.seq ?? 0;
  const found = reader.requests({
    limit: limit + 1,
    ...since !== undefined && { since },
  });
  const shown = found.slice(0, limit).toReversed();
  if (found.length === 0) {
    const none = since === undefined
      ? `No requests in ${place.path} yet`
      : `No requests since ${timeText(since)} in ${place.path}`;
    const text = await noneFound(none, place, io);
    io.stderr(`${text}${follow ? "; waiting" : ""}\n`);
  }
  const print = printer(run, io, shown);
  shown.forEach(print);
  if (found.length > limit && since !== undefined) {
    io.stderr(`These are the newest ${countText(limit)}; --limit takes more\n`);
  }
  let after = Math.max(newest, shown.at(-1)?.seq ?? 0);
  while (follow && !signal.aborted) {
    const page = reader.requests({ limit: PAGE, after });
    page.forEach(print);
    after = page.at(-1)?.seq ?? after;
    if (page.length < PAGE) await io.wait(POLL_MS, signal);
  }
}

function printer(
  { json, follow }: LogRun,
  io: CliIo,
  known: readonly LoggedRequest[],
): (request: LoggedRequest) => void {
  const write = (text: string) => print(io, text);
  if (json) {
    return (request) => {
      const blocks = request.blocks.map(blockFacts);
      write(`${safeJson({ ...requestFacts(request), blocks })}\n`);
    };
  }
  const width = () => lineWidth(io);
  const rows = known.map((request) => cellsOf(request, width()));
  const line = tableWriter(COLUMNS, { width, rows });
  if (known.length > 0 || follow) write(line());
  return (request) =>
    write(line(cellsOf(request, width())) + warningLine(request));
}

/** What is most wanted has the lowest rank: the rest waits for a wider terminal. */
const COLUMNS: readonly Column[] = [
  { heading: "TIME", width: 11, least: 11, good: 14 },
  { heading: "ID", width: 8 },
  { heading: "MODEL", width: 17, least: 9, good: 17 },
  { heading: "PROJECT", least: 8, rank: 5 },
  { heading: "STATUS", least: 6 },
  { heading: "BEFORE", width: 7, right: true },
  { heading: "AFTER", width: 6, right: true, rank: 3 },
  { heading: "SAVED", width: 6, right: true },
  { heading: "COST", width: 9, right: true, rank: 1 },
  { heading: "ADDED", width: 7, right: true, rank: 4 },
  { heading: "RULES", least: 8, rank: 2 },
];

/** Columns from which on the time has its seconds. */
const WITH_SECONDS = 80;
/** Characters of the year: the ledger keeps single requests for 30 days. */
const YEAR = "2026-".length;

function cellsOf(request: LoggedRequest, width: number): string[] {
  const { tokensBefore, tokensAfter, tokensSaved } = request;
  // Nobody looked into it: there is nothing to say.
  const isUnseen = isPassedThrough(request) && tokensBefore === 0;
  const seen = (text: string) => isUnseen ? "-" : text;
  return [
    timeText(request.at).slice(YEAR, width < WITH_SECONDS ? -3 : undefined),
    shortId(request.id),
    nameText(request.model),
    nameText(request.project),
    statusText(request),
    seen(countText(tokensBefore)),
    seen(countText(tokensAfter)),
    seen(shareText(tokensSaved, tokensBefore)),
    costText(request),
    msText(request.overheadMs),
    request.strategies.map(ruleText).join(", ") || "-",
  ];
}

/** What must be seen on the narrowest terminal too. */
function warningLine({ id, prefix }: LoggedRequest): string {
  return prefix?.verdict === "ours"
    ? `  PREFIX BROKEN BY SVC: run svc show ${shortId(id)}\n`
    : "";
}
