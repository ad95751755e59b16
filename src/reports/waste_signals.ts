/** Names what of a conversation is spent on form, or said twice: it only looks. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import {
  WASTE_SIGNALS,
  type WasteSample,
  WasteSearch,
  type WasteSignal,
  type WasteText,
} from "./waste_search.ts";

/**
 * Counts the tokens that texts spend on form, or on what was said before.
 *
 * - `json_bloat`: blanks between the values of JSON, and keys that came before in the same text
 * - `html_noise`: tags, comments, scripts and styles, in texts with at least three closing tags
 * - `base64`: runs of at least 120 characters of base64
 * - `whitespace`: blanks at the ends of lines and between columns, and second and further blank lines; not in JSON
 * - `dynamic_date`: dates, times and timestamps
 * - `repetition`: lines of at least 24 characters that came before in the same text; not in JSON
 * - `reread`: texts of at least 200 characters that came before as a whole, more than three messages ago
 * - `reread_compressed`: the same, where a shorter form was sent the first time
 *
 * A text that is counted under the last two is counted under no other; else a token may count under several. What
 * lies beyond 4 Mi UTF-16 units is not looked at. O(length), and at most 4096 pieces are counted: where there are
 * more of a kind, every n-th one stands for the others.
 *
 * @param texts Texts of a conversation, in its order.
 * @param count Tokens of a text.
 * @returns Tokens by signal, 0 included.
 *
 * @example
 * ```ts
 * import { wasteSignals } from "./waste_signals.ts";
 * import assert from "node:assert/strict";
 *
 * const rows = JSON.stringify([{ id: 1 }, { id: 2 }], null, 2);
 * const signals = wasteSignals([rows], (text) => text.length);
 * assert(signals["json_bloat"]! > 0);
 * assert.equal(signals["html_noise"], 0);
 * ```
 */
export function wasteSignals(
  texts: Iterable<string | WasteText>,
  count: (text: string) => number,
): Readonly<Record<WasteSignal, number>> {
  const search = new WasteSearch();
  for (const text of texts) {
    // Nobody waits in between.
    for (const _ of search.look(typeof text === "string" ? { text } : text));
  }
  const known = new Map<string, number>();
  const countOnce = (piece: string) => {
    const tokens = known.get(piece) ?? count(piece);
    known.set(piece, tokens);
    return tokens;
  };
  return wasteTokens(
    search,
    (pieces) => pieces.reduce((sum, piece) => sum + countOnce(piece), 0),
  );
}

/** Tokens of what was found; `count` gives the sum for a list of pieces. */
export function wasteTokens(
  search: WasteSearch,
  count: (pieces: readonly string[], signal: WasteSignal) => number,
): Readonly<Record<WasteSignal, number>> {
  const entries = WASTE_SIGNALS.map((signal) => {
    const sample = search.sample(signal);
    return [signal, extrapolated(sample, count(sample.pieces, signal))];
  });
  return Object.fromEntries(entries);
}

/** The pieces that were not counted have as many tokens per character. */
function extrapolated({ units, pieces }: WasteSample, tokens: number): number {
  const counted = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return counted === 0 ? 0 : Math.round(tokens * units / counted);
}

const QUOTE = 0x22;

/** Texts of the messages that count, in order; decoded one by one, as they are asked for. */
export function* wasteTexts(
  { scan, body, formed }: Pick<CompressedBody, "scan" | "body" | "formed">,
): Generator<WasteText, void, undefined> {
  if (scan === undefined) return;
  const starts = new Set(formed.map(({ block }) => block.span.start));
  let at = 0;
  for (const span of scan.counted) {
    if (body[span.start] !== QUOTE) continue;
    while (span.start >= (scan.messages[at]?.end ?? Infinity)) at++;
    const text = decodeLiteral(body, span);
    if (text === undefined) continue;
    yield { text, at, isCompressed: starts.has(span.start) };
  }
}
