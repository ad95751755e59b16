/** Removal of what a terminal would not show. Not reversible: for elided texts only. @module */
import { ERROR, severityOf } from "../../text/severity.ts";

// deno-lint-ignore no-control-regex
const ESCAPES = /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g;

/** Removes ANSI codes and the states of a line that a carriage return overwrote. Keeps the number of lines. O(n). */
export function cleanLog(text: string): string {
  const plain = text.includes("\x1b") ? text.replace(ESCAPES, "") : text;
  if (!plain.includes("\r")) return plain;
  return plain.replace(/[^\n]*\r[^\n]*/g, lastState);
}

/** What stays of a line with carriage returns: its last state, and every earlier one that reports an error. */
function lastState(line: string): string {
  const ending = line.endsWith("\r") ? "\r" : "";
  const states = line.split("\r").filter((state) => state !== "");
  const kept = states.filter((state, i) =>
    i === states.length - 1 || (severityOf(state) & ERROR) !== 0
  );
  return kept.join("\r") + ending;
}
