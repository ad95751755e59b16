/** What is said of a gap in a configuration: names of entries, settings, packages. @module */
import type { Gap, Told } from "../../core/kind.ts";
import { countText } from "../../engine/note.ts";
import { keyAt as numberAt, lineAt } from "../../text/lines.ts";
import { rowsOf } from "./alike.ts";
import { labelOfPackages } from "./lock.ts";
import { type ConfigView, keyOf, valueOf } from "./parse.ts";
import type { Row } from "./row.ts";
import { SWITCHED_OFF } from "./recognise.ts";
import {
  AGAIN,
  ALIKE,
  COMMENTED,
  COMMON,
  KEPT_BOOKS,
  PACKAGE,
  type Plan,
  planOf,
} from "./plan.ts";

/** UTF-16 units of all names in a note: of list items and settings, and of keys, which are facts of their own; of one name. */
const LONGEST_ITEMS = 420;
const LONGEST_KEYS = 1200;
const LONGEST_NAME = 60;
/** An entry of more lines is named with its main values, so many of them, each so long at most. */
const LARGE_ENTRY = 12;
const MOST_VALUES = 6;
const LONGEST_VALUE = 48;
/** Keys that name an entry, the best first, and how much deeper than it they may be. */
const NAMING = ["name", "id", "key", "title", "host", "type", "path"];
const DEEPEST_NAME = 4;
/** Keys whose values a reader asks for first. */
const STATE =
  /^(?:image|version|replicas|phase|state|ready|restartCount|enabled|reason|host|port|url|nodeName|podIP)$/;

/** What a gap holds: names of entries, settings switched off, where the same lines are. O(gap). */
export function labelOf(
  view: ConfigView,
  { from, to }: Gap,
  { firstLine }: Told,
): string {
  const plan = planOf(view);
  const { why, again } = plan;
  const said: string[] = [];
  for (let line = from; line < to;) {
    const reason = why[line];
    const shift = line - numberAt(again, line);
    let end = line + 1;
    while (
      end < to && why[end] === reason &&
      (reason !== AGAIN || end - numberAt(again, end) === shift)
    ) end++;
    const gap = { from: line, to: end };
    const first = line - shift + firstLine;
    if (reason === AGAIN) {
      said.push(`same as lines ${first}-${first + end - line - 1}`);
    } else if (reason === ALIKE) said.push(namesOf(view, plan, gap));
    else if (reason === COMMENTED) said.push(switchedOff(view, gap));
    else if (reason === COMMON) said.push(settingsIn(view, gap));
    else if (reason === KEPT_BOOKS) said.push("bookkeeping");
    else if (reason === PACKAGE && view.lock !== undefined) {
      said.push(labelOfPackages(view.lock, gap));
    }
    line = end;
  }
  return said.join("; ");
}

/** `12 items: a, b, c`; as many names as there is room for. */
function namesOf(view: ConfigView, { spare }: Plan, { from, to }: Gap): string {
  const entries = view.rows.slice(from, to).filter((row) => spare.has(row));
  const [first] = entries;
  const isLarge = entries.some(({ line, end }) => end - line > LARGE_ENTRY);
  const room = first?.dash && !isLarge ? LONGEST_ITEMS : LONGEST_KEYS;
  const word = first?.dash
    ? "items"
    : first?.kind === "section"
    ? "sections"
    : "keys";
  const names: string[] = [];
  let used = 0;
  for (const entry of entries) {
    const name = nameOf(view, entry) + (isLarge ? valuesIn(view, entry) : "");
    used += name.length + 2;
    if (used > room && names.length > 0) break;
    names.push(name);
  }
  const more = entries.length - names.length;
  if (more > 0) names.push(`and ${more} more`);
  return `${countText(entries.length, word)}: ${names.join(", ")}`;
}

/** The key of an entry, or the value that names a list item. */
function nameOf(view: ConfigView, entry: Row): string {
  let name = entry.dash ? "" : keyOf(view, entry);
  let best = name === "" ? NAMING.length : 0;
  for (const row of rowsOf(view, entry)) {
    if (best === 0) break;
    const rank = row.kind === "key" ? NAMING.indexOf(keyOf(view, row)) : -1;
    const isDeep = row.indent - entry.indent > DEEPEST_NAME;
    if (rank < 0 || rank >= best || isDeep) continue;
    best = rank;
    name = valueOf(view, row);
  }
  name ||= view.lines.text.slice(entry.keyAt, entry.stop);
  return name.length <= LONGEST_NAME
    ? name
    : `${name.slice(0, LONGEST_NAME)}…`.toWellFormed();
}

/** ` (image shop/web:1.4, phase Running)`: the first value of each main key. */
function valuesIn(view: ConfigView, entry: Row): string {
  const values = new Map<string, string>();
  for (const row of rowsOf(view, entry)) {
    const key = row.kind === "key" ? keyOf(view, row) : "";
    if (!STATE.test(key) || values.has(key)) continue;
    const value = valueOf(view, row);
    if (value !== "" && value.length <= LONGEST_VALUE) values.set(key, value);
    if (values.size === MOST_VALUES) break;
  }
  const said = [...values].map(([key, value]) => `${key} ${value}`);
  return said.length === 0 ? "" : ` (${said.join(", ")})`;
}

/** UTF-16 units of the names of settings in a note. */
const LONGEST_SETTINGS = 80;

/** `switched off: port, ssl and 3 more`; `comment` where no setting is in it. */
function switchedOff({ lines }: ConfigView, { from, to }: Gap): string {
  const names: string[] = [];
  for (let line = from; line < to; line++) {
    const [, name] = SWITCHED_OFF.exec(lineAt(lines, line)) ?? [];
    if (name !== undefined) names.push(name);
  }
  return names.length === 0 ? "comment" : `switched off: ${firstOf(names)}`;
}

/** `port, ssl and 3 more`. */
function firstOf(names: readonly string[]): string {
  let used = 0;
  const shown = names.filter((name) =>
    (used += name.length) < LONGEST_SETTINGS
  );
  const more = names.length - shown.length;
  // One name costs what its count does.
  if (more === 1) return names.join(", ");
  return `${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

/** The settings that a gap holds. */
function settingsIn(view: ConfigView, { from, to }: Gap): string {
  const keys = view.rows.slice(from, to).filter(({ kind }) => kind === "key");
  return firstOf(keys.map((row) => keyOf(view, row)));
}
