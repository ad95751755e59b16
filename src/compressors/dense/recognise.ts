/** Is this text made by machines for machines: minified code, dumps, encoded bytes? @module */
import type { Recognise } from "../../core/detector.ts";
import { indexLines, lineAt, type Lines } from "../../text/lines.ts";
import { LONG, PLAIN, shapeOf } from "./shapes.ts";

/** UTF-16 units looked at: at the start, and at the end. */
const HEAD = 6000;
const TAIL = 3000;
/** Share of the characters that must be such, and the confidence it gives. */
const LEAST = 0.7;
const SURE = 0.85;

/** A service writes lines that start with a time or a level. */
const LOGGED =
  /^\[?(?:\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\b)/;
const MARKUP = /^\s*<(?:!doctype html|html|head|body)\b/i;
/** Closing tags in 1,000 UTF-16 units of what is no page. */
const MAX_TAGS = 4;
const JSON_START = /^\s*[{[]\s*(?:["{[\]}]|-?\d|true|false|null)/;

/** Share of the characters of a bounded sample that stand in lines which are no text. */
export const recogniseDense: Recognise = (text) => {
  if (isJson(text)) return 0;
  const sample = text.length <= HEAD + TAIL
    ? text
    : `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`;
  if (isMarkup(sample)) return 0;
  const lines = indexLines(sample);
  let dense = 0;
  let all = 0;
  let long = 0;
  let logged = 0;
  for (let i = 0; i < lines.count; i++) {
    const length = lines.starts[i + 1]! - lines.starts[i]!;
    const shape = shapeOf(lines, i);
    all += length;
    if (shape === PLAIN) continue;
    dense += length;
    if (shape !== LONG) continue;
    long++;
    if (LOGGED.test(lineAt(lines, i).slice(0, 40))) logged++;
  }
  const share = all === 0 ? 0 : dense / all;
  if (logged > long / 2 || (long >= 3 && isTable(lines))) return 0;
  return share >= LEAST ? Math.max(SURE, share) : share;
};

function isJson(text: string): boolean {
  if (!JSON_START.test(text.slice(0, 200))) return false;
  return /[\]}]\s*$/.test(text.slice(-200));
}

/** A page of tags, however long its lines are. */
function isMarkup(sample: string): boolean {
  if (MARKUP.test(sample.slice(0, 200))) return true;
  return sample.split("</").length - 1 > MAX_TAGS * sample.length / 1000;
}

/** Long lines with equally many commas or tabs. */
function isTable(lines: Lines): boolean {
  for (const mark of [",", "\t", ";", "|"]) {
    const counts = new Set<number>();
    // The last line of the first part of the sample may be cut.
    for (let i = 0; i < Math.min(4, lines.count - 1); i++) {
      if (shapeOf(lines, i) !== LONG) continue;
      counts.add(lineAt(lines, i).split(mark).length);
    }
    if (counts.size === 1 && [...counts][0]! > 5) return true;
  }
  return false;
}
