/** Indented JSON in which some containers stand on one line: line breaks out, spaces stay, and back. @module */
import type { Header, Mixed } from "./header.ts";
import { type Layout, skipSpace } from "./layout.ts";
import { stringEnd } from "../../text/json/tokens.ts";

const SPACE = 32;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const MAX_INDENT = 8;

/** A text without the line breaks that its header tells. */
export interface MixedForm extends Header {
  /** The value; containers that stood on one line are as they were. */
  readonly body: string;
}

/**
 * Takes out the line breaks of a text whose containers either have one item per line or stand on one line.
 *
 * @param text Valid JSON, one value.
 * @returns `undefined` when white space stands anywhere else. Linear, not recursive.
 */
export function foldMixed(text: string): MixedForm | undefined {
  const newline = text.indexOf("\n");
  const indent = /^(?: +|\t+)/.exec(text.slice(newline + 1))?.[0];
  if (newline < 0 || indent === undefined || indent.length > MAX_INDENT) {
    return undefined;
  }
  const { body, lone } = withoutBreaks(text);
  const layout: Layout = {
    lines: false,
    newline: text.charCodeAt(newline - 1) === 13 ? "\r\n" : "\n",
    joined: false,
    indent,
    comma: "",
    colon: " ",
  };
  const form = { layout, mixed: { lone }, body };
  return unfoldMixed(body, layout, form.mixed) === text ? form : undefined;
}

/** An open container. */
interface Level {
  /** It has one item per line. */
  readonly broken: boolean;
  /** It is an array with no comma and no space inside so far. */
  plain: boolean;
}

/** Drops white space in containers with one item per line. */
function withoutBreaks(text: string): { body: string; lone: boolean } {
  const open: Level[] = [];
  let lone = false;
  let out = "";
  let copied = 0;
  const drop = (from: number, to: number) => {
    out += text.slice(copied, from);
    copied = to;
  };
  for (let at = skipSpace(text, 0); at < text.length; at++) {
    const code = text.charCodeAt(at);
    const level = open.at(-1);
    const next = code === QUOTE ? at : skipSpace(text, at + 1);
    if (code === QUOTE) at = stringEnd(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) {
      const broken = text.slice(at + 1, next).includes("\n");
      open.push({ broken, plain: code === 0x5b && next === at + 1 });
      if (broken) drop(at + 1, next);
      if (isClosing(text.charCodeAt(next))) open.at(-1)!.plain = false;
    } else if (isClosing(code)) {
      if (level?.broken) {
        let from = at;
        while (text.charCodeAt(from - 1) <= SPACE) from--;
        drop(from, at);
      } else if (level?.plain && open.at(-2)?.broken !== false) lone = true;
      open.pop();
    } else if (level !== undefined && (code === COMMA || code === COLON)) {
      level.plain = false;
      if (level.broken) drop(at + 1, next);
    }
  }
  return { body: out + text.slice(copied), lone };
}

/** Puts the line breaks back. Linear, not recursive. */
export function unfoldMixed(
  body: string,
  { indent, newline }: Layout,
  { lone }: Mixed,
): string {
  const inline = inlineOf(body, lone);
  let out = "";
  let copied = 0;
  let container = 0;
  const open: boolean[] = [];
  const breaks: string[] = [];
  const add = (upTo: number, depth: number) => {
    out += body.slice(copied, upTo) +
      (breaks[depth] ??= newline + indent.repeat(depth));
    copied = upTo;
  };
  for (let at = skipSpace(body, 0); at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(body, at) - 1;
    else if (code === 0x7b || code === 0x5b) {
      const isInline = inline[container++] === 1 || open.at(-1) === true;
      open.push(isInline);
      if (!isInline) add(at + 1, open.length);
    } else if (isClosing(code)) {
      if (open.pop() === false) add(at, open.length);
    } else if (open.at(-1) === false) {
      if (code === COMMA) add(at + 1, open.length);
      if (code === COLON) {
        out += body.slice(copied, at + 1) + " ";
        copied = at + 1;
      }
    }
  }
  return out + body.slice(copied);
}

/** For each container in order: 1 when it stands on one line. */
function inlineOf(body: string, lone: boolean): number[] {
  const inline: number[] = [];
  const open: { readonly index: number; plain: boolean }[] = [];
  for (let at = skipSpace(body, 0); at < body.length; at++) {
    const code = body.charCodeAt(at);
    const level = open.at(-1);
    const isSpaced = body.charCodeAt(at + 1) === SPACE;
    if (code === QUOTE) at = stringEnd(body, at) - 1;
    else if (code === 0x7b || code === 0x5b) {
      const isEmpty = isClosing(body.charCodeAt(at + 1));
      open.push({ index: inline.length, plain: code === 0x5b });
      inline.push(isSpaced || isEmpty ? 1 : 0);
    } else if (isClosing(code)) {
      if (lone && level?.plain) inline[level.index] = 1;
      open.pop();
    } else if (level !== undefined && (code === COMMA || code === COLON)) {
      level.plain = false;
      if (isSpaced) inline[level.index] = 1;
    }
  }
  return inline;
}

function isClosing(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}
