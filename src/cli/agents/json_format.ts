/** Configuration in JSON, with comments or without; edits leave everything else as it is. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { ConfigFault, type ConfigValues } from "./agent.ts";

/** A key and its value. */
interface Property {
  /** The key, not escaped. */
  readonly key: string;
  /** Any JSON value. */
  readonly value: unknown;
}

/**
 * Adds a property as the last one of an object, in the style of the text: on a line of its own where the others are,
 * behind the last one's comments.
 *
 * @param object An object in the tree of `text`.
 */
export function insertProperty(
  text: string,
  object: Node,
  property: Property,
): string {
  const last = object.children?.at(-1);
  const from = last === undefined ? object.offset + 1 : endOf(last);
  const closing = endOf(object) - 1;
  const { comma, end } = tailOf(text, from, closing);
  const head = text.slice(0, from) + (last && comma === undefined ? "," : "") +
    text.slice(from, end);
  const gap = text.slice(end, closing);
  const tail = comma === undefined ? "" : ",";
  if (isFlat(text, object)) {
    const space = last && /":\s/.test(text) ? " " : "";
    return head + space + flatProperty(property) + tail + text.slice(end);
  }
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(text, object.offset);
  const inner = last && startsLine(text, last.offset)
    ? indentAt(text, last.offset)
    : outer + unitOf(text);
  const layout = { unit: unitOf(text), indent: inner, eol };
  const printed = `${JSON.stringify(property.key)}: ${
    inLines(property.value, layout)
  }`;
  const rest = gap.includes("\n")
    ? text.slice(end)
    : eol + outer + text.slice(closing);
  return head + eol + inner + printed + tail + rest;
}

/** Replaces the value at a node of the tree of `text`. */
export function replaceValue(text: string, node: Node, value: unknown): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const owner = node.parent ?? node;
  const printed = text.slice(node.offset, endOf(node)).includes("\n") ||
      startsLine(text, owner.offset)
    ? inLines(value, {
      unit: unitOf(text),
      indent: indentAt(text, owner.offset),
      eol,
    })
    : JSON.stringify(value);
  return text.slice(0, node.offset) + printed + text.slice(endOf(node));
}

/** Takes a property of an object out, with the white space before it and one comma. */
export function removeProperty(text: string, property: Node): string {
  const object = property.parent!;
  const children = object.children!;
  const index = children.indexOf(property);
  const previous = children[index - 1];
  const limit = children[index + 1]?.offset ?? endOf(object) - 1;
  const own = tailOf(text, endOf(property), limit).comma;
  const end = own === undefined ? endOf(property) : own + 1;
  const before = text.slice(0, property.offset).trimEnd();
  if (own === undefined && previous) {
    const { comma } = tailOf(text, endOf(previous), property.offset);
    const kept = before.slice(0, comma) + before.slice(comma! + 1);
    return kept + text.slice(end);
  }
  const rest = text.slice(end);
  const isOnly = children.length === 1 && before.endsWith("{") &&
    rest.trimStart().startsWith("}");
  return before + (isOnly ? rest.trimStart() : rest);
}

/** A comment or a comma; between two values there is nothing else but white space. */
const COMMENT_OR_COMMA = /\/\/[^\r\n]*|\/\*[^]*?\*\/|,/g;

/** What stands between two values: the comma if any, and the end of it and of all comments. */
function tailOf(
  text: string,
  from: number,
  to: number,
): { readonly comma: number | undefined; readonly end: number } {
  let comma: number | undefined;
  let end = from;
  for (
    const { 0: word, index } of text.slice(from, to).matchAll(COMMENT_OR_COMMA)
  ) {
    if (word === ",") comma = from + index;
    end = from + index + word.length;
  }
  return { comma, end };
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** Whether an object stays on its line: it has things on one line, or is empty in a file of one line. */
function isFlat(text: string, object: Node): boolean {
  const isEmpty = object.children?.length === 0;
  if (isEmpty && object.parent === undefined) return false;
  const around = isEmpty
    ? text.trim()
    : text.slice(object.offset, endOf(object));
  return !around.includes("\n");
}

function flatProperty({ key, value }: Property): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
}

/** How a value is printed over several lines. */
interface Layout {
  readonly unit: string;
  readonly indent: string;
  readonly eol: string;
}

function inLines(value: unknown, { unit, indent, eol }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

/** White space at the start of the line of an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

function startsLine(text: string, offset: number): boolean {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return text.slice(start, offset).trim() === "";
}

/** One step of indentation: that of the first indented key, else two spaces. */
function unitOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
}

/**
 * The tree of a text; `undefined` for a blank one. `comments` also takes commas at the end.
 *
 * @throws {ConfigFault} If it is not an object, or not valid.
 */
export function treeOf(
  text: string,
  { comments }: { readonly comments: boolean },
): Node | undefined {
  // A byte order mark is not JSON to the parser; a space in its place keeps all offsets.
  const plain = text.replace(/^\uFEFF/, " ");
  if (plain.trim() === "") return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(plain, errors, {
    disallowComments: !comments,
    allowTrailingComma: comments,
  });
  const [error] = errors;
  if (error) {
    const reason = printParseErrorCode(error.error)
      .replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
    throw new ConfigFault(
      `it is not valid JSON (${reason})`,
      lineAt(text, error.offset),
    );
  }
  if (root?.type !== "object") throw new ConfigFault("it is not an object", 1);
  return root;
}

/** The values of a tree; none for a blank text. */
export function valuesOf(root: Node | undefined): ConfigValues {
  const values: unknown = root === undefined ? {} : getNodeValue(root);
  return isJsonObject(values) ? values : {};
}

/** Line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
