/** Goes through the texts of a conversation for what is spent on form, or said twice. @module */
import {
  blanksIn,
  encodedIn,
  JsonForm,
  markupIn,
  type OnPiece,
  timesIn,
} from "./waste_form.ts";

/** Kinds of waste; `wasteSignals` says what each means. */
export const WASTE_SIGNALS = [
  "json_bloat",
  "html_noise",
  "base64",
  "whitespace",
  "dynamic_date",
  "repetition",
  "reread",
  "reread_compressed",
] as const;

/** A kind of waste. */
export type WasteSignal = typeof WASTE_SIGNALS[number];

/** One text of a conversation. */
export interface WasteText {
  /** The text. */
  readonly text: string;
  /** Index of its message; default the index of the text. */
  readonly at?: number;
  /** Whether a shorter form is sent in its place; default false. */
  readonly isCompressed?: boolean;
}

/** Pieces of one kind, as many as are needed to know their tokens. */
export interface WasteSample {
  /** UTF-16 units of all pieces. */
  readonly units: number;
  /** Every n-th piece, at most 512. */
  readonly pieces: readonly string[];
}

/** UTF-16 units that are looked at in one go: about a millisecond. */
const SLICE = 16 * 1024;
/** UTF-16 units of a conversation that are looked at. */
const MAX_UNITS = 4 * 1024 * 1024;
/** Shorter texts, in UTF-16 units, come again by chance. */
const MIN_REREAD = 200;
/** Messages within which a text that comes again is a state that is asked for anew. */
const POLLING = 3;
/** Shorter lines, in UTF-16 units, come again in every text. */
const MIN_LINE = 24;
/** Longer ones are no lines but whole documents, and may be cut anywhere. */
const MAX_LINE = 4096;
/** Units of a text that comes again that stand for all of it. */
const REREAD_SAMPLE = 4096;

/** Looks at one text after the other; memory is bounded by 4 Mi UTF-16 units of text. */
export class WasteSearch {
  readonly #samples = new Map<WasteSignal, Sample>(
    WASTE_SIGNALS.map((signal) => [signal, new Sample()]),
  );
  /** Texts that came before: their messages, and whether a form stands for them. */
  readonly #seen = new Map<string, { at: number; isCompressed: boolean }>();
  #left = MAX_UNITS;
  #count = 0;

  /**
   * Looks at the next text.
   *
   * @returns Yields after each slice of at most 16 Ki UTF-16 units, its length, so that other work can be done in between.
   */
  *look({ text, at = this.#count, isCompressed = false }: WasteText): Iterable<
    number
  > {
    this.#count++;
    if (text.length > this.#left) return;
    this.#left -= text.length;
    if (this.#isReread(text, at, isCompressed)) return;
    const isJson = looksLikeJson(text);
    const isMarkup = !isJson && looksLikeMarkup(text);
    const json = new JsonForm(this.#to("json_bloat"));
    const lines = new Set<string>();
    for (const slice of slicesOf(text)) {
      if (isJson) json.push(slice);
      else {
        if (isMarkup) markupIn(slice, this.#to("html_noise"));
        blanksIn(slice, this.#to("whitespace"));
        repeatedIn(slice, lines, this.#to("repetition"));
      }
      encodedIn(slice, this.#to("base64"));
      timesIn(slice, this.#to("dynamic_date"));
      yield slice.length;
    }
  }

  /** What was found of a kind. */
  sample(signal: WasteSignal): WasteSample {
    return this.#samples.get(signal)!;
  }

  #to(signal: WasteSignal): OnPiece {
    const sample = this.#samples.get(signal)!;
    return (piece) => sample.add(piece, piece.length);
  }

  /** Whether all of it came before; what is asked for again at once is no waste. */
  #isReread(text: string, at: number, isCompressed: boolean): boolean {
    if (text.length < MIN_REREAD) return false;
    const first = this.#seen.get(text);
    this.#seen.set(text, {
      at,
      isCompressed: isCompressed || first?.isCompressed === true,
    });
    if (first === undefined || at - first.at <= POLLING) return false;
    const signal = first.isCompressed ? "reread_compressed" : "reread";
    this.#samples.get(signal)!.add(text.slice(0, REREAD_SAMPLE), text.length);
    return true;
  }
}

/** Pieces that are kept to be counted. */
const MAX_PIECES = 512;

/** Keeps every n-th piece; n doubles whenever there are too many. */
class Sample implements WasteSample {
  units = 0;
  pieces: string[] = [];
  #step = 1;
  #seen = 0;

  add(piece: string, units: number): void {
    this.units += units;
    if (this.#seen++ % this.#step !== 0) return;
    this.pieces.push(piece);
    if (this.pieces.length <= MAX_PIECES) return;
    this.pieces = this.pieces.filter((_, i) => i % 2 === 0);
    this.#step *= 2;
  }
}

/** Cuts behind a line end, else behind a blank, where there is one. */
function* slicesOf(text: string): Iterable<string> {
  for (let start = 0; start < text.length;) {
    let slice = text.slice(start, start + SLICE);
    if (start + SLICE < text.length) {
      const line = slice.lastIndexOf("\n");
      const cut = line < 0 ? slice.lastIndexOf(" ") : line;
      if (cut >= 0) slice = slice.slice(0, cut + 1);
    }
    yield slice;
    start += slice.length;
  }
}

function looksLikeJson(text: string): boolean {
  const [first, last] = [firstMark(text), lastMark(text)];
  return (first === "{" && (last === "}")) || (first === "[" && last === "]");
}

function firstMark(text: string): string | undefined {
  return /^\s{0,64}(\S)/.exec(text)?.[1];
}

function lastMark(text: string): string | undefined {
  return text.slice(-64).trimEnd().at(-1);
}

/** Closing tags that make a text markup. */
const MIN_CLOSING_TAGS = 3;

function looksLikeMarkup(text: string): boolean {
  const start = text.slice(0, SLICE);
  return [...start.matchAll(/<\/[a-zA-Z]/g)].length >= MIN_CLOSING_TAGS;
}

function repeatedIn(
  slice: string,
  seen: Set<string>,
  onPiece: OnPiece,
): void {
  for (const line of slice.split("\n")) {
    if (line.length < MIN_LINE || line.length > MAX_LINE) continue;
    if (seen.has(line)) onPiece(line);
    else seen.add(line);
  }
}
