/** A file with line numbers: numbers on every tenth line, or the file in the form of its own kind. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { isWorthLoss } from "../../text/worth.ts";
import { foldNumbers, unfoldNumbers } from "./fold.ts";
import {
  type NumberedRun,
  numberedRun,
  withNumbers,
  withoutNumbers,
} from "./line_numbers.ts";

/** Factors line numbers out; what they number is compressed by its own kind where that gains more. */
export const numberedCompressor: Compressor = {
  id: "numbered",
  compress(text: string, context: CompressContext): CompressOutcome {
    const run = numberedRun(text);
    if (run === undefined) return { type: "unchanged", reason: "no_numbers" };
    const folded = foldNumbers(text, run);
    const inner = withoutNumbers(text, run);
    const part = context.compressPart?.(inner, {
      firstLine: run.first,
      isWhole: true,
      ...context.path !== undefined && { path: context.path },
    });
    const fold: CompressOutcome = folded.length < text.length
      ? { type: "reformatted", text: folded, restore: unfoldNumbers }
      : { type: "unchanged", reason: "too_small" };
    if (part === undefined || part.type === "unchanged") return fold;
    const whole = inWhole(text, run, part);
    if (fold.type === "unchanged") return whole;
    const { countTokens } = context;
    const isBetter = part.type === "elided"
      ? isWorthLoss(whole.text, folded, countTokens)
      : countTokens(whole.text) < countTokens(folded);
    return isBetter ? whole : fold;
  },
  restore: unfoldNumbers,
};

/** The text with the form of its lines in place of the numbered lines. */
function inWhole(
  text: string,
  run: NumberedRun,
  part: Exclude<CompressOutcome, { type: "unchanged" }>,
): Exclude<CompressOutcome, { type: "unchanged" }> {
  const { style, first, start, end, starts } = run;
  const last = first + starts.length - 2;
  const head = `${
    text.slice(0, start)
  }[lines ${first}-${last} without numbers]\n`;
  const tail = text.slice(end);
  const whole = head + part.text + tail;
  if (part.type === "elided") return { ...part, text: whole };
  const { restore } = part;
  return {
    type: "reformatted",
    text: whole,
    ...restore && {
      restore: (form) => {
        const inner = restore(
          form.slice(head.length, form.length - tail.length),
        );
        return form.slice(0, start) + withNumbers(inner, style, first) +
          form.slice(form.length - tail.length);
      },
    },
  };
}
