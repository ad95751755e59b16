/** `svc ccr`: look at the originals that are kept on disk, and remove them. @module */
import { errorMessage } from "../../core/errors.ts";
import type { ClearedOriginals, KeptOriginals } from "../opened.ts";
import { print } from "../terminal.ts";
import { countOf, type Define, subcommandsOf } from "./options.ts";
import type { CliIo } from "../io.ts";
import { runList, runStats } from "../originals/list.ts";
import type { Retrieved } from "../../core/retrieved.ts";
import type { RetrievalArguments } from "../../core/retrieval.ts";
import { CliFailure, usageFailure } from "../failure.ts";
import { type OriginalsPlace, withOriginals } from "../stores.ts";
import { sizeText } from "../words.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc ccr list             what is stored, the last used first
  svc ccr show ba7816bf    the original with this hash, as named in a marker
  svc ccr stats            how much is stored, and what was retrieved
  svc ccr clear            remove what no recent conversation uses
`;

/** Begin the help pages of the commands. */
const EXAMPLES_OF = {
  list: `Examples:
  svc ccr list --limit 5          the last five
  svc ccr list --json             for programs
`,
  show: `Examples:
  svc ccr show ba7816bf > build.log          the whole original
  svc ccr show ba7816bf --lines 41-80        forty lines of it
  svc ccr show ba7816bf --query "timeout"    only the parts with these words
`,
  stats: `Examples:
  svc ccr stats             as text
  svc ccr stats --json      for programs
`,
  clear: `Examples:
  svc ccr clear --dry-run    say what would be removed
  svc ccr clear              what no conversation of the last 30 minutes uses
  svc ccr clear --all        everything, even what running conversations need
`,
};

/** Originals listed without `--limit`. */
const LIMIT = 20;

/** Adds the subcommands to the command. `done` takes the exit code. */
export const define: Define = (command, io) => {
  const add = subcommandsOf(command, EXAMPLES_OF);
  add("list", "list originals, the last used first")
    .option("--limit <n>", "originals at most", countOf, LIMIT)
    .option("--json", "as JSON")
    .action(({ limit, json = false }) => runList(limit, json, io));
  add("show", "print an original, or a part of it, byte for byte")
    .argument("<hash>", "24 hexadecimal digits, or at least the first 6")
    .option("--lines <range>", "only these lines, e.g. 41-80")
    .option("--query <text>", "only the parts with these words")
    .option("--path <place>", "only this place in a JSON text, e.g. items[3]")
    .option("--json", "as JSON, with its metadata")
    .action((hash, { json = false, ...part }) =>
      runShow(hash, { json, ...part }, io)
    );
  add("stats", "show how much is stored, and what was retrieved")
    .option("--json", "as JSON")
    .action(({ json = false }) => runStats(json, io));
  add("clear", "remove originals of idle conversations")
    .option("--all", "also originals of running conversations")
    .option("--dry-run", "show what would be removed, remove nothing")
    .action(({ all = false, dryRun = false }) => runClear(all, dryRun, io));
};

/** Digits of a whole hash. */
const WHOLE = 24;
/** As a user copies it: from a marker, in any letter case, whole or its first digits. */
const HASH = /^(?:hash=)?([0-9a-f]{6,24})$/i;
/** Hashes that are named when a beginning is not unique. */
const MAX_NAMED = 5;

/** What to show, and how. */
interface ShowRun extends Omit<RetrievalArguments, "hash"> {
  /** For programs: the answer of the retrieval tool. */
  readonly json: boolean;
}

/**
 * Prints an original, or a part of it, to stdout, and which part it is to stderr.
 *
 * @param hash 24 hexadecimal digits, or the first 6 or more of one that is there.
 * @throws {CliFailure} If the hash or an option makes no sense (exit code 2), or there is no such original or part.
 */
async function runShow(
  hash: string,
  { json, ...part }: ShowRun,
  io: CliIo,
): Promise<void> {
  const digits = HASH.exec(hash.trim())?.[1]?.toLowerCase();
  if (digits === undefined) {
    throw usageFailure(
      `Cannot use ${
        JSON.stringify(hash)
      } as a hash: must be 24 hexadecimal digits, or at least the first 6 of them`,
    );
  }
  for (const [name, value] of Object.entries(part)) {
    if (value !== "") continue;
    throw usageFailure(
      `Cannot use an empty --${name}: leave it out for the whole original`,
    );
  }
  await withOriginals(io, {
    missing: (place) => {
      throw unknown(digits, place);
    },
    there: async (originals, place) => {
      const whole = wholeHash(digits, originals, place);
      const found = await originals.retrieve({ hash: whole, ...part });
      if (!found.success) throw refusal(found.data, place);
      const { data } = found;
      const text = json ? `${JSON.stringify(data)}\n` : data.original_content;
      print(io, text);
      if (data.part !== undefined) io.stderr(`${data.part}\n`);
    },
  });
}

function wholeHash(
  digits: string,
  { store }: KeptOriginals,
  place: OriginalsPlace,
): string {
  if (digits.length === WHOLE) return digits;
  const found = store.entries(store.stats().entries)
    .map(({ key }) => key).filter((key) => key.startsWith(digits));
  const [only] = found;
  if (only === undefined) throw unknown(digits, place);
  if (found.length === 1) return only;
  const named = found.slice(0, MAX_NAMED).join(", ");
  const more = found.length > MAX_NAMED ? ", ..." : "";
  throw new CliFailure(
    `Cannot tell which original is meant by ${digits}: ${found.length} begin like that (${named}${more}). Give more digits`,
  );
}

function unknown(digits: string, place: OriginalsPlace): CliFailure {
  const which = digits.length === WHOLE
    ? `${digits}: there is no such original`
    : `${digits}: no original begins like that`;
  return new CliFailure(
    `Cannot show ${which} in ${place.path}. An unused one is kept for ${place.ttlSeconds} seconds (SVC_CCR_TTL_SECONDS)`,
  );
}

function refusal(
  { hash, status, error }: Extract<Retrieved, { success: false }>["data"],
  place: OriginalsPlace,
): CliFailure {
  if (status === "missing") return unknown(hash, place);
  return new CliFailure(
    status === "bad_part"
      ? error
      : `Cannot show ${hash}: ${error}. Set SVC_CCR_TTL_SECONDS to keep originals longer`,
  );
}

/**
 * Says what it removes on stderr.
 *
 * @param all Everything, not only what is idle.
 * @param dryRun Only say what would be removed.
 * @throws {CliFailure} If the file may not be written: nothing was removed.
 */
async function runClear(
  all: boolean,
  dryRun: boolean,
  io: CliIo,
): Promise<void> {
  const what = all ? "all" : "idle";
  // Said when the files are closed: what was cleared is out of them by then.
  const said = await withOriginals(io, {
    missing: ({ path }) => `Nothing to remove: there is no ${path}`,
    there: async (originals, { path }) => {
      if (dryRun) {
        return `Would remove ${
          amount(originals.clearable(what), all)
        }; ${path}`;
      }
      const removed = await originals.clear(what).catch(fail);
      const { entries } = originals.store.stats();
      return `Removed ${amount(removed, all)}; ${entries} left in ${path}`;
    },
  });
  io.stderr(`${said}\n`);
}

function amount({ entries, bytes }: ClearedOriginals, all: boolean): string {
  const noun = entries === 1 ? "original" : "originals";
  const which = all
    ? ", every conversation and what was sent in it"
    : " that no conversation of the last 30 minutes uses, and what was sent for them";
  return `${entries} ${noun} (${sizeText(bytes)})${which}`;
}

function fail(error: unknown): never {
  const reason = errorMessage(error);
  throw new CliFailure(`Nothing was removed. ${reason}`);
}
