/** `svc ccr show`: one original or a part of it, byte for byte. @module */
import type { Retrieved } from "../../core/retrieved.ts";
import type { RetrievalArguments } from "../../core/retrieval.ts";
import { CliFailure, EXIT_USAGE } from "../failure.ts";
import type { CliIo, KeptOriginals } from "../io.ts";
import { type OriginalsPlace, withOriginals } from "./reach.ts";

/** Digits of a whole hash. */
const WHOLE = 24;
/** As a user copies it: from a marker, in any letter case, whole or its first digits. */
const HASH = /^(?:hash=)?([0-9a-f]{6,24})$/i;
/** Hashes that are named when a beginning is not unique. */
const MAX_NAMED = 5;

/** What to show, and how. */
export interface ShowRun extends Omit<RetrievalArguments, "hash"> {
  /** For programs: the answer of the retrieval tool. */
  readonly json: boolean;
}

/**
 * Prints an original, or a part of it, to stdout, and which part it is to stderr.
 *
 * @param hash 24 hexadecimal digits, or the first 6 or more of one that is there.
 * @throws {CliFailure} If the hash or an option makes no sense (exit code 2), or there is no such original or part.
 */
export async function runShow(
  hash: string,
  { json, ...part }: ShowRun,
  io: CliIo,
): Promise<void> {
  const digits = HASH.exec(hash.trim())?.[1]?.toLowerCase();
  if (digits === undefined) {
    throw new CliFailure(
      `Cannot use ${
        JSON.stringify(hash)
      } as a hash: must be 24 hexadecimal digits, or at least the first 6 of them`,
      EXIT_USAGE,
    );
  }
  for (const [name, value] of Object.entries(part)) {
    if (value !== "") continue;
    throw new CliFailure(
      `Cannot use an empty --${name}: leave it out for the whole original`,
      EXIT_USAGE,
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
      io.stdout(new TextEncoder().encode(text));
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
