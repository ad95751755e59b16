/** Configuration in TOML: single lines and tables are added, replaced or cut out. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { parse, stringify, TomlError } from "smol-toml";
import {
  ConfigFault,
  type ConfigValues,
  type KeyPath,
  valueAt,
  type ValueFormat,
  valuesWith,
} from "./agent.ts";

/** A byte order mark: JSON's parser gets a space for it, TOML's nothing. */
const MARK = /^\uFEFF/;

/**
 * TOML: a plain value is a line, an object is a table at the end. Only an object at `[<container>.<name>]` and a string
 * before the first table are replaced.
 */
export const TOML_FORMAT: ValueFormat = {
  parse: (text) => parseToml(text.replace(MARK, "")),
  set(marked, path, value) {
    const [mark = "", text = ""] = splitMark(marked);
    const [container = "", name, ...rest] = path;
    if (name === undefined) return mark + withLine(text, container, value);
    if (!isJsonObject(value) || value instanceof Date) {
      return mark + withLineInTable(text, path, value);
    }
    const isNew = valueAt(parseToml(text), path) === undefined;
    return mark +
      (isNew || rest.length > 0
        ? withTable(text, valuesWith({}, path, value))
        : withBlock(text, [container, name], value));
  },
  remove(marked, path) {
    const [mark = "", text = ""] = splitMark(marked);
    const [container = "", name] = path;
    if (name !== undefined) {
      return mark + withoutBlocks(text, [container, name]);
    }
    const { head, rest } = headOf(text);
    return mark + head.replace(lineOf(container), "") + rest;
  },
};

/** A byte order mark and the text behind it. */
export function splitMark(text: string): readonly string[] {
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
  if (header === null) return withTable(text, valuesWith({}, path, value));
  const at = header.index + header[0].length;
  const before = text.slice(0, at);
  const gap = before.endsWith("\n") ? "" : eol;
  return before + gap + printedLines({ [key]: value }, eol) + eol +
    text.slice(at);
}

/**
 * The text with a value in place of the table at `[<container>.<name>]`, or as the last one. The table has those below
 * it, as long as they follow it; one in another notation (dotted keys, inline tables) is not found.
 */
function withBlock(
  text: string,
  [container, name]: readonly [string, string],
  value: unknown,
): string {
  const values = { [container]: { [name]: value } };
  const [place] = blocksOf(text, container, name);
  if (!place) return withTable(text, values);
  const block = printedLines(values, eolOf(text));
  return text.slice(0, place.start) + block + text.slice(place.end);
}

/** The text without that table and those below it. */
function withoutBlocks(
  text: string,
  [container, name]: readonly [string, string],
): string {
  const blocks = blocksOf(text, container, name).reverse();
  return blocks.reduce((rest, { start, end }) => {
    const before = rest.slice(0, start);
    const after = rest.slice(end).replace(/^\r?\n/, "");
    return after.trim() === "" ? trimmedEnd(before) + after : before +
      after.replace(/^(\r?\n)+/, "");
  }, text);
}

/** A text with more tables at its end. */
function withTable(text: string, values: ConfigValues): string {
  const eol = eolOf(text);
  const lineEnd = text === "" || text.endsWith("\n") ? "" : eol;
  const gap = text.trim() === "" ? "" : eol;
  return text + lineEnd + gap + printedLines(values, eol) + eol;
}

/** Values as lines, without a line end behind the last. */
function printedLines(values: ConfigValues, eol: string): string {
  return stringify(values).trimEnd().replaceAll("\n", eol);
}

/** How the lines of a text end. */
export function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** All but one of the line ends at the end are cut. */
function trimmedEnd(text: string): string {
  return text.replace(/(\r?\n)(\r?\n)+$/, "$1");
}

/**
 * The values of a text.
 *
 * @throws {ConfigFault} If it is not valid.
 */
function parseToml(text: string): ConfigValues {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.split("\n");
    throw new ConfigFault(
      `it is not valid TOML (${
        reason.replace(/^Invalid TOML document: /, "")
      })`,
      error.line,
    );
  }
}

/** A range of characters. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Our tables, from the header to the last line that is not blank or a comment. Runs of them are one block. */
function blocksOf(text: string, container: string, name: string): Range[] {
  const own = new RegExp(
    String
      .raw`^\[\s*(${container}|"${container}"|'${container}')\s*\.\s*(${name}|"${name}"|'${name}')\s*[.\]]`,
  );
  const blocks: { start: number; end: number }[] = [];
  let isOwn = false;
  for (const { 0: line, index: start } of text.matchAll(/[^\n]*\n?/g)) {
    const words = line.trim();
    const wasOwn = isOwn;
    if (words.startsWith("[")) isOwn = own.test(words);
    if (!isOwn || words === "" || words.startsWith("#")) continue;
    const end = start + line.trimEnd().length;
    const block = wasOwn ? blocks.at(-1) : undefined;
    if (block) block.end = end;
    else blocks.push({ start, end });
  }
  return blocks;
}
