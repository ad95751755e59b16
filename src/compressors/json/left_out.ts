/** What is left out, and what is said of it: opaque strings, the middle of long ones, rows and keys. @module */
import { STRING, type Tape } from "../../text/json/tape.ts";
import { escapeLength } from "../../text/json/tokens.ts";
import type { Sample } from "./matter.ts";
import type { Profile } from "./profile.ts";
import { cellOf } from "../../text/json/table.ts";
import { codesOf, lineEnd, lineStart } from "../../text/lines.ts";
import { ERROR } from "../../text/signs/flags.ts";
import { severities } from "../../text/signs/severity.ts";

/** Share of the kept characters that is taken from the start. */
const HEAD_SHARE = 0.65;
/** Characters of a stretch that stays when it tells of a failure, and of a gap that is not worth a note. */
const STRETCH = 160;
const MIN_GAP = 100;
/** Characters by which a cut may move to the start of a line. */
const NEAR = 60;
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
    if (label === undefined) continue;
    const group = found.get(key);
    if (group === undefined) found.set(key, [[node, label]]);
    else group.push([node, label]);
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

/** Content of a JSON string and the characters left out of it. */
export interface CutString {
  readonly text: string;
  readonly omitted: number;
}

/** Shortens the raw content of a string to about `limit` characters and the failures in it; cuts no escape. Linear. */
export function cutString(content: string, limit: number): CutString {
  const head = Math.floor(limit * HEAD_SHARE);
  const tail = content.length - (limit - head);
  if (tail - head < MIN_GAP) return { text: content, omitted: 0 };
  const kept: [from: number, to: number][] = [[0, head], [
    tail,
    content.length,
  ]];
  kept.splice(1, 0, ...failingIn(content));
  let text = "";
  let omitted = 0;
  let at = 0;
  for (const [from, to] of kept) {
    const start = from - at < MIN_GAP ? at : cutAt(content, from);
    if (start > at) {
      text += `…(${start - at} chars omitted)…`;
      omitted += start - at;
    }
    const end = to >= content.length ? content.length : cutAt(content, to);
    text += content.slice(start, Math.max(start, end));
    at = Math.max(at, start, end);
  }
  return { text, omitted };
}

/** Stretches that tell of failures, each from a blank to a blank. */
function failingIn(content: string): [from: number, to: number][] {
  const starts = [0];
  let blank = 0;
  for (let at = STRETCH; at < content.length; at += STRETCH) {
    // Looked for once: a search per stretch would read a text without blanks again and again.
    if (blank < at) blank = indexFrom(content, " ", at);
    if (blank > at + STRETCH) starts.push(at);
    else starts.push(at = blank + 1);
  }
  const count = starts.length;
  starts.push(content.length + 1);
  const lines = {
    text: content,
    count,
    starts: Uint32Array.from(starts),
    codes: codesOf(content),
  };
  const found: [number, number][] = [];
  for (const [line, flags] of severities(lines).entries()) {
    const isFailing = (flags & ERROR) !== 0;
    if (isFailing) found.push([lineStart(lines, line), lineEnd(lines, line)]);
  }
  return found;
}

/** Where the first of these is at or after an offset; infinite where there is none. */
function indexFrom(text: string, what: string, offset: number): number {
  const at = text.indexOf(what, offset);
  return at < 0 ? Infinity : at;
}

/** The start of a line shortly before an offset, or the offset itself; neither in an escape nor between surrogates. */
function cutAt(content: string, offset: number): number {
  const from = Math.max(0, offset - NEAR);
  const line = from + content.slice(from, offset).lastIndexOf("\\n");
  const isNear = line >= from && outsideEscape(content, line) === line;
  return isNear ? line + 2 : outsideEscape(content, offset);
}

/** An escape has at most six characters; a run of backslashes pairs up from its start. */
function outsideEscape(content: string, at: number): number {
  for (let back = Math.max(0, at - 6); back < at; back++) {
    if (content.charCodeAt(back) !== 0x5c) continue;
    let first = back;
    while (content.charCodeAt(first - 1) === 0x5c) first--;
    const start = back - (back - first) % 2;
    if (start < at && start + 1 + escapeLength(content, start + 1) > at) {
      return start;
    }
  }
  const low = content.charCodeAt(at);
  return low >= 0xdc00 && low <= 0xdfff ? at - 1 : at;
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
    const value = numbers?.[row] ??
      (DATE.test(tape.content(node)) ? tape.content(node) : undefined);
    if (value === undefined) return "";
    if (Number.isNaN(value)) {
      others++;
      continue;
    }
    if (low === 0 || value < (least ?? 0)) [low, least] = [node, value];
    if (high === 0 || value > (most ?? 0)) [high, most] = [node, value];
  }
  if (low === 0) return "";
  const more = others === 0 ? "" : ` and ${others} others`;
  return `${cellOf(tape, low)}..${cellOf(tape, high)}${more}`;
}
