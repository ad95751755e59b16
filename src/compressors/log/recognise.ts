/** Is this text the output of a build, a test run or a service? @module */
import type { Recognise } from "../../core/detector.ts";
import { lineHeads } from "../../text/lines.ts";
import { innerForms, isFirstOrLast, weightOf } from "./line_forms.ts";

/** Lines looked at: in the start, the middle and the end. */
const SAMPLE = 50;
/** UTF-16 units looked at of one line. */
const WIDTH = 300;
/** UTF-16 units up to which a text is searched as a whole for what its lines can be. */
const SHORT = 16_000;
/** Lines at each end where the first or last words of a known tool stand. */
const EDGE = 25;
/** Lines that there must be. */
const LEAST = 3;
/** Confidence with such words; without them it grows with the share of log lines. */
const SIGNED = 0.92;
/** Share of log lines below which such words are only a part of something else, and share needed without them. */
const SIGNED_SHARE = 0.15;
const UNSIGNED_SHARE = 0.4;
/** Share of lines of code, documents and data that may be among them, with such words and without. */
const SIGNED_OTHERS = 0.35;
const UNSIGNED_OTHERS = 0.25;

/** A code fence, or the rule of a table: a document that quotes a log. */
const DOCUMENT = /^(?:```|~~~|\|(?: *:?-+:? *\|)+ *$)/;
// deno-lint-ignore no-control-regex
const COLOUR = /\x1b\[[0-9;]*m/g;

/** Share of a bounded sample of lines that only a log would hold, against those that only code, documents or data would; 0 when it is too low, whatever the rest of the sample holds. */
export const recogniseLog: Recognise = (text) => {
  const lines = lineHeads(text, SAMPLE, WIDTH);
  if (lines.some((line) => DOCUMENT.test(line))) return 0;
  const part = text.length <= SHORT ? text : lines.join("\n");
  const isColoured = part.includes("\x1b");
  const heads = lines.map((line) => {
    const head = line.trimEnd();
    return isColoured ? head.replace(COLOUR, "") : head;
  });
  const isSigned = heads.slice(0, EDGE).some(isFirstOrLast) ||
    heads.slice(-EDGE).some(isFirstOrLast);
  const most = (isSigned ? SIGNED_OTHERS : UNSIGNED_OTHERS) * heads.length;
  const least = isSigned ? SIGNED_SHARE : UNSIGNED_SHARE;
  const forms = innerForms(part);
  let logs = 0;
  let others = 0;
  let seen = 0;
  let left = heads.length;
  for (const head of heads) {
    left--;
    if (head === "") continue;
    seen++;
    const weight = weightOf(head, forms);
    if (weight > 0) logs++;
    else others -= weight;
    if (others > most || logs + left < least * (seen + left)) return 0;
  }
  if (seen < LEAST) return 0;
  const share = logs / seen;
  const against = others / seen;
  if (isSigned && share >= SIGNED_SHARE && against <= SIGNED_OTHERS) {
    return SIGNED;
  }
  if (against > UNSIGNED_OTHERS || against * 2 > share) return share * 0.5;
  return Math.min(1, 0.5 + share * 0.75);
};
