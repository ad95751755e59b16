/** Needles in rows: elements of JSON, lines of JSON, and tables. @module */
import type { LoadedItem } from "./corpus.ts";
import type { Needle } from "./needle_bodies.ts";
import { type Member, MEMBERS, SORTS, type Value } from "./needle_spellings.ts";
import { oneOf, type Random, randomOf, usualValue } from "./needle_values.ts";

/** A text with a member or a column more. */
interface Widened {
  /** With the usual values only. */
  readonly base: string;
  /** With the needle. */
  readonly text: string;
}

type Widen = (
  text: string,
  member: Member,
  random: Random,
) => Widened | undefined;

/** The text once for each member or column, with one needle at a random place. */
export function rowNeedles(item: LoadedItem): readonly Needle[] {
  const widen: Widen = item.kind === "table" ? widenTable : widenJson;
  return SORTS.flatMap((sort) =>
    MEMBERS[sort].flatMap((member) => {
      const { key, telling } = member;
      const variant = `${key}: ${telling}`;
      const random = randomOf(`${item.file} ${variant}`);
      const widened = widen(item.text, member, random);
      return widened === undefined ? [] : [{
        item: { ...item, facts: [], text: widened.text },
        base: widened.base,
        sort,
        variant,
        word: `"${key}":${JSON.stringify(telling)}`,
        value: `${telling}`,
      }];
    })
  );
}

/** Whether each line with text is an object of its own, maybe an element of an array with a line for each. */
export function isLinesOfJson(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.length > 1 &&
    lines.every((line) => objectIn(line) !== undefined);
}

const OBJECT_LINE = /^(\s*\[?\s*)(\{.*\})(\s*[,\]]?\s*)$/;

/** What comes before the object of a line, the object, and what comes behind it. */
function objectIn(line: string): readonly string[] | undefined {
  const found = OBJECT_LINE.exec(line);
  if (found === null) return undefined;
  try {
    JSON.parse(found[2]!);
  } catch {
    return undefined;
  }
  return found.slice(1);
}

function withMember(object: string, key: string, value: Value): string {
  const rest = object.replace(/\s*\}$/, "");
  const comma = /^\{\s*$/.test(rest) ? "" : ",";
  return `${rest}${comma}${JSON.stringify(key)}:${JSON.stringify(value)}}`;
}

const widenJson: Widen = (text, member, random) =>
  isLinesOfJson(text)
    ? widenLines(text, member, random)
    : widenTree(text, member, random);

const widenLines: Widen = (text, { key, usual, telling }, random) => {
  if (text.includes(`"${key}"`)) return undefined;
  const rows = text.split("\n").filter((line) => line.trim() !== "");
  const parts = rows.map((row) => objectIn(row)!);
  const wide = parts.map(([head, object, tail]) =>
    head + withMember(object!, key, usualValue(usual, random)) + tail
  );
  // Behind the first row: a row in the middle has the brackets and commas of all others.
  const at = 1 + Math.floor(random() * (rows.length - 1));
  const [head, , tail] = parts[Math.min(1, rows.length - 2)]!;
  const object = parts[at - 1]![1]!;
  const row = (at > 1 ? head : parts.at(-1)![0]!.replace("[", "")) +
    withMember(object, key, telling) +
    (rows.length > 2 ? tail : parts[0]![2]!);
  return {
    base: wide.join("\n"),
    text: wide.toSpliced(at, 0, row).join("\n"),
  };
};

type Tree = Record<string, unknown>;

const widenTree: Widen = (text, { key, usual, telling }, random) => {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (text.includes(`"${key}"`)) return undefined;
  const indent = /^[[{]\n(\s+)/.exec(text)?.[1];
  const print = () => JSON.stringify(root, null, indent);
  const [most] = arraysIn(root).sort((a, b) => b.length - a.length);
  if (most === undefined || most.length < 3) {
    const base = print();
    oneOf(objectsIn(root), random)[key] = telling;
    return { base, text: print() };
  }
  for (const element of most) element[key] = usualValue(usual, random);
  const base = print();
  const at = Math.floor(random() * most.length);
  most.splice(at + 1, 0, { ...most[at], [key]: telling });
  return { base, text: print() };
};

/** Each array of objects, however deep. */
function arraysIn(value: unknown): Tree[][] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(arraysIn);
  const isRows = Array.isArray(value) && value.length > 0 &&
    value.every((each) =>
      typeof each === "object" && each !== null && !Array.isArray(each)
    );
  return isRows ? [value, ...inner] : inner;
}

function objectsIn(value: unknown): Tree[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Tree, ...inner];
}

/** How a table separates its cells. */
type Style = "csv" | "bars" | "columns";

function styleOf(lines: readonly string[]): Style {
  const share = (pattern: RegExp) =>
    lines.filter((line) => pattern.test(line)).length / lines.length;
  if (share(/\S\s*\|\s*\S/) > 0.5) return "bars";
  return share(/^[^,\s]+,\S.*,/) > 0.8 ? "csv" : "columns";
}

const RULE = /^[\s|+:=-]+$/;

const widenTable: Widen = (text, { key, usual, telling }, random) => {
  const lines = text.split("\n");
  const style = styleOf(lines);
  const rows = rowsOf(lines, style);
  if (rows.length < 3) return undefined;
  const values = rows.map(() => `${usualValue(usual, random)}`);
  const width = Math.max(
    ...[...values, key, `${telling}`].map((each) => each.length),
  );
  const commas = (line: string) => line.split(",").length;
  // The last column of such a table holds commas without quotes: nobody can say what a column behind it has.
  const isOpen = rows.some((i) => commas(lines[i]!) > commas(lines[0]!));
  const cell = (line: string, value: string) => {
    if (style === "csv") {
      return isOpen ? `${value},${line}` : `${line},${value}`;
    }
    const padded = value.padEnd(width);
    if (style === "columns") return `${padded}  ${line}`;
    if (RULE.test(line)) {
      const dashes = "-".repeat(width);
      return line.endsWith("|") ? `${line} ${dashes} |` : `${line}+-${dashes}-`;
    }
    return line.endsWith("|") ? `${line} ${padded} |` : `${line} | ${padded}`;
  };
  const wide = lines.slice();
  const header = Math.max(0, rows[0]! - 1);
  for (let i = header; i < lines.length; i++) {
    if (style === "bars" && /[|+]/.test(lines[i]!)) {
      wide[i] = cell(lines[i]!, "");
    }
  }
  const named = lines.findIndex((line, i) =>
    i < rows[0]! && !RULE.test(line) && line.trim() !== ""
  );
  if (named >= 0) {
    const head = lines[named]!;
    const isUpper = head === head.toUpperCase();
    wide[named] = cell(head, isUpper ? key.toUpperCase() : key);
  }
  rows.forEach((i, k) => wide[i] = cell(lines[i]!, values[k]!));
  const at = oneOf(rows, random);
  const row = cell(lines[at]!, `${telling}`);
  return {
    base: wide.join("\n"),
    text: wide.toSpliced(at + 1, 0, row).join("\n"),
  };
};

/** Indexes of the rows under the header. */
function rowsOf(lines: readonly string[], style: Style): readonly number[] {
  const isRow = (line: string) => {
    if (RULE.test(line) || line.trim() === "") return false;
    if (style === "bars") return line.includes("|");
    return style === "csv" || line.trim().split(/\s+/).length > 2;
  };
  return [...lines.keys()].slice(1).filter((i) => isRow(lines[i]!));
}
