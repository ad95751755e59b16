/** Lines that are only links: tables of contents, navigation, targets of badges. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { isBadgeAddress } from "./clutter.ts";
import { CLUTTER, HEADING, ITEM, ROW, TEXT } from "./kinds.ts";

/** UTF-16 units looked at of one line. */
const WIDTH = 400;
/** Fewest items of a table of contents, and of navigation. */
const LEAST_CONTENTS = 3;
const LEAST_NAVIGATION = 5;

const CONTENTS = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[^\]]*\]\(#[^)]*\)\s*$/;
const LINK = /^\s*(?:[-*+])\s+\[[^\]]{1,40}\]\([^)\s]*\)\s*$/;
/** `[label]: address`. */
const TARGET = /^ {0,3}\[([^\]]{1,120})\]:\s+(\S+)/;
const LABEL = /\[([^[\]\n]{1,120})\]/g;

/** Marks such lines in the kinds of all lines; targets that text refers to are rows. O(n). */
export function markLinks(lines: Lines, kinds: Uint8Array): void {
  markLists(lines, kinds);
  markTargets(lines, kinds);
}

/** Links to headings anywhere; links to elsewhere only above the first heading. */
function markLists(lines: Lines, kinds: Uint8Array): void {
  let heading = false;
  for (let i = 0; i < lines.count;) {
    heading ||= kinds[i] === HEADING;
    const first = listKind(lines, kinds, i);
    const from = i;
    do i++; while (first !== "" && listKind(lines, kinds, i) === first);
    const isClutter = first === "contents"
      ? i - from >= LEAST_CONTENTS
      : first === "link" && !heading && i - from >= LEAST_NAVIGATION;
    if (isClutter) kinds.fill(CLUTTER, from, i);
  }
}

function listKind(lines: Lines, kinds: Uint8Array, i: number): string {
  if (kinds[i] !== ITEM) return "";
  const line = lineAt(lines, i).slice(0, WIDTH);
  if (!line.includes("](")) return "";
  return CONTENTS.test(line) ? "contents" : LINK.test(line) ? "link" : "";
}

function markTargets(lines: Lines, kinds: Uint8Array): void {
  const targets = new Map<number, RegExpExecArray>();
  for (let i = 0; i < lines.count; i++) {
    if (kinds[i] !== TEXT) continue;
    const start = lines.starts[i]!;
    const first = lines.codes[start]!;
    if (first !== 91 && first !== 32) continue;
    const target = TARGET.exec(lineAt(lines, i).slice(0, WIDTH));
    if (target === null) continue;
    targets.set(i, target);
    kinds[i] = ROW;
  }
  if (targets.size === 0) return;
  const labels = labelsOf(lines, kinds, targets);
  for (const [i, [, label, address]] of targets) {
    const isUsed = labels.has(label!.toLowerCase());
    if (!isUsed || isBadgeAddress(address!)) kinds[i] = CLUTTER;
  }
}

/** Labels that anything but clutter and the targets themselves refers to. */
function labelsOf(
  lines: Lines,
  kinds: Uint8Array,
  targets: ReadonlyMap<number, unknown>,
): Set<string> {
  const labels = new Set<string>();
  for (let i = 0; i < lines.count; i++) {
    if (kinds[i] === CLUTTER || targets.has(i)) continue;
    const line = lineAt(lines, i);
    if (!line.includes("[")) continue;
    for (const [, label] of line.matchAll(LABEL)) {
      labels.add(label!.toLowerCase());
    }
  }
  return labels;
}
