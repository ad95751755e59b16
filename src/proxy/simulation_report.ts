/** What a simulation says of the messages beside what would be done to them. @module */
import type { ByteSpan } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";
import type { BodyCount, CountInput } from "../core/tokens.ts";
import { alignmentScore } from "../pipeline/alignment_score.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { type DriftMessage, prefixDrift } from "../pipeline/prefix_drift.ts";
import { WASTE_SIGNALS, WasteSearch } from "../pipeline/waste_search.ts";
import { wasteTokens } from "../pipeline/waste_signals.ts";
import { wasteTexts } from "../pipeline/waste_texts.ts";

/** What is said, in the names of the wire. */
export interface SimulationReport {
  /** Tokens by kind of waste. */
  readonly waste_signals: Readonly<Record<string, number>>;
  /** Names the beginning of the prompt. */
  readonly stable_prefix_hash: string;
  /** From 0 to 1: 1 where nothing in it looks as if it changed. */
  readonly cache_alignment_score: number;
  /** What does, one sentence each. */
  readonly cache_alignment_warnings: readonly string[];
}

/** What is looked at, and with what. */
export interface SimulationInput {
  /** What was made of the messages. */
  readonly made: Pick<CompressedBody, "body" | "scan" | "formed">;
  /** Instructions that stand outside the messages. */
  readonly system: unknown;
  /** Decides how tokens are counted. */
  readonly model: string;
  /** Counts elsewhere. */
  readonly count: (input: CountInput) => BodyCount;
  /** Lets other work be done; called about once a millisecond of work. */
  readonly pause: () => Promise<void>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/**
 * Looks at the messages. At most 4 Mi UTF-16 units of texts, in slices; what of them counts is counted elsewhere.
 *
 * @throws {unknown} The reason of the signal, if it is aborted.
 */
export async function simulationReport(
  input: SimulationInput,
): Promise<SimulationReport> {
  const { made: { scan, body }, system, pause, signal } = input;
  signal.throwIfAborted();
  const search = new WasteSearch();
  let units = 0;
  for (const text of wasteTexts(input.made)) {
    for (const length of search.look(text)) {
      units += length;
      if (units < PAUSE_UNITS) continue;
      units = 0;
      await pause();
      signal.throwIfAborted();
    }
  }
  const drift = prefixDrift({ system, messages: leading(scan, body) });
  return {
    waste_signals: await countedWaste(search, input),
    stable_prefix_hash: drift.cache_metrics.stable_prefix_hash,
    cache_alignment_score: alignmentScore(drift),
    cache_alignment_warnings: drift.warnings,
  };
}

/** UTF-16 units that are looked at before others have their turn: about a millisecond. */
const PAUSE_UNITS = 8 * 1024;

/** Roles of messages that stand in front of what anybody says. */
const LEADING: ReadonlySet<unknown> = new Set(["system", "developer"]);

/** The messages up to the first that is said by somebody: what a prefix is made of. */
function leading(
  scan: BodyScan | undefined,
  body: Uint8Array,
): readonly DriftMessage[] {
  const found: DriftMessage[] = [];
  for (const span of scan?.messages ?? []) {
    const message: unknown = parsedAt(body, span);
    if (!isMessage(message)) continue;
    found.push(message);
    if (!LEADING.has(message.role)) break;
  }
  return found;
}

function parsedAt(body: Uint8Array, { start, end }: ByteSpan): unknown {
  return JSON.parse(new TextDecoder().decode(body.subarray(start, end)));
}

function isMessage(value: unknown): value is DriftMessage {
  return typeof value === "object" && value !== null && "role" in value &&
    typeof value.role === "string";
}

async function countedWaste(
  search: WasteSearch,
  { count, model }: SimulationInput,
): Promise<Readonly<Record<string, number>>> {
  const counts = new Map(
    await Promise.all(WASTE_SIGNALS.map(async (signal) => {
      const { pieces } = search.sample(signal);
      const { tokens } = await count({ ...bodyOf(pieces), model, extra: "" })
        .done;
      return [signal, tokens] as const;
    })),
  );
  return wasteTokens(search, (_, signal) => counts.get(signal) ?? 0);
}

/** Pieces as a body of string literals. */
function bodyOf(
  pieces: readonly string[],
): Pick<CountInput, "body" | "spans"> {
  const spans: ByteSpan[] = [];
  const utf8 = new TextEncoder();
  let end = 0;
  const literals = pieces.map((piece) => {
    const literal = utf8.encode(JSON.stringify(piece));
    spans.push({ start: end, end: end + literal.length });
    end += literal.length;
    return literal;
  });
  const body = new Uint8Array(end);
  literals.forEach((literal, i) => body.set(literal, spans[i]!.start));
  return { body, spans };
}
