/** What a unit or a list is there for. @module */
import type { Lines } from "../../text/lines.ts";
import { type Block, linesOf, type Unit } from "./blocks.ts";
import { COMMENT, LEAVES } from "./node_kinds.ts";

/** What stays of a list of statements besides what is wanted: nothing, functions, or all that branches and leaves. */
export type Mode = "none" | "functions" | "branches";

/** UTF-16 units of a last statement that stays. */
const MAX_RETURN = 120;
/** A function is a holder of functions if these are so much of its lines. */
const HOLDER_SHARE = 0.5;
const LARGE_HOLDER_SHARE = 0.3;
/** Lines of a function that counts as large. */
const LARGE = 60;
/** A function that holds one function only must have so many lines to count as a holder. */
const HOLDER_OF_ONE = 30;
/** Words before the name of a type that has a function of the same name. */
const TYPE_WORDS = ["class", "struct", "record", "enum"];

/** Whether a name is that of a type, so that its function only makes one. */
export function isTypeName({ text }: Lines, name: string): boolean {
  return TYPE_WORDS.some((word) => text.includes(`${word} ${name}`));
}

/** Index of the last comment that goes on from that at `index`: line by line, or only one of several lines. */
export function lastOfRun(units: readonly Unit[], index: number): number {
  let last = index;
  if (units[index]!.to > units[index]!.from) return last;
  while (last + 1 < units.length) {
    const { from, to, traits } = units[last + 1]!;
    const goesOn = traits & COMMENT && from === units[last]!.to + 1;
    if (!goesOn || to > from) break;
    last++;
  }
  return last;
}

/** Index of the last unit that is a statement; -1 when there is none. */
export function lastStatement(units: readonly Unit[]): number {
  return units.findLastIndex((unit) =>
    !unit.isFixed && (unit.traits & COMMENT) === 0
  );
}

/** Whether a function is mostly there to hold others, as a suite of tests or a factory. */
export function isHolder(block: Block): boolean {
  const lines = linesOf(block);
  let held = 0;
  let holding = 0;
  for (const { functionLines } of block.units) {
    held += functionLines;
    if (functionLines > 0) holding++;
  }
  if (holding < 2) {
    return held >= HOLDER_SHARE * lines && lines >= HOLDER_OF_ONE;
  }
  const share = lines >= LARGE ? LARGE_HOLDER_SHARE : HOLDER_SHARE;
  return held >= share * lines;
}

/** Whether a statement stays for what is in it. */
export function isHeld({ functionLines, blocks }: Unit, mode: Mode): boolean {
  if (mode === "functions") return functionLines > 0;
  return mode === "branches" &&
    blocks.some(({ kind }) => kind === "statements");
}

/** Whether a statement is one short line that says what comes out. */
export function isShortLeave({ traits, from, to, start, end }: Unit): boolean {
  return (traits & LEAVES) !== 0 && from === to && end - start <= MAX_RETURN;
}
