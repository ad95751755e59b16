/** JSON and JSON Lines, also where a tool cut them off. @module */
import type { Kind } from "../../core/kind.ts";
import { elementStarts } from "../../text/json/find.ts";
import { type Scan, scanJson } from "../../text/json/scan.ts";
import { OBJECT } from "../../text/json/tape.ts";
import { isOpening, skipSpace } from "../../text/json/tokens.ts";
import { elideJson } from "./elide.ts";
import { foldJson, type JsonView, MAX_DEPTH, viewOf } from "./fold.ts";

/** A text that breaks off is JSON when it has so many characters, and when so little follows its last complete element. */
const MIN_CUT_CHARS = 200;
const MAX_REST = 0.3;
/** What tools write where they cut, and the characters that it may have. */
const NOTICE =
  /^[\s,]*(?:\.{3}|…|[[(<]{1,3}[^\n]{0,40}(?:truncat|cut|omit|more)|truncated)[^\n]{0,200}\s*$/i;
const MAX_NOTICE = 300;
const ADDED = "\n// cut off here; ";
const ADDED_END = " added above to close it. It went on:\n";
/** What is written above a text that lost its beginning. */
const BEGUN = "// began inside an element";
const OPENED = '; "[" added below to open the list';

/** What a text holds. */
export interface JsonText extends JsonView {
  /** Brackets that were added to close a text that breaks off, or `nothing`; empty for a whole text. */
  readonly brackets: string;
  /** What follows the last complete element of a text that breaks off. */
  readonly rest: string;
  /** What is before the first whole element of a text that lost its beginning; absent for others. */
  readonly head?: string;
}

/** The kind of texts that are nothing but JSON. */
export const jsonKind: Kind<JsonText> = {
  id: "smart_crusher",
  unit: "items",
  parse(text) {
    if (!isOpening(text.charCodeAt(skipSpace(text, 0)))) return begun(text);
    return wholeOf(viewOf(text)) ?? cutOff(text) ?? begun(text);
  },
  fold(view, context) {
    const fold = foldJson(view, context);
    return fold && {
      text: withRest(fold.text, view),
      restore(form) {
        const { head, opened, inside } = splitHead(form);
        const { closed, count, rest } = splitRest(inside);
        const text = withoutBrackets(fold.restore(closed), count) + rest;
        return head + text.slice(opened);
      },
    };
  },
  elide(view, { query, compressPart }) {
    // Each text is written in several degrees of detail, its strings compressed once.
    const known = new Map<string, string | undefined>();
    const shorten = (lines: string) => {
      if (known.has(lines)) return known.get(lines);
      const part = compressPart?.(lines);
      const isShort = part !== undefined && part.type !== "unchanged";
      known.set(lines, isShort ? part.text : undefined);
      return known.get(lines);
    };
    const elided = elideJson(view, { query, shorten });
    return elided && { ...elided, text: withRest(elided.text, view) };
  },
};

/** Opens a text that starts in the middle of minified JSON or of a line of JSON Lines; `undefined` for any other. Linear. */
function begun(text: string): JsonText | undefined {
  if (text.length < MIN_CUT_CHARS) return undefined;
  for (const start of elementStarts(text)) {
    const view = begunAt(text, start);
    if (view !== undefined) return view;
  }
  return undefined;
}

/** A text whose first whole element is at `start`. */
function begunAt(text: string, start: number): JsonText | undefined {
  const head = text.slice(0, start);
  const after = text.slice(start);
  const view = head.endsWith("\n")
    ? wholeOf(viewOf(after))
    : openList(`[${after}`);
  return view && { ...view, head };
}

function wholeOf(view: JsonView | undefined): JsonText | undefined {
  return view && { ...view, brackets: "", rest: "" };
}

/** A list that may break off, or have little after it: the end of what it was in. */
function openList(list: string): JsonText | undefined {
  const { tape, open } = scanJson(list, { isOne: true });
  if (open.length > 0 || tape.length < 2) return cutOff(list);
  const end = tape.end(1);
  const rest = list.slice(end);
  const isEnd = rest.length <= MAX_REST * list.length &&
    /^[\]},][^\n]*\s*$/.test(rest);
  if (rest.trim() === "") return wholeOf(viewOf(list));
  const view = isEnd ? wholeOf(viewOf(list.slice(0, end))) : undefined;
  return view && { ...view, brackets: "nothing", rest };
}

/** Closes a text that ends in the middle of JSON; `undefined` when it is anything else. Linear. */
function cutOff(text: string): JsonText | undefined {
  if (text.length < MIN_CUT_CHARS || text.includes(ADDED)) return undefined;
  const scan = scanJson(text);
  const { tape, open } = scan;
  const isOpen = open.length > 0 && open.length <= MAX_DEPTH;
  if (!isOpen || !isCut(text, scan.end)) return undefined;
  const ends = [0, ...open].map((node) => lastEnd(scan, node));
  const isNear = (end: number) =>
    end > 0 && text.length - end <= text.length * MAX_REST;
  const list = ends.findIndex((end, depth) =>
    isNear(end) && tape.kind(open[depth - 1] ?? 0) !== OBJECT
  );
  const depth = list < 0 ? ends.findIndex(isNear) : list;
  const end = ends[depth] ?? 0;
  if (end === 0) return undefined;
  const kept = text.slice(0, end);
  const { closed, brackets } = closedBy(scan, kept, depth);
  const view = viewOf(closed);
  return view &&
    { ...view, brackets: brackets || "nothing", rest: text.slice(end) };
}

/** A text with the brackets that close so many of its open containers, laid out as the first one. */
function closedBy(
  { tape, open }: Scan,
  kept: string,
  depth: number,
): { readonly closed: string; readonly brackets: string } {
  const [, newline = "", indent = ""] =
    /^\s{0,9}[[{](\r?\n)([ \t]{1,8})/.exec(kept) ?? [];
  let closed = kept;
  let brackets = "";
  for (let level = depth - 1; level >= 0; level--) {
    const bracket = tape.kind(open[level] ?? 0) === OBJECT ? "}" : "]";
    closed += newline + indent.repeat(newline === "" ? 0 : level) + bracket;
    brackets += bracket;
  }
  return { closed, brackets };
}

/** Offset after the last complete element of a container that is open where a text breaks off; 0 for none. */
function lastEnd({ tape, end }: Scan, node: number): number {
  return tape.children(node).reduce(
    (last, child) => tape.end(child) < end ? tape.end(child) : last,
    0,
  );
}

/** Whether what cannot be read reaches the end of the text, a notice aside. */
function isCut(text: string, at: number): boolean {
  let rest = text.slice(at, at + MAX_NOTICE);
  if (text.charAt(at) === '"') {
    const open = /^"(?:[^"\\\n]|\\[^])*/.exec(text.slice(at))?.[0] ?? "";
    if (text.charAt(at + open.length) === '"') return false;
    rest = text.slice(at + open.length);
    return rest === "" || NOTICE.test(rest.slice(0, MAX_NOTICE));
  }
  return at + rest.length === text.length &&
    (/^[-+.\w]{0,40}\s*$/.test(rest) || NOTICE.test(rest));
}

/** A form of the closed text, what was before it, and what followed. */
function withRest(form: string, { brackets, rest, head }: JsonText): string {
  const [added, last] = head?.endsWith("\n") ? ["", ""] : [OPENED, "\n"];
  const lead = head === undefined ? "" : `${BEGUN}${added}: ${head}${last}`;
  const end = brackets === "" ? "" : ADDED + brackets + ADDED_END + rest;
  return lead + form + end;
}

/** The first line of {@linkcode withRest}, and the characters that were added behind it. */
function splitHead(
  form: string,
): { head: string; opened: number; inside: string } {
  if (!form.startsWith(BEGUN)) return { head: "", opened: 0, inside: form };
  const isOpened = form.startsWith(OPENED, BEGUN.length);
  const end = form.indexOf("\n") + 1;
  const start = BEGUN.length + (isOpened ? OPENED.length : 0) + ": ".length;
  return {
    head: form.slice(start, isOpened ? end - 1 : end),
    opened: isOpened ? 1 : 0,
    inside: form.slice(end),
  };
}

/** Takes a text of {@linkcode withRest} apart. */
function splitRest(
  form: string,
): { closed: string; count: number; rest: string } {
  const at = form.lastIndexOf(ADDED);
  const end = at < 0 ? -1 : form.indexOf(ADDED_END, at);
  if (end < 0) return { closed: form, count: 0, rest: "" };
  const brackets = form.slice(at + ADDED.length, end);
  return {
    closed: form.slice(0, at),
    count: brackets === "nothing" ? 0 : brackets.length,
    rest: form.slice(end + ADDED_END.length),
  };
}

/** Takes `count` brackets and the white space before each off the end of a text. */
function withoutBrackets(text: string, count: number): string {
  let out = text;
  for (let i = 0; i < count; i++) out = out.slice(0, -1).trimEnd();
  return out;
}
