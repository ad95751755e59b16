/** Is this text source code in a language that can be outlined? @module */
import type { Recognise } from "../../core/detector.ts";
import { languageOf } from "./language_of.ts";

/** Fewer UTF-16 units say too little. */
const SHORTEST = 100;
/** Confidence when the lines speak for one language. */
const CLEAR = 0.9;

/** Whether the file's name and its content, or the content alone, speak for a language with a grammar. */
export const recogniseSourceCode: Recognise = (text, hint) =>
  text.length >= SHORTEST && languageOf(text, hint?.path) !== undefined
    ? CLEAR
    : 0;
