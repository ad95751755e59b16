/** Elements as text: listings, tables, fields of forms, pictures. @module */
import {
  LEAST_DATA,
  type Node,
  plainTextOf,
  textOf,
  valueOf,
  within,
} from "../../text/html/parse.ts";
import { BLOCKS } from "../../text/html/tags.ts";
import { shortTarget } from "../../text/html/links.ts";
import { clipped, counted, grouped } from "../../text/html/phrases.ts";
import {
  HAS_BLOCKS,
  HAS_LISTING,
  HAS_TABLE,
  IS_EXACT,
  IS_GUTTER,
  IS_MISSED,
  IS_UNSEEN,
} from "./node_bits.ts";

/** Stands before code that a coverage report marks as not run, by a colour only. */
export const MISSED = "[missed] ";

/** Longer values are cut. UTF-16 units. */
const LONGEST_VALUE = 200;
const LONGEST_ALT = 300;
/** Options of a field that are named, when there are more than twice as many. */
const MOST_OPTIONS = 30;
/** A cell with more text, or of more lines with so much text, makes the table a frame for blocks. */
const LONGEST_CELL = 1500;
const LONGEST_BROKEN = 100;
const MOST_LINES = 4;

/** The text of a listing as a reader sees it, without line numbers and buttons beside it. O(nodes). */
export function exactTextOf(root: Node): string {
  const parts: string[] = [];
  const open: (Node | "\n")[] = [root];
  const endLine = () => {
    if (parts.length > 0 && !parts.at(-1)?.endsWith("\n")) parts.push("\n");
  };
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === "\n") {
      endLine();
      continue;
    }
    const isBeside = node.tag === "button" || node.tag === "svg" ||
      (node.state & (IS_UNSEEN | IS_GUTTER)) !== 0 ||
      node.attributes.has("data-nosnippet");
    if (node !== root && isBeside) continue;
    if (node.text !== "") parts.push(node.text);
    if (node.tag === "br") parts.push("\n");
    if (node !== root && BLOCKS.has(node.tag)) {
      endLine();
      open.push("\n");
    }
    if (node.state & IS_MISSED) parts.push(MISSED);
    for (const child of node.children.toReversed()) open.push(child);
  }
  return parts.join("").replaceAll("\u00a0", " ").replaceAll("\r\n", "\n");
}

/** A listing between fences that do not occur in it; no line for a blank one. */
export function listingOf(node: Node): readonly string[] {
  const body = exactTextOf(node).replace(/^\r?\n/, "").trimEnd();
  if (body.trim() === "") return [];
  const ticks = (body.match(/`{3,}/g) ?? []).map((run) => run.length);
  const fence = "`".repeat(Math.max(2, ...ticks) + 1);
  return [fence, body, fence];
}

/** Whether the cells of a table are short texts and not frames for larger parts. O(nodes of the table). */
export function isDataTable(table: Node): boolean {
  if (table.holds & HAS_BLOCKS || valueOf(table, "role") === "presentation") {
    return false;
  }
  for (const node of within(table)) {
    if (node.tag !== "td") continue;
    if (node.state & IS_EXACT || node.visible > LONGEST_CELL) return false;
    if (node.visible <= LONGEST_BROKEN) continue;
    let lines = 0;
    for (const { tag } of within(node)) {
      if (tag === "br" || BLOCKS.has(tag)) lines++;
    }
    if (lines > MOST_LINES) return false;
  }
  return true;
}

/**
 * Lines of a row whose cells are listings of equal length beside each other, as line numbers, counts and code are.
 * `undefined` for any other row. O(nodes of the row).
 */
export function zippedRow(row: Node): readonly string[] | undefined {
  if ((row.holds & HAS_LISTING) === 0 || row.holds & HAS_TABLE) {
    return undefined;
  }
  const columns = row.children.flatMap((cell) => {
    const isCell = (cell.tag === "td" || cell.tag === "th") &&
      (cell.state & IS_GUTTER) === 0;
    const text = isCell
      ? exactTextOf(cell).replace(/\s+$/, "").replace(/^\n/, "")
      : "";
    return text === "" ? [] : [text.split("\n")];
  });
  const most = Math.max(0, ...columns.map((column) => column.length));
  if (
    columns.length < 2 || most < 3 ||
    columns.some((column) => column.length < 2)
  ) return undefined;
  return Array.from(
    { length: most },
    (_, i) => columns.map((column) => column[i]?.trimEnd() ?? "").join(" | "),
  );
}

/** `[email address: placeholder="you@…", required]`, `[button: Save]`; empty for a button without any name. O(nodes). */
export function fieldText(node: Node): string {
  const { tag } = node;
  const type = tag === "input"
    ? valueOf(node, "type").toLowerCase() || "text"
    : tag;
  const value = valueOf(node, "value");
  if (tag === "button") return buttonText(node, plainTextOf(node) || value);
  if (/^(?:submit|button|reset|image)$/.test(type)) {
    return buttonText(node, value || valueOf(node, "alt") || type);
  }
  const id = valueOf(node, "id");
  const name = valueOf(node, "name") ||
    (id === "" ? valueOf(node, "aria-label") : `#${id}`);
  const parts = tag === "select"
    ? optionsOf(node)
    : quoted("value", tag === "textarea" ? textOf(node).trim() : value);
  const words = ["checked", "required", "disabled", "multiple"].filter((word) =>
    node.attributes.has(word)
  );
  const said = [
    ...parts,
    ...quoted("placeholder", valueOf(node, "placeholder")),
    ...words,
  ];
  return `[${`${type} ${name}`.trim()}${
    said.length === 0 ? "" : `: ${said.join(", ")}`
  }]`;
}

function buttonText(node: Node, label: string): string {
  const said = label || valueOf(node, "aria-label") || valueOf(node, "title");
  if (said === "") return "";
  const name = valueOf(node, "name");
  const sent = name === "" ? "" : ` ${name}=${valueOf(node, "value")}`;
  return `[button${sent}: ${clipped(said, LONGEST_VALUE)}${
    node.attributes.has("disabled") ? " (disabled)" : ""
  }]`;
}

function optionsOf(node: Node): string[] {
  const options = [...within(node)].filter(({ tag }) => tag === "option").map(
    (option) => {
      const label = plainTextOf(option) || valueOf(option, "label");
      const value = option.attributes.get("value") ?? label;
      const said = clipped(
        value === label ? label : `${value}=${label}`,
        LONGEST_VALUE,
      );
      return option.attributes.has("selected") ? `${said} (selected)` : said;
    },
  );
  if (options.length > 2 * MOST_OPTIONS) {
    const isOn = (text: string) => text.endsWith(" (selected)");
    const rest = options.splice(MOST_OPTIONS);
    options.push(...rest.filter(isOn).slice(0, 1));
    options.push(`… ${counted(rest.length, "more option")} to ${rest.at(-1)}`);
  }
  return options.length === 0 ? [] : [options.join(" | ")];
}

function quoted(name: string, raw: string): string[] {
  const value = raw.replace(/\r?\n/g, "\\n");
  if (value === "") return [];
  return [
    `${name}="${
      value.length <= LONGEST_VALUE
        ? value
        : `${clipped(value, 60)} (${grouped(value.length)} characters)`
    }"`,
  ];
}

/** `[form POST /login]`; empty for a form that sends to its own page by GET. */
export function formText(node: Node): string {
  const action = valueOf(node, "action");
  const method = (valueOf(node, "method") || "get").toUpperCase();
  if (action === "" && method === "GET") return "";
  return `[form ${method}${
    action === "" ? "" : ` ${clipped(action, LONGEST_VALUE)}`
  }]`;
}

/** A text in the place of a picture, player or frame, and the UTF-16 units that are left out with it. O(nodes). */
export function graphicText(node: Node): readonly [text: string, left: number] {
  const { tag } = node;
  const child = (name: string) => node.children.find((one) => one.tag === name);
  if (tag === "svg") {
    const title = child("title");
    const label = valueOf(node, "aria-label") ||
      (title === undefined ? "" : plainTextOf(title));
    return [label === "" ? "" : `[drawing: ${label}]`, node.to - node.from];
  }
  const source = valueOf(node, "src") || valueOf(node, "data") ||
    valueOf(child("source") ?? node, "src");
  if (tag === "img" || tag === "canvas") {
    const alt = valueOf(node, "alt") || valueOf(node, "aria-label");
    return [
      alt === "" ? "" : `[image: ${clipped(alt, LONGEST_ALT)}]`,
      source.startsWith("data:") ? source.length : 0,
    ];
  }
  return [frameText(node, source), 0];
}

/** `[iframe: title](target)` in the place of a player or frame; empty for one that shows nothing. */
function frameText(node: Node, source: string): string {
  if (source === "" || source === "about:blank") return "";
  const title = valueOf(node, "title");
  const label = title === "" ? node.tag : `${node.tag}: ${title}`;
  return `[${label}](${shortTarget(source)})`;
}

/** `JSON __NEXT_DATA__`, `attribute data-state`: names of the data that an element brings along, with the data. */
export function dataOf(
  node: Node,
): readonly (readonly [name: string, data: string])[] {
  if (node.tag === "script") {
    const type = valueOf(node, "type");
    if (!/json/i.test(type)) return [];
    const id = valueOf(node, "id");
    return [[
      `${/ld\+json/i.test(type) ? "JSON-LD" : "JSON"} ${id}`.trim(),
      textOf(node),
    ]];
  }
  const found: [string, string][] = [];
  for (const [name, value] of node.attributes) {
    if (value.length >= LEAST_DATA && name.startsWith("data-")) {
      found.push([`attribute ${name}`, value]);
    }
  }
  return found;
}
