/** An output in a wrapper: the wrapper as it is, the output in the form of its own kind. @module */
import type {
  CompressContext,
  Compressor,
  CompressOutcome,
} from "../../core/compressor.ts";
import { envelopeOf } from "./envelope.ts";

/** Keeps every byte around the inner text. */
export const wrappedCompressor: Compressor = {
  id: "wrapped",
  compress(text: string, context: CompressContext): CompressOutcome {
    const envelope = envelopeOf(text);
    if (envelope === undefined) {
      return { type: "unchanged", reason: "no_wrapper" };
    }
    const { start, end, firstLine } = envelope;
    const part = context.compressPart?.(text.slice(start, end), {
      firstLine: (context.firstLine ?? 1) + firstLine - 1,
      isWhole: true,
      ...context.path !== undefined && { path: context.path },
    });
    if (part === undefined) return { type: "unchanged", reason: "too_deep" };
    if (part.type === "unchanged") return part;
    const tail = text.length - end;
    const whole = text.slice(0, start) + part.text + text.slice(end);
    if (part.type === "elided") return { ...part, text: whole };
    const { restore } = part;
    return {
      type: "reformatted",
      text: whole,
      ...restore && {
        restore: (form) =>
          form.slice(0, start) +
          restore(form.slice(start, form.length - tail)) +
          form.slice(form.length - tail),
      },
    };
  },
};
