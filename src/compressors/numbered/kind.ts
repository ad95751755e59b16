/** A file with line numbers: numbers on every tenth line, or the file in the form of its own kind. @module */
import type { ContentHint } from "../../core/detector.ts";
import type { Kind } from "../../core/kind.ts";
import { indexLines } from "../../text/lines.ts";
import { foldNumbers, unfoldNumbers } from "./fold.ts";
import {
  isColumn,
  type NumberedRun,
  numberedRun,
  withNumbers,
  withoutNumbers,
} from "../../text/line_numbers.ts";
import { numberedForm } from "./numbered_form.ts";

/** UTF-16 units looked at first: most texts have no numbers there. */
const SAMPLE = 4096;

/** A text and the numbered lines in it. */
interface NumberedView {
  readonly text: string;
  readonly run: NumberedRun;
}

/** Factors line numbers out; what they number is compressed by its own kind where that gains more. */
export const numberedKind: Kind<NumberedView> = {
  id: "numbered",
  unit: "lines",
  fewestLines: 8,
  parse: viewOf,
  fold: ({ text, run }) => ({
    text: foldNumbers(text, run),
    restore: unfoldNumbers,
  }),
  locate: ({ text, run }) => ({ numbers: numbersOf(text, run) }),
  inner({ text, run }, { isEdited, isOutline }) {
    // An agent that edits names lines by their numbers.
    if (isEdited) return undefined;
    const { style, first, start, end, starts } = run;
    const last = first + starts.length - 2;
    const inner = withoutNumbers(text, run);
    const before = text.slice(0, start);
    const tail = text.slice(end);
    const elidedForm = (form: string) => {
      const numbered = numberedForm(form, { original: inner, first, style });
      return numbered && before + numbered + tail;
    };
    return {
      text: inner,
      firstLine: first,
      // An outline says itself which lines it stands for.
      head: isOutline
        ? before
        : `${before}[lines ${first}-${last} without numbers]\n`,
      tail,
      elidedForm,
      rendered: (whole) => before + withNumbers(whole, style, first) + tail,
    };
  },
};

/** The numbers before the lines, 0 for a line without one. */
function numbersOf(text: string, run: NumberedRun): Uint32Array {
  const { starts, count } = indexLines(text);
  const numbers = new Uint32Array(count);
  const from = starts.indexOf(run.start);
  for (let i = 0; i + 1 < run.starts.length; i++) {
    numbers[from + i] = run.first + i;
  }
  return numbers;
}

/** Whether rising numbers are before most lines of the text. */
function viewOf(text: string, hint: ContentHint): NumberedView | undefined {
  const cut = text.length <= SAMPLE
    ? text.length
    : text.lastIndexOf("\n", SAMPLE);
  if (cut < 0) return undefined;
  const start = numberedRun(text.slice(0, cut));
  if (start === undefined || isColumn(start, hint.path ?? "")) return undefined;
  const run = cut === text.length ? start : numberedRun(text);
  return run && { text, run };
}
