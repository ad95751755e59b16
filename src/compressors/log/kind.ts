/** Build, test and service logs: what failed, what resulted, one of each kind of message. @module */
import type { CompressContext } from "../../core/compressor.ts";
import type { Kind, Rewrite } from "../../core/kind.ts";
import { foldStarts } from "../../engine/line_starts.ts";
import { foldRepeats } from "../../engine/repeats.ts";
import { indexLines, lineAt, lineStart } from "../../text/lines.ts";
import { ERROR, FAILED, WARNING } from "../../text/signs/flags.ts";
import { framesOf, USER_FRAME } from "../../text/signs/frames.ts";
import { excuseRefused, severities } from "../../text/signs/severity.ts";
import { labelOf } from "./labels.ts";
import { isRepeated, readLog } from "./recognise.ts";
import { DETAIL, type LogView, PART, viewLog } from "./view.ts";
import { weigh } from "./weights.ts";

/** A text of which it is less sure is no log. */
const LEAST_CONFIDENCE = 0.8;
/** Shorter logs are only folded. */
const FEWEST_LINES = 8;
/** A text that cannot be unfolded must get this much shorter by signs. */
const WORTH_SIGNS = 0.96;
/** Share of the lines up to which failures stay whole in a text that can be unfolded. */
const FEW_SHARE = 0.1;
/** The kind of build, test and service logs. */
export const logKind: Kind<LogView> = {
  id: "log",
  unit: "lines",
  fewestLines: 3,
  parse(text) {
    const { confidence, shapes } = readLog(text);
    return confidence < LEAST_CONFIDENCE ? undefined : viewLog(text, shapes);
  },
  parseUnclaimed: (text) => isRepeated(text) ? viewLog(text) : undefined,
  fold: (view) => foldLog(view.text, view),
  units(view, { query }: CompressContext) {
    const { text, lines } = view;
    if (lines.count < FEWEST_LINES) return undefined;
    const weights = weigh(view, query);
    const isPlain = lines.text === text;
    return {
      starts: startsOf(isPlain ? lines.starts : indexLines(text).starts, text),
      weights,
      ...!isPlain && {
        write: (unit: number) =>
          lines.text.slice(lineStart(lines, unit), lineStart(lines, unit + 1)),
      },
    };
  },
  label: labelOf,
  polish(text, { lines, standouts, flags }) {
    const unusual = new Set(standouts.map((line) => lineAt(lines, line)));
    for (let i = 0; i < flags.length; i++) {
      if (flags[i]! & (DETAIL | PART)) unusual.add(lineAt(lines, i));
    }
    const own = indexLines(text);
    const kept = severities(own);
    excuseRefused(kept);
    const frames = framesOf(own);
    const isWhole = kept.map((flag, line) =>
      (flag & (ERROR | FAILED | WARNING)) !== 0 ||
        frames[line] === USER_FRAME || unusual.has(lineAt(own, line))
        ? 1
        : 0
    );
    const starts = foldStarts(text, (line) => isWhole[line] === 1);
    const folded = starts?.text ?? text;
    return folded.length < WORTH_SIGNS * text.length ? folded : text;
  },
};

/** Offsets of the lines; the last is the end of the text. */
function startsOf(starts: Uint32Array, text: string): Uint32Array {
  const own = starts.slice();
  own[own.length - 1] = text.length;
  return own;
}

/** Repeated lines and blocks, and common starts of lines. What starts mean is a note above all lines. */
function foldLog(
  text: string,
  view: LogView,
  isBelowNote = false,
): Rewrite | undefined {
  const repeats = foldRepeats(text, 1, isBelowNote);
  if (repeats === undefined && text.includes("… (")) return undefined;
  const once = repeats?.text ?? text;
  const starts = foldStarts(once, failingIn(once, view));
  if (starts === undefined) return repeats;
  if (repeats !== undefined && !isBelowNote) return foldLog(text, view, true);
  return {
    text: starts.text,
    restore: (folded) => {
      const unfolded = starts.restore(folded);
      return repeats?.restore(unfolded) ?? unfolded;
    },
  };
}

/** Whether a line reports a failure; only whether it names what failed, where many of the lines do. */
function failingIn(text: string, view: LogView): (line: number) => boolean {
  const flags = text === view.lines.text
    ? view.signs.slice()
    : severities(indexLines(text));
  excuseRefused(flags);
  const count = flags.reduce((sum, flag) => sum + (flag & ERROR), 0);
  const wanted = count <= FEW_SHARE * flags.length ? ERROR | FAILED : FAILED;
  return (line) => ((flags[line] ?? 0) & wanted) !== 0;
}
