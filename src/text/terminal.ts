/** Removal of what a terminal would not show. Not reversible: the one declared canonical form. @module */
import { ERROR, WARNING } from "./signs/flags.ts";
import { severityOf } from "./signs/severity.ts";

/** Colours and movements, titles and links, character sets and modes. */
const ESCAPES =
  // deno-lint-ignore no-control-regex
  /\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-Z]|[=>78DEHM])/g;

/** Longest state of a line that a progress display overwrites, in UTF-16 units. */
const MAX_STATE = 300;
/** What changes from one state of a progress display to the next. */
const CHANGING = /[^\p{L}]+/gu;

/**
 * Removes ANSI codes, and states of a line that a carriage return overwrote with the next state of the same display.
 * A state that says something else than the next one stays, and so does one that reports an error or a warning.
 *
 * @returns The same number of lines; the same string when there is nothing to remove. O(n).
 */
export function plainText(text: string): string {
  const plain = text.includes("\x1b") ? text.replace(ESCAPES, "") : text;
  // Without a newline, carriage returns are line ends.
  if (!plain.includes("\r") || !plain.includes("\n")) return plain;
  const parts: string[] = [];
  let copied = 0;
  for (let at = plain.indexOf("\r"); at >= 0;) {
    const start = Math.max(copied, plain.lastIndexOf("\n", at) + 1);
    const newline = plain.indexOf("\n", at);
    const end = newline < 0 ? plain.length : newline;
    if (end > at + 1) {
      parts.push(plain.slice(copied, start));
      parts.push(lastStates(plain.slice(start, end)));
      copied = end;
    }
    at = plain.indexOf("\r", end);
  }
  return copied === 0 ? plain : parts.join("") + plain.slice(copied);
}

/** A line without the states that the next one only continues. */
function lastStates(line: string): string {
  const ending = line.endsWith("\r") ? "\r" : "";
  const states = line.split("\r").filter((state) => state !== "");
  const kept = states.filter((state, i) =>
    !isOverwritten(state, states[i + 1])
  );
  return kept.join("\r") + ending;
}

function isOverwritten(state: string, next: string | undefined): boolean {
  if (next === undefined) return false;
  if (state.trim() === "") return true;
  if (state.length > MAX_STATE || next.length > MAX_STATE) return false;
  if (severityOf(state) & (ERROR | WARNING)) return false;
  const said = state.replace(CHANGING, "");
  return said === "" || said === next.replace(CHANGING, "");
}
