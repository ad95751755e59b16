/** Configuration as text in which single values are set and taken out; all else stays byte for byte. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { findNodeAtLocation, type Node } from "jsonc-parser";
import {
  ConfigFault,
  type ConfigValues,
  type KeyPath,
  type ValueFormat,
} from "../agents/agent.ts";
import {
  insertProperty,
  lineAt,
  removeProperty,
  replaceValue,
  treeOf,
  valuesOf,
} from "../agents/json_format.ts";
import {
  eolOf,
  parseToml,
  printedLines,
  withBlock,
  withoutBlocks,
  withTable,
} from "../agents/toml_format.ts";

/** Kinds of files. */
export type FormatId = "json" | "jsonc" | "toml" | "whole";

/** A byte order mark: JSON's parser gets a space for it, TOML's nothing. */
const MARK = /^\uFEFF/;

/** The formats by their names. */
export const VALUE_FORMATS: Readonly<Record<FormatId, ValueFormat>> = {
  json: jsonValues(false),
  jsonc: jsonValues(true),
  toml: tomlValues(),
  // A file that is svc's from its first byte to its last has no values of others.
  whole: { parse: () => ({}), set: (text) => text, remove: (text) => text },
};

function jsonValues(comments: boolean): ValueFormat {
  const rootOf = (text: string) => treeOf(text, { comments });
  return {
    parse: (text) => valuesOf(rootOf(text)),
    set(text, path, value) {
      const root = rootOf(text);
      if (root === undefined) {
        const [mark = ""] = splitMark(text);
        return mark + JSON.stringify(nested(path, value), null, 2) + "\n";
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
      const [key = "", ...inner] = path.slice(depth);
      return insertProperty(text, object, {
        key,
        value: inner.length === 0 ? value : nested(inner, value),
      });
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

/** A value inside the objects of a path. */
function nested(path: KeyPath, value: unknown): ConfigValues {
  const [key = "", ...rest] = path;
  return { [key]: rest.length === 0 ? value : nested(rest, value) };
}

/**
 * TOML: a plain value is a line, an object is a table at the end. Only an object at `[<container>.<name>]` and a string
 * before the first table are replaced.
 */
function tomlValues(): ValueFormat {
  return {
    parse: (text) => parseToml(text.replace(MARK, "")),
    set(marked, path, value) {
      const [mark = "", text = ""] = splitMark(marked);
      const [container = "", name, ...rest] = path;
      const isNew = !hasPath(parseToml(text), path);
      if (name === undefined) return mark + withLine(text, container, value);
      if (!isJsonObject(value) || value instanceof Date) {
        return mark + withLineInTable(text, path, value);
      }
      return mark +
        (isNew || rest.length > 0
          ? withTable(text, nested(path, value))
          : withBlock(text, [container, name], value));
    },
    remove(marked, path) {
      const [mark = "", text = ""] = splitMark(marked);
      const [container = "", name] = path;
      if (name !== undefined) {
        return mark + withoutBlocks(text, [container, name]);
      }
      const { head, rest } = headOf(text);
      const line = lineOf(container);
      return mark + head.replace(line, "") + rest;
    },
  };
}

/** A byte order mark and the text behind it. */
function splitMark(text: string): readonly string[] {
  const rest = text.replace(MARK, "");
  return [text.slice(0, text.length - rest.length), rest];
}

/** Where the first table begins, the text is cut. */
function headOf(
  text: string,
): { readonly head: string; readonly rest: string } {
  const at = /^[ \t]*\[/m.exec(text)?.index ?? text.length;
  return { head: text.slice(0, at), rest: text.slice(at) };
}

/** The line of a key with a string in quotes; the groups are what is before it, and it. */
function lineOf(key: string): RegExp {
  return new RegExp(
    String
      .raw`^([ \t]*${
      RegExp.escape(key)
    }[ \t]*=[ \t]*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*')[^\n]*(?:\n|$)`,
    "m",
  );
}

function withLine(text: string, key: string, value: unknown): string {
  const eol = eolOf(text);
  const { head, rest } = headOf(text);
  const found = lineOf(key).exec(head);
  const printed = printedLines({ [key]: value }, eol);
  if (found === null) {
    return printed.startsWith("[")
      ? withTable(text, { [key]: value })
      : printed + eol + text;
  }
  const [, before = "", old = ""] = found;
  const at = found.index + before.length;
  const shown = printed.slice(printed.indexOf("=") + 1).trim();
  return head.slice(0, at) + shown + head.slice(at + old.length) + rest;
}

/** A new line right below the header of its table, which is made where there is none. */
function withLineInTable(
  text: string,
  path: KeyPath,
  value: unknown,
): string {
  const eol = eolOf(text);
  const [key = "", ...above] = path.toReversed();
  const names = above.reverse().map((name) => {
    const plain = RegExp.escape(name);
    return `(?:${plain}|"${plain}"|'${plain}')`;
  });
  const header = new RegExp(
    String.raw`^[ \t]*\[[ \t]*${
      names.join(String.raw`[ \t]*\.[ \t]*`)
    }[ \t]*\][^\n]*(\n|$)`,
    "m",
  ).exec(text);
  if (header === null) return withTable(text, nested(path, value));
  const at = header.index + header[0].length;
  const before = text.slice(0, at);
  const gap = before.endsWith("\n") ? "" : eol;
  return before + gap + printedLines({ [key]: value }, eol) + eol +
    text.slice(at);
}

function hasPath(values: unknown, [key, ...rest]: KeyPath): boolean {
  if (key === undefined) return true;
  return isJsonObject(values) && Object.hasOwn(values, key) &&
    hasPath(values[key], rest);
}
