/** An output in a wrapper: the wrapper as it is, the output in the form of its own kind. @module */
import type { Kind } from "../../core/kind.ts";
import { type Envelope, envelopeOf } from "./envelope.ts";

/** Keeps every byte around the inner text. */
export const wrappedKind: Kind<Envelope> = {
  id: "wrapped",
  unit: "lines",
  parse: envelopeOf,
  parts: ({ start, end, firstLine }) => [{
    start,
    end,
    line: firstLine - 1,
    isWhole: true,
  }],
};
