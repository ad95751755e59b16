/** Is this an output in a wrapper? @module */
import type { Recognise } from "../../core/detector.ts";
import { envelopeOf } from "./envelope.ts";

/** Whether a header, a pair of tags or a reminder stands around the text. */
export const recogniseWrapped: Recognise = (text) =>
  envelopeOf(text) === undefined ? 0 : 1;
