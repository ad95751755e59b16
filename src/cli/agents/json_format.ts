/** Configuration in JSON, with comments or without; edits leave everything else as it is. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import {
  ConfigFault,
  type KeyPath,
  type ValueFormat,
  valuesWith,
} from "./agent.ts";
import { eolOf, splitMark } from "./toml_format.ts";

/** JSON; `comments` also takes commas at the end. */
export function jsonFormat(comments: boolean): ValueFormat {
  const rootOf = (text: string) => treeOf(text, comments);
  return {
    parse(text) {
      const root = rootOf(text);
      const values: unknown = root && getNodeValue(root);
      return isJsonObject(values) ? values : {};
    },
    set(text, path, value) {
      const root = rootOf(text);
      if (root === undefined) {
        const [mark = ""] = splitMark(text);
        const values = valuesWith({}, path, value);
        return mark + JSON.stringify(values, null, 2) + "\n";
      }
      const place = findNodeAtLocation(root, [...path]);
      if (place) return replaceValue(text, place, value);
      const depth = depthOf(root, path);
      const object = findNodeAtLocation(root, path.slice(0, depth))!;
      if (object.type !== "object") {
        throw new ConfigFault(
          `"${path.slice(0, depth).join(".")}" is not an object`,
          lineAt(text, object.offset),
        );
      }
      const [[key = "", inner] = []] = Object.entries(
        valuesWith({}, path.slice(depth), value),
      );
      return insertProperty(text, object, [key, inner]);
    },
    remove(text, _path, outer) {
      const root = rootOf(text);
      const property = root && findNodeAtLocation(root, [...outer])?.parent;
      return property ? removeProperty(text, property) : text;
    },
  };
}

/** How many keys of a path are there. */
function depthOf(root: Node, path: KeyPath): number {
  let depth = 0;
  while (findNodeAtLocation(root, path.slice(0, depth + 1))) depth++;
  return depth;
}

/**
 * Adds a property as the last one of an object, in the style of the text: on a line of its own where the others are,
 * behind the last one's comments.
 */
function insertProperty(
  text: string,
  object: Node,
  [key, value]: readonly [key: string, value: unknown],
): string {
  const last = object.children?.at(-1);
  const from = last === undefined ? object.offset + 1 : endOf(last);
  const closing = endOf(object) - 1;
  const { comma, end } = tailOf(text, from, closing);
  const head = text.slice(0, from) + (last && comma === undefined ? "," : "") +
    text.slice(from, end);
  const name = `${JSON.stringify(key)}: `;
  const tail = comma === undefined ? "" : ",";
  if (isFlat(text, object)) {
    const space = last && /":\s/.test(text) ? " " : "";
    return head + space + name + JSON.stringify(value) + tail + text.slice(end);
  }
  const eol = eolOf(text);
  const outer = indentAt(text, object.offset);
  const inner = last && startsLine(text, last.offset)
    ? indentAt(text, last.offset)
    : outer + unitOf(text);
  const rest = text.slice(end, closing).includes("\n")
    ? text.slice(end)
    : eol + outer + text.slice(closing);
  return head + eol + inner + name + inLines(text, value, inner) + tail + rest;
}

/** Replaces the value at a node of the tree of `text`. */
function replaceValue(text: string, node: Node, value: unknown): string {
  const owner = node.parent ?? node;
  const isLong = text.slice(node.offset, endOf(node)).includes("\n") ||
    startsLine(text, owner.offset);
  const printed = isLong
    ? inLines(text, value, indentAt(text, owner.offset))
    : JSON.stringify(value);
  return text.slice(0, node.offset) + printed + text.slice(endOf(node));
}

/** Takes a property of an object out, with the white space before it and one comma. */
function removeProperty(text: string, property: Node): string {
  const object = property.parent!;
  const children = object.children!;
  const index = children.indexOf(property);
  const previous = children[index - 1];
  const limit = children[index + 1]?.offset ?? endOf(object) - 1;
  const own = tailOf(text, endOf(property), limit).comma;
  const end = own === undefined ? endOf(property) : own + 1;
  const before = text.slice(0, property.offset).trimEnd();
  const rest = text.slice(end);
  if (own === undefined && previous) {
    const { comma } = tailOf(text, endOf(previous), property.offset);
    return before.slice(0, comma) + before.slice(comma! + 1) + rest;
  }
  const isOnly = children.length === 1 && before.endsWith("{") &&
    rest.trimStart().startsWith("}");
  return before + (isOnly ? rest.trimStart() : rest);
}

/** A comment or a comma; between two values there is nothing else but white space. */
const COMMENT_OR_COMMA = /\/\/[^\r\n]*|\/\*[^]*?\*\/|,/g;

/** What stands between two values: the comma if any, and the end of it and of all comments. */
function tailOf(text: string, from: number, to: number) {
  let comma: number | undefined;
  let end = from;
  const between = text.slice(from, to);
  for (const { 0: word, index } of between.matchAll(COMMENT_OR_COMMA)) {
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

/** A value over several lines in the style of a text, the first one without its indentation. */
function inLines(text: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, unitOf(text))
    .replaceAll("\n", eolOf(text) + indent);
}

/** What stands before an offset on its line. */
function lineBefore(text: string, offset: number): string {
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
}

/** White space at the start of the line of an offset. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(lineBefore(text, offset))![0];
}

function startsLine(text: string, offset: number): boolean {
  return lineBefore(text, offset).trim() === "";
}

/** One step of indentation: that of the first indented key, else two spaces. */
function unitOf(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? "  ";
}

/**
 * The tree of a text; `undefined` for a blank one.
 *
 * @throws {ConfigFault} If it is not an object, or not valid.
 */
function treeOf(text: string, comments: boolean): Node | undefined {
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

/** Line of an offset, from 1. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
