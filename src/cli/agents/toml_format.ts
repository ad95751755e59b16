/** Configuration in TOML: one block of lines is added, replaced or cut out. @module */
import { parse, stringify, TomlError } from "smol-toml";
import { ConfigFault, type ConfigValues } from "./agent.ts";

/**
 * The text with a value in place of the table at `[<container>.<name>]`, or as the last one. The table has those below
 * it, as long as they follow it; one in another notation (dotted keys, inline tables) is not found.
 */
export function withBlock(
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
export function withoutBlocks(
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
export function withTable(text: string, values: ConfigValues): string {
  const eol = eolOf(text);
  const lineEnd = text === "" || text.endsWith("\n") ? "" : eol;
  const gap = text.trim() === "" ? "" : eol;
  return text + lineEnd + gap + printedLines(values, eol) + eol;
}

/** Values as lines, without a line end behind the last. */
export function printedLines(values: ConfigValues, eol: string): string {
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
export function parseToml(text: string): ConfigValues {
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
