/** A text that renders another one: that one is compressed by its own kind where it gains more. @module */
import type { CompressContext, CompressOutcome } from "../core/compressor.ts";
import type { Inner, Rewrite } from "../core/kind.ts";
import { isWorthLoss } from "./price.ts";

type Form = Exclude<CompressOutcome, { type: "unchanged" }>;

/** A text and its own fold. */
export interface Rendered {
  /** The text. */
  readonly text: string;
  /** Its own fold; `undefined` when nothing is gained. */
  readonly fold: Rewrite | undefined;
}

/**
 * Compresses the text inside and puts the form in its place, unless the fold of the whole is as good.
 *
 * @param inner `undefined`: only the fold is used.
 */
export function compressInner(
  inner: Inner | undefined,
  { text, fold }: Rendered,
  context: CompressContext,
): CompressOutcome {
  const gains = fold !== undefined && fold.text.length < text.length;
  const folded: CompressOutcome = gains
    ? { type: "reformatted", ...fold }
    : { type: "unchanged", reason: "nothing_to_fold" };
  if (inner === undefined) return folded;
  const { path } = context;
  const form = context.compressPart?.(inner.text, {
    firstLine: inner.firstLine,
    isWhole: true,
    ...path !== undefined && { path },
  });
  if (form === undefined || form.type === "unchanged") return folded;
  const whole = wrapped(inner, form);
  if (folded.type === "unchanged") return whole;
  const { countTokens } = context;
  const isBetter = whole.type === "elided"
    ? isWorthLoss(whole.text, folded.text, countTokens)
    : countTokens(whole.text) < countTokens(folded.text);
  return isBetter ? whole : folded;
}

function wrapped(inner: Inner, form: Form): Form {
  const { head, tail, rendered, elidedForm } = inner;
  if (form.type === "elided") {
    const text = elidedForm?.(form.text) ?? head + form.text + tail;
    return { ...form, text };
  }
  const { restore } = form;
  return {
    type: "reformatted",
    text: head + form.text + tail,
    ...restore && {
      restore: (whole) =>
        rendered(restore(whole.slice(head.length, whole.length - tail.length))),
    },
  };
}
