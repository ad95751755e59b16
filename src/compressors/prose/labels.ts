/** What a gap holds, in a few words: names of its headings, options and items, so that a reader can ask for it. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { CODE, FENCE, HEADING, ITEM, ROW, TEXT } from "./kinds.ts";
import type { Gap } from "./select.ts";
import { ENDS_LINE, OPENS_PARAGRAPH, STARTS_LINE, type Unit } from "./units.ts";

/** UTF-16 units of a line that are read. */
const WIDTH = 240;
/** UTF-16 units of a name at most: longer ones are not told. */
const LONGEST = 36;
/** Share of the gap's length that names of items may take, and UTF-16 units of them at most. */
const SHARE = 0.16;
const MOST = 90;
/** Items that end alike, at least. */
const ALIKE = 5;

const HEADING_MARKS = /^[\s>]*(?:#{1,6}\s+|\*\*|__)?|(?:\*\*|__)?:?[\s#]*$/g;
const OPTION = /^[\s>]*(?:\*\*)?(-{1,2}[A-Za-z\d?][^.;!?]{0,70})$/;
/** Behind it stands what an option does. */
const COLUMN_GAP = / {2,}|\t|(?<=\S) (?=[–—] )/;
/** Code and bold words in running text. */
const MARKED = /`[^`\s][^`]{0,30}`|\*\*[^*\s][^*]{0,30}\*\*/g;
const BARE = /^[\s>]*[^\s.,;:!?]{1,24}(?: [^\s.,;:!?]{1,16}){0,2}$/;
const CELL = /^\s*\|\s*([^|]*?)\s*(?:\||$)/;
const ITEM_MARK =
  /^[\s>]*(?:[-*+•–]|\d{1,3}[.)]|[a-zA-Z][.)])\s+(?:\[[ xX]\]\s+)?/;
/** The name at the start of an item: bold, code, a link, or words before a colon or a dash. */
const ITEM_NAME =
  /^(?:\*\*([^*]+?)[:.]?\*\*|`([^`]+)`|\[([^\]]+)\]|([^\s:–—(][^:–—(]*?)(?::|\s[–—-]\s|\s\())/;

/**
 * Names of all headings and options in a gap, and of some of its items; empty when there is nothing to name.
 * No name is shortened. O(gap).
 */
export function labelOf(
  lines: Lines,
  units: readonly Unit[],
  { from, to }: Gap,
): string {
  const found = new Names();
  for (let u = from; u < to; u++) found.add(lines, units[u]!);
  return found.told(units[to - 1]!.end - units[from]!.start);
}

/** What was met in a gap. */
class Names {
  /** Told in any case. */
  readonly #sure: string[] = [];
  /** Told as far as there is room. */
  readonly #items: string[] = [];
  /** Told where there is nothing else. */
  readonly #marked: string[] = [];
  readonly #ends = new Set<string>();
  #itemCount = 0;
  #rowCount = 0;
  #codeCount = 0;

  add(lines: Lines, unit: Unit): void {
    const { kind, place } = unit;
    if (kind === CODE || kind === FENCE) {
      this.#codeCount++;
      return;
    }
    if (kind === TEXT) this.#marked.push(...markedIn(lines, unit));
    if ((place & STARTS_LINE) === 0) return;
    const line = lineAt(lines, unit.line).slice(0, WIDTH);
    if (kind === HEADING) {
      this.#sure.push(line.replace(HEADING_MARKS, "").trim());
    } else if (kind === ROW) this.#row(line);
    else if (kind === ITEM && place & OPENS_PARAGRAPH) {
      this.#itemCount++;
      this.#items.push(nameOfItem(line));
      this.#ends.add(endOf(line, unit));
    } else if (kind === TEXT) this.#text(line, unit);
  }

  /** @param size UTF-16 units of the gap. */
  told(size: number): string {
    const [end] = this.#ends;
    const isAlike = this.#itemCount >= ALIKE && this.#ends.size === 1 &&
      end !== "";
    const counted = isAlike
      ? `${this.#counted()}, each ends with ${end}`
      : this.#counted();
    const sure = unique(this.#sure);
    const items = unique(this.#items);
    const isBare = sure.length + items.length === 0;
    const room = Math.min(MOST, SHARE * size);
    const more = within(isBare ? unique(this.#marked) : items, room);
    const names = [...sure, ...more].join("; ");
    const many = this.#itemCount > 1 || this.#rowCount > 1 ||
      this.#codeCount > 2;
    if (sure.length > 0 || !many) return names;
    return names === "" ? counted : `${counted}: ${names}`;
  }

  #counted(): string {
    return [
      countOf(this.#itemCount, "item"),
      countOf(this.#rowCount, "row"),
      this.#codeCount > 2 ? "code" : "",
    ].filter((part) => part !== "").join(", ");
  }

  #row(line: string): void {
    const cell = CELL.exec(line)?.[1];
    const name = cell ?? nameOfOption(line.trim());
    if (!/[\p{L}\d]/u.test(name) || name.endsWith(":")) return;
    if (cell !== undefined) {
      this.#rowCount++;
      this.#items.push(name);
    } else if (name !== line.trim() || name.startsWith("-")) {
      this.#sure.push(name);
    }
  }

  #text(line: string, unit: Unit): void {
    const option = OPTION.exec(line.trimEnd())?.[1];
    if (option !== undefined) this.#sure.push(nameOfOption(option));
    else if (isBareName(line, unit)) {
      this.#sure.push(line.replace(/^[\s>]+/, ""));
    }
  }
}

/** A paragraph of a few words without an end: the name of a command over its description. */
function isBareName(line: string, { place, line: first, lastLine }: Unit) {
  return (place & (OPENS_PARAGRAPH | ENDS_LINE)) ===
      (OPENS_PARAGRAPH | ENDS_LINE) && first === lastLine && BARE.test(line);
}

/** What stands before the gap between an option and what it does. */
function nameOfOption(line: string): string {
  return line.split(COLUMN_GAP, 1)[0]!.trim().replace(/\*\*|\\$/g, "").trim();
}

function nameOfItem(line: string): string {
  const match = ITEM_NAME.exec(line.replace(ITEM_MARK, ""));
  return match?.slice(1).find((part) => part !== undefined) ?? "";
}

/** The last word of an item of one line; empty for a longer one. */
function endOf(line: string, { line: first, lastLine, place }: Unit): string {
  const isWhole = first === lastLine && place & ENDS_LINE &&
    line.length < WIDTH;
  return isWhole ? line.slice(line.lastIndexOf(" ") + 1) : "";
}

/** Code and bold words of a sentence. */
function markedIn({ text }: Lines, { start, end }: Unit): string[] {
  const sentence = text.slice(start, Math.min(end, start + WIDTH));
  return sentence.match(MARKED) ?? [];
}

function countOf(count: number, unit: string): string {
  if (count === 0) return "";
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== "");
}

/** Names that fit into the room, first ones first; `…` says that there are more. */
function within(names: readonly string[], room: number): string[] {
  const told: string[] = [];
  let length = 0;
  for (const name of names) {
    if (name.length > LONGEST) continue;
    length += name.length + 2;
    if (length > room) break;
    told.push(name);
  }
  if (told.length > 0 && told.length < names.length) told.push("…");
  return told;
}
