/** What each line of code is in: a class, the body of a function, a long value. By indentation, in any language. @module */
import { codeAt, keyAt, offsetAt } from "../../text/lines.ts";
import { CODE, COMMENT, type Layout, startOf, STRAY, TEXT } from "./layout.ts";

/** Places that a line can be in. */
export const MEMBERS = 0;
/** A function, or a statement outside of one that branches or loops. */
export const BODY = 1;
/** A value of several lines, or the arguments of a call. */
export const DATA = 2;
/** Parameters and the like. */
export const SIGNATURE = 3;
/** A function that is there to hold others: a suite of tests, a factory. */
export const HOLDER = 4;

/** Lists with one entry per line. */
export interface Blocks {
  readonly layout: Layout;
  /** Line that a line is indented below; -1 for none. */
  readonly parents: Int32Array;
  /** First line of the statement that a line goes on, as `} else {` does; itself for most. */
  readonly heads: Int32Array;
  /** Last line that is indented below a line; itself where none is. */
  readonly ends: Int32Array;
  /** {@linkcode MEMBERS} to {@linkcode HOLDER}. */
  readonly zones: Uint8Array;
  /** {@linkcode BODY} or {@linkcode HOLDER} where a function begins that has lines below it; else 0. */
  readonly functions: Uint8Array;
  /** Last line below a line that belongs to the signature which it begins; -1 for none. */
  readonly signatures: Int32Array;
  /** Lines below a line that are in functions. */
  readonly held: Uint32Array;
}

/** Lines over which a signature goes. */
const LONGEST_SIGNATURE = 40;
/** A function holds others if these are so much of its lines. */
const HOLDER_SHARE = 0.5;
const LARGE_HOLDER_SHARE = 0.3;
/** Lines of a function that counts as large, and of a holder of one function. */
const LARGE = 60;
const HOLDER_OF_ONE = 30;

const BRACE = 123;
const COLON = 58;
const ANGLE = 62;

/** A line that goes on with the statement before it. */
const GOES_ON =
  /^(?:[)}\]]|\{$|<\/|(?:else|elif|elsif|except|finally|catch|rescue|ensure|where|end|fi|done|esac|then|do)\b)/;
/** The same words as names of members. */
const NAMED =
  /^(?:end|fi|done|esac|then|do|where|elif|elsif|except|rescue|ensure|finally)\s*[(:?<=]/;
/** A method of that name, unless something is tried before it. */
const CATCH = /^catch\s*[(:?<]/;
const TRIES = /\b(?:try|do)\b/;
const CONTROL =
  /^(?:[)}\]]*\s*)(?:if|else|elif|elsif|for|foreach|while|until|unless|switch|match|case|when|try|catch|except|finally|rescue|ensure|do|loop|select|with|lock|synchronized|begin|repeat|guard)\b/;
/** Words before a name that say that members are below. */
const TYPE =
  /^(?:#\[.*\]\s*)?(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|sealed|partial|data|inner|open|inline|annotation|pub(?:\([^)]*\))?|unsafe|readonly|type|message|typedef|companion|async|template\s*<.*>)\s+)*(?:class|interface|trait|impl|namespace|module|mod|protocol|extension|object|record|extern|service|defmodule|type|package|oneof)(?:\s+[\w$":{*&]|<|\s*\{|$)|^(?:const|var|type|import)\s*[({]$|^(?:import\s[^=(]*|export\s(?:type\s)?|(?:pub )?use\s.*)\{$/;
/** The same, but functions may return one. */
const PLAIN_TYPE =
  /^(?:(?:export|declare|public|private|protected|internal|static|const|final|pub(?:\([^)]*\))?|typedef|template\s*<.*>)\s+)*(?:struct|enum|union|message)\b[^(]*$/;
const FUNCTION =
  /\b(?:def|defp|fn|func|fun|function|sub|proc|procedure|lambda|constructor|operator)\b|\bdo\s*\||^\).*=>/;
/** A function without a name: an arm of a `match` looks alike, but for what is before it. */
const ARROW =
  /(?:^|[=(,:?]\s*|\b(?:async|return|default)\s+)(?:<[^>]*>)?(?:\((?:[^()]|\([^()]*\))*\)(?::[^=]+)?\s*|(?<=[=(,:?]\s*|async\s)[\w$]+\s+)[-=]>/;
/** A call signature before a brace: `name(…)`, what follows it, and the brace. */
const METHOD = /[\w$>\])}]\s*\(|^\(|^[)\]>]/;
/** What a value starts with: a bracket after a sign or a bracket. */
const VALUE =
  /(?:=\s*[\w&:.*<>[\], ]*|[:(,?[]\s*|\breturn\s+[\w&:.]*\s*)[[{(]+$|^[[{(]+$/;
/** What a function starts with where no brace says that one begins. */
const WORDED =
  /^(?:async\s+|local\s+)?(?:def|defp|function|sub|proc|it|test|describe|context|create (?:or replace )?function)\b/i;
const BODY_WORDS =
  /^(?:static|init|get|set|deinit|macro_rules!|\w+!|BEGIN|END)\b/;

/** Finds the blocks. O(lines). */
export function blocksOf(layout: Layout): Blocks {
  const { count } = layout.lines;
  const blocks: Blocks = {
    layout,
    parents: new Int32Array(count).fill(-1),
    heads: Int32Array.from({ length: count }, (_, line) => line),
    ends: Int32Array.from({ length: count }, (_, line) => line),
    zones: new Uint8Array(count),
    functions: new Uint8Array(count),
    signatures: new Int32Array(count).fill(-1),
    held: new Uint32Array(count),
  };
  nest(blocks);
  findFunctions(blocks);
  placeLines(blocks);
  return blocks;
}

/** Finds what each line is below of, and which statement it goes on. */
function nest(blocks: Blocks): void {
  const { layout: { roles, indents }, parents, ends } = blocks;
  const open: number[] = [];
  let last = -1;
  for (const [line, role] of roles.entries()) {
    const indent = offsetAt(indents, line);
    if (role === COMMENT || role === STRAY) {
      parents[line] = open.findLast((up) => offsetAt(indents, up) < indent) ??
        -1;
    } else if (role === TEXT) parents[line] = open.at(-1) ?? -1;
    if (role === CODE) {
      close(blocks, open, { line, last });
      parents[line] = open.at(-1) ?? -1;
      open.push(line);
    }
    // A comment before the next statement is not below this one.
    if (role === CODE || role === TEXT || role === STRAY) last = line;
  }
  for (const line of open) ends[line] = last;
}

/** Takes the lines from `open` that a line is not below; it may go on with the statement of the last one. */
function close(
  { layout: { lines, indents, sign }, heads, ends }: Blocks,
  open: number[],
  { line, last }: { readonly line: number; readonly last: number },
): void {
  const indent = offsetAt(indents, line);
  const start = startOf(lines, line);
  const goesOn = GOES_ON.test(start) && !(sign === "//" && NAMED.test(start));
  for (let up = open.at(-1); up !== undefined; up = open.at(-1)) {
    if (offsetAt(indents, up) < indent) return;
    open.pop();
    ends[up] = last;
    if (!goesOn || offsetAt(indents, up) !== indent) continue;
    const head = keyAt(heads, up);
    if (CATCH.test(start) && !TRIES.test(startOf(lines, head))) continue;
    heads[line] = head;
  }
}

/** Finds functions and counts the lines in them, from the innermost. */
function findFunctions(blocks: Blocks): void {
  const { layout: { roles }, parents, ends, functions, held } = blocks;
  const holding = new Uint32Array(roles.length);
  for (let line = roles.length - 1; line >= 0; line--) {
    const end = keyAt(ends, line);
    if (roles[line] !== CODE) continue;
    const length = end - line + 2;
    if (end > line) {
      blocks.signatures[line] = signatureEnd(blocks, line);
      if (isFunction(blocks, line)) {
        const share = offsetAt(held, line) / length;
        const least = offsetAt(holding, line) > 1 && length >= LARGE
          ? LARGE_HOLDER_SHARE
          : HOLDER_SHARE;
        const isLong = offsetAt(holding, line) > 1 || length >= HOLDER_OF_ONE;
        functions[line] = isLong && share >= least ? HOLDER : BODY;
      }
    }
    const parent = keyAt(parents, line);
    const own = functions[line] !== 0 ? length : offsetAt(held, line);
    if (parent < 0 || own === 0) continue;
    held[parent] = offsetAt(held, parent) + own;
    holding[parent] = offsetAt(holding, parent) + 1;
  }
}

/** By what its statement starts with, and by what ends its signature. */
function isFunction({ layout, ...blocks }: Blocks, line: number): boolean {
  const { lines, lasts, sign } = layout;
  const signature = keyAt(blocks.signatures, line);
  const isOver = signature >= 0 && signature < keyAt(blocks.ends, line) &&
    blocks.ends[signature] === signature;
  const last = codeAt(lasts, isOver ? signature : line);
  const head = startOf(lines, keyAt(blocks.heads, line));
  if (CONTROL.test(head) || isType(head)) return false;
  if (sign !== "//" && last !== BRACE) return WORDED.test(head);
  if (last !== BRACE && last !== ANGLE) return false;
  const own = startOf(lines, line);
  if (FUNCTION.test(own) || ARROW.test(own)) return true;
  const isValue = !isOver && VALUE.test(own) && own !== "{";
  return !isValue &&
    [FUNCTION, METHOD, BODY_WORDS].some((form) => form.test(head));
}

function isType(head: string): boolean {
  return TYPE.test(head) || PLAIN_TYPE.test(head);
}

/** Says of each line what it is in, from the outermost. */
function placeLines(blocks: Blocks): void {
  const { layout: { roles }, parents, heads, ends, zones } = blocks;
  const { signatures, functions, held } = blocks;
  const below = new Uint8Array(roles.length);
  for (const [line, role] of roles.entries()) {
    const parent = keyAt(parents, line);
    if (parent >= 0) {
      zones[line] = line <= keyAt(signatures, parent)
        ? SIGNATURE
        : codeAt(below, parent);
    }
    if (role !== CODE) continue;
    // A statement with functions in it stays.
    const holds = functions[line] !== 0 || offsetAt(held, line) > 0;
    if (zones[line] === HOLDER) zones[line] = holds ? MEMBERS : BODY;
    const head = keyAt(heads, line);
    if (head !== line) zones[line] = codeAt(zones, head);
    const zone = codeAt(zones, line);
    if (zone === BODY) below[line] = BODY;
    else if (keyAt(ends, line) > line) {
      below[line] = zoneBelow(blocks, line, zone);
    }
  }
}

/** Line on which the brackets that a line opens are closed before a body begins; -1 where no body follows. */
function signatureEnd(
  { layout: { lasts, opened, sign }, ends }: Blocks,
  line: number,
): number {
  let depth = 0;
  const most = Math.min(opened.length, line + LONGEST_SIGNATURE);
  for (let at = line; at < most; at++) {
    depth += keyAt(opened, at);
    const last = codeAt(lasts, at);
    if (
      last === BRACE || last === ANGLE ||
      (sign === "#" && depth <= 0 && last === COLON)
    ) {
      return at === line ? -1 : Math.min(at, keyAt(ends, line));
    }
    if (depth <= 0) return -1;
  }
  return -1;
}

/** What is below a line that is in no body. */
function zoneBelow(blocks: Blocks, line: number, zone: number): number {
  const { layout: { lines, lasts, sign }, heads, functions } = blocks;
  const head = startOf(lines, keyAt(heads, line));
  const kind = codeAt(functions, line);
  if (kind !== 0) return kind;
  if (isType(head)) return MEMBERS;
  if (zone === DATA || zone === SIGNATURE) return zone;
  if (CONTROL.test(head)) {
    const isOpen = offsetAt(blocks.held, line) > 0 || /^[^(]*#\[cfg/.test(head);
    return isOpen ? MEMBERS : BODY;
  }
  const last = codeAt(lasts, line);
  const opens = last === BRACE || (sign === "#" && last === COLON);
  return opens && !VALUE.test(startOf(lines, line)) ? MEMBERS : DATA;
}
