/** `svc show`: one request, and what was changed in it. @module */
import { lineWidth, print, wrapText } from "../terminal.ts";
import { countOf, type Define } from "./options.ts";
import type { CliIo } from "../io.ts";
import { resolve } from "node:path";
import {
  blockFacts,
  type BlockTexts,
  blockTexts,
  requestFacts,
} from "../../core/inspected.ts";
import type { LedgerReader, LoggedRequest } from "../../core/ledger_reader.ts";
import type { SeenBlock } from "../../core/ledger.ts";
import { CliFailure, reasonOf, usageFailure } from "../failure.ts";
import {
  blockHeading,
  blockView,
  makeDiffPaint,
} from "../inspect/block_text.ts";
import { manyText, safeJson } from "../words.ts";
import {
  type LedgerPlace,
  ledgerPlace,
  noLedger,
  noneFound,
  openedLedger,
} from "../stores.ts";
import { requestText } from "../inspect/request_text.ts";
import { wordDiff } from "../inspect/word_diff.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc show                       the newest request
  svc show 3f2a9c01              the request whose id starts like this
  svc show 3f2a9c01 --block 2    only its second tool result
  svc show 3f2a9c01 --json       for programs, with both texts of each block
`;

/** Ends the help page. */
export const NOTES = `
A block is a tool result, or a long text of a user, that is new in this request.
Omitted text is red on a terminal and [-like this-] elsewhere; what the proxy
wrote instead is green, or {+like this+}. Long unchanged stretches are folded.
Originals are shown as long as they are stored (SVC_CCR_TTL_SECONDS); other
texts are not kept.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io) => {
  command
    .argument(
      "[request-id]",
      "its id, or the first characters of it; see svc log",
    )
    .option("--block <n>", "only this block, counted from 1", countOf)
    .option("--no-diff", "only the facts, no texts")
    .option("--json", "as JSON, with both texts of each block")
    .action((id, { block, diff, json = false }) =>
      runShow(id, { block, diff, json }, io)
    );
};

/** As ids are made, whole or their first characters. */
const ID = /^[\w-]{1,128}$/;
/** Requests that are searched for ids that begin alike. */
const SEARCHED = 10_000;
/** Ids that are named when a beginning is not unique. */
const MAX_NAMED = 5;

/** What to show, and how. */
interface ShowRun {
  /** Number of the only block to show, from 1; all when not given. */
  readonly block: number | undefined;
  /** Whether texts are shown. */
  readonly diff: boolean;
  /** For programs. */
  readonly json: boolean;
}

/** Prints a request to stdout, the newest one without an id. That somebody looked counts as no retrieval. */
async function runShow(
  id: string | undefined,
  { block: only, diff, json }: ShowRun,
  io: CliIo,
): Promise<void> {
  if (id !== undefined && !ID.test(id)) {
    throw usageFailure(
      `Cannot use ${
        JSON.stringify(id.slice(0, 40))
      } as the id of a request: copy one from svc log`,
    );
  }
  const place = ledgerPlace(io);
  const request = await requestOf(id, place, io);
  const blocks = blocksOf(request, only);
  const texts = diff ? await textsOf(blocks, place, io) : undefined;
  const write = (text: string) => print(io, text);
  if (json) return write(`${jsonOf(request, blocks, texts)}\n`);
  const width = lineWidth(io);
  write(requestText(request, io.now(), width));
  if (blocks.length === 0) {
    const none =
      "No new tool results. Those of earlier turns were sent as before.";
    return write(`\n${wrapText(none, width)}\n`);
  }
  const view = {
    paint: makeDiffPaint(io.stdoutIsTerminal, io.env),
    ttlSeconds: place.config.ccr.ttlSeconds,
    width,
    compare: (original: string, form: string) =>
      wordDiff(original, form, io.now),
  };
  for (const { block, number } of blocks) {
    write(`\n${wrapText(blockHeading(block, number), width, "  ")}\n`);
    const kept = texts?.get(block);
    if (kept !== undefined) {
      write(await blockView(block, { ...view, texts: kept }));
    }
  }
}

/** A block and its number, from 1. */
interface NumberedBlock {
  readonly block: SeenBlock;
  readonly number: number;
}

async function requestOf(
  id: string | undefined,
  place: LedgerPlace,
  io: CliIo,
): Promise<LoggedRequest> {
  using ledger = await openedLedger(place, io);
  if (ledger === undefined) {
    throw new CliFailure(`Cannot show a request: ${await noLedger(place, io)}`);
  }
  const { reader } = ledger;
  if (id !== undefined) {
    return reader.request(id) ?? notFound(id, reader, place.path);
  }
  const [newest] = reader.requests({ limit: 1 });
  if (newest !== undefined) return newest;
  const none = `Cannot show a request: there is none in ${place.path}`;
  throw new CliFailure(await noneFound(none, place, io));
}

function notFound(id: string, reader: LedgerReader, path: string): never {
  const alike = reader.requests({ limit: SEARCHED })
    .map((request) => request.id).filter((other) => other.startsWith(id));
  if (alike.length < 2) {
    throw new CliFailure(
      `Cannot show ${id}: no request in ${path} begins like that. svc log lists them`,
    );
  }
  const named = alike.slice(0, MAX_NAMED).join(", ");
  const more = alike.length > MAX_NAMED ? ", ..." : "";
  throw new CliFailure(
    `Cannot show ${id}: ${alike.length} requests begin like that (${named}${more}). Give more characters`,
  );
}

function blocksOf(
  { id, blocks }: LoggedRequest,
  only: number | undefined,
): NumberedBlock[] {
  const all = blocks.map((block, i) => ({ block, number: i + 1 }));
  const wanted = all.filter(({ number }) => (only ?? number) === number);
  if (only === undefined || wanted.length > 0) return wanted;
  throw new CliFailure(
    `Cannot show block ${only} of ${id}: it has ${
      manyText(all.length, "new tool result")
    }`,
  );
}

/** Texts by block; empty where there are no originals on disk. */
async function textsOf(
  blocks: readonly NumberedBlock[],
  { config }: LedgerPlace,
  io: CliIo,
): Promise<ReadonlyMap<SeenBlock, BlockTexts>> {
  const { paths, ccr, host, port } = config;
  if (paths === undefined || ccr.backend === "memory") {
    io.stderr(
      `Texts are not shown: SVC_CCR_BACKEND is memory. Ask the running proxy (curl http://${host}:${port}/transformations/<id>)\n`,
    );
    return new Map();
  }
  const path = resolve(paths.ccrStore);
  await using originals = await io.openOriginals(path, config).catch(
    (error) => {
      throw new CliFailure(
        `Cannot use the database ${path} (${
          reasonOf(error)
        }). Use --no-diff to show the facts without the texts`,
      );
    },
  );
  if (originals === undefined) {
    io.stderr(`Texts are not shown: there is no ${path}\n`);
    return new Map();
  }
  const now = originals.now();
  return new Map(
    blocks.map(({ block }) => [
      block,
      blockTexts(block, originals.store, now),
    ]),
  );
}

function jsonOf(
  request: LoggedRequest,
  blocks: readonly NumberedBlock[],
  texts: ReadonlyMap<SeenBlock, BlockTexts> | undefined,
): string {
  return safeJson({
    ...requestFacts(request),
    blocks: blocks.map(({ block, number }) => {
      const kept = texts?.get(block);
      return {
        ...blockFacts(block, number - 1),
        ...texts !== undefined && {
          form: kept?.form ?? null,
          original: kept?.original ?? null,
          original_status: kept?.originalStatus ?? null,
        },
      };
    }),
  }, 2);
}
