/** Log records as lines on stderr. @module */
import type { Log } from "../core/log.ts";
import { sentenceOf } from "./sentences.ts";
import type { Style } from "./style.ts";

/**
 * Warnings and errors, one line each: a sentence and the event's slug, or for records without a sentence
 * `warn event key=value`. Other records are dropped.
 *
 * Values that could be mistaken for something else stand in quotes.
 *
 * @param write Takes whole lines with their line break.
 */
export function stderrLog(write: (line: string) => void, style: Style): Log {
  return (level, event, fields = {}) => {
    if (level === "info") return;
    const paint = level === "warn" ? style.warning : style.failure;
    const sentence = sentenceOf(event, fields);
    if (sentence !== undefined) {
      const head = level === "warn" ? "Warning:" : "Error:";
      return write(`${paint(head)} ${oneLine(sentence)} [${event}]\n`);
    }
    const parts = Object.entries(fields).map(([name, value]) =>
      `${name}=${valueText(value)}`
    );
    write([paint(level), event, ...parts].join(" ") + "\n");
  };
}

function valueText(value: string | number | boolean): string {
  const isPlain = typeof value !== "string" || /^[\w./:-]+$/.test(value);
  return isPlain ? String(value) : JSON.stringify(value);
}

/** A path or a message of the system may hold anything. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
}
