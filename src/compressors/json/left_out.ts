/** What is left out, and what is said of it: opaque strings, rows and keys. @module */
import { addTo } from "../../text/counts.ts";
import { STRING, type Tape } from "../../text/json/tape.ts";
import type { Sample } from "./matter.ts";
import type { Profile } from "./profile.ts";
import { cellOf } from "../../text/json/table.ts";

/** Characters of a long string that always stay. */
export const LONG_STRING = 400;
/** Opaque values with the same key from which they are left out. */
const MIN_ALIKE = 3;

/** `sha512-…`, `sha256:…`, `h1:…`; long hex digits; long base64; a JWT; a link of a package registry. */
const OPAQUE: readonly (readonly [label: string, signs: RegExp])[] = [
  ["", /^(sha\d{1,3}|md5|h1|blake2b|blake3)[-:=][\w+/-]{20,400}={0,2}$/],
  ["hex digits", /^(?=[0-9a-f]{56})(?=.{0,40}\d)(?=.{0,40}[a-f])[0-9a-f]+$/],
  [
    "base64 characters",
    /^(?=[\w+/-]{40})(?=.{0,60}\d)(?=.{0,60}[a-z])(?=.{0,60}[A-Z])[\w+/-]+={0,2}$/,
  ],
  ["JWT", /^eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/],
  [
    "characters of data",
    /^data:[\w./+-]{1,80};base64,[A-Za-z0-9+/]{100,}={0,2}$/,
  ],
  ["link", /^https:\/\/registry\.(?:npmjs\.org|yarnpkg\.com)\/\S{1,300}\.tgz$/],
];
/** Opaque whatever the value is. */
const OPAQUE_KEY = /^(?:node_?id|e_?tag)$/i;
/** Names of commits have 40 hex digits: these keys say that a value is none. */
const CHECKSUM_KEY =
  /integrity|check_?sum|shasum|^sha[-_]?\d|^md5|digest|^sig/i;
/** Values that name something, or that a next call needs. */
const KEPT_KEY =
  /(?:^|[-_. ])(?:id|uuid|name|version|ur[il]|path|file|title|message|text|cursor|next|key)$|(?:I[dD]|Name|Version|Ur[il]|UR[IL]|Path|File|Cursor|Key|ID)$/;

/** Characters of keys that a note names. */
const MAX_NAMES = 120;
/** Parts of a summary and their characters, values of a part and theirs, and different numbers that are counted. */
const MAX_PARTS = 6;
const MAX_SUMMARY = 300;
const MAX_VALUES = 5;
const MAX_VALUE_CHARS = 40;
const MAX_NUMBERS = 2;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.,+Z-]*)?$/;

/** What each of the strings is that a reader does not need; those that matter and single ones are not among them. Linear. */
export function opaqueIn(
  tape: Tape,
  matter: Int32Array,
): ReadonlyMap<number, string> {
  const found = new Map<string, [node: number, label: string][]>();
  const keys = new Map<string, KeySays>();
  const kept = new Set(matter);
  for (let node = 1; node < tape.length; node++) {
    if (tape.kind(node) !== STRING || tape.size(node) < 14) continue;
    if (!mayBeOpaque(tape, node) || kept.has(node)) continue;
    const owner = tape.keyStart(node) < 0 ? tape.parent(node) : node;
    const key = tape.key(owner);
    let says = keys.get(key);
    if (says === undefined) keys.set(key, says = saidBy(key));
    const label = says === "opaque"
      ? says
      : says === "kept" || tape.size(node) < 26
      ? undefined
      : labelOf(tape.content(node), key, says);
    if (label !== undefined) addTo(found, key, [node, label]);
  }
  return new Map(
    [...found.values()].flatMap((group) =>
      group.length >= MIN_ALIKE
        ? group
        : group.filter(([node]) => tape.size(node) > LONG_STRING)
    ),
  );
}

/** A cheap look: a long value without a blank near its start, or a key that ends as `node_id` and `etag` do. */
function mayBeOpaque(tape: Tape, node: number): boolean {
  const isMember = tape.keyStart(node) >= 0;
  if (tape.size(node) >= (isMember ? 26 : 42)) {
    const start = tape.start(node);
    for (let at = start + 1; at < start + 25; at++) {
      if (tape.text.charCodeAt(at) <= 32) return false;
    }
    return true;
  }
  const last = isMember ? tape.text.charCodeAt(tape.keyEnd(node) - 1) | 32 : 0;
  return last === 0x64 || last === 0x67;
}

/** What a key says of its value. */
type KeySays = "opaque" | "checksum" | "kept" | "";

function saidBy(key: string): KeySays {
  if (OPAQUE_KEY.test(key)) return "opaque";
  if (CHECKSUM_KEY.test(key)) return "checksum";
  return KEPT_KEY.test(key) ? "kept" : "";
}

function labelOf(
  content: string,
  key: string,
  says: KeySays,
): string | undefined {
  const isHex = says === "checksum" && /^[0-9a-f]{32,}$/i.test(content);
  if (isHex) return "checksum";
  for (const [label, signs] of OPAQUE) {
    const match = signs.exec(content);
    if (match === null) continue;
    if (label === "link" && key !== "resolved") continue;
    return label === "" ? match[1] : `${content.length} ${label}`
      .replace(/^\d+ (JWT|link)/, "$1");
  }
  return undefined;
}

/** `a, b, c and 4 more`. */
export function namesOf(tape: Tape, members: Int32Array): string {
  let names = "";
  let named = 0;
  for (const member of members) {
    const key = tape.key(member);
    const name = /^[^\s",:\\…]+$/.test(key) ? key : `"${key}"`;
    if (names.length + name.length > MAX_NAMES) break;
    names += (named++ === 0 ? "" : ", ") + name;
  }
  const more = members.length - named;
  return more === 0 ? names : `${names} and ${more} more`;
}

/** What the rows left out hold: how often each value, from where to where. */
export function summaryOf(
  tape: Tape,
  { profiles, container }: Sample,
  keep: Uint8Array,
): string {
  const counts: string[] = [];
  const ranges: string[] = [];
  for (const profile of profiles) {
    const cell = profile.column.cells.find((node) => node !== 0) ?? 0;
    const name = pathOf(tape, cell, container);
    const lead = name === "" ? "" : `${name} `;
    const count = countsOf(tape, profile, keep);
    const range = count === "" ? rangeOf(tape, profile, keep) : "";
    if (count !== "") counts.push(lead + count);
    if (range !== "") ranges.push(lead + range);
  }
  let size = 0;
  return [...counts, ...ranges]
    .filter((part) => (size += part.length) < MAX_SUMMARY)
    .slice(0, MAX_PARTS).join("; ");
}

/** Keys from a row of a container to a value in it; empty for the row itself. */
function pathOf(tape: Tape, node: number, container: number): string {
  const parent = tape.parent(node);
  if (parent === container) return "";
  const before = pathOf(tape, parent, container);
  return before === "" ? tape.key(node) : `${before}.${tape.key(node)}`;
}

/** `open×180, closed×43`; empty when there are too many values or they are long. */
function countsOf(
  tape: Tape,
  { column, values, numbers }: Profile,
  keep: Uint8Array,
): string {
  if (values === undefined) return "";
  const counts = new Map<number, number>();
  for (const [row, group] of values.of.entries()) {
    if (keep[row] === 0) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  if (counts.size > (numbers === undefined ? MAX_VALUES : MAX_NUMBERS)) {
    return "";
  }
  const said = [...counts].sort((a, b) => b[1] - a[1]).map(([group, count]) => {
    const node = column.cells[values.first[group] ?? 0] ?? 0;
    return `${node === 0 ? "(none)" : cellOf(tape, node)}×${count}`;
  });
  return said.some((one) => one.length > MAX_VALUE_CHARS)
    ? ""
    : said.join(", ");
}

/** `0..12`, as the text has it, and how many values are none; empty for anything but numbers and ISO dates. */
function rangeOf(
  tape: Tape,
  { column: { cells }, numbers }: Profile,
  keep: Uint8Array,
): string {
  let [low, high, others] = [0, 0, 0];
  let [least, most]: (number | string)[] = [Infinity, -Infinity];
  for (let row = 0; row < cells.length; row++) {
    const node = cells[row] ?? 0;
    if (keep[row] === 1 || node === 0) continue;
    const value = numbers?.[row] ?? dateOf(tape, node);
    if (value === undefined) return "";
    if (Number.isNaN(value)) {
      others++;
      continue;
    }
    if (low === 0 || value < least!) [low, least] = [node, value];
    if (high === 0 || value > most!) [high, most] = [node, value];
  }
  if (low === 0) return "";
  const more = others === 0 ? "" : ` and ${others} others`;
  return `${cellOf(tape, low)}..${cellOf(tape, high)}${more}`;
}

function dateOf(tape: Tape, node: number): string | undefined {
  const content = tape.content(node);
  return DATE.test(content) ? content : undefined;
}
