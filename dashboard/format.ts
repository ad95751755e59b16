/** Figures as text. Nothing is computed here that the server could have said. @module */
import { percentDigits } from "../src/core/percent.ts";

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat("en-US", {
  notation: "compact",
  maximumFractionDigits: 1,
});
/** Stands where there is no figure. */
export const NONE = "–";
/** Stands where there is one that nobody knows. */
export const UNKNOWN = "unknown";
const MINUS = "\u2212";
/** Nano-dollars of a dollar. */
const NANO = 1e9;
/** Digits of an amount below one cent. */
const SMALL_DIGITS = 2;

/** A whole number with separators: `1,284,310`. */
export function count(value: number | undefined | null): string {
  return isFigure(value) ? minus(WHOLE.format(value)) : NONE;
}

/** A rounded number for axes and tight places: `1.3M`. */
export function compact(value: number | undefined | null): string {
  return isFigure(value) ? minus(COMPACT.format(value)) : NONE;
}

/**
 * Dollars with as many digits as the amount needs: cents above one dollar, four decimals above one cent, two
 * significant digits below. Below zero with a minus.
 *
 * @param value `null` for money that nobody knows, `undefined` where there is none to speak of.
 */
export function usd(value: number | undefined | null): string {
  if (value === null) return UNKNOWN;
  if (!isFigure(value)) return NONE;
  const size = Math.abs(value);
  const digits = size === 0 || size >= 1 ? 2 : size >= 0.01 ? 4 : tiny(size);
  const text = size.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${value < 0 ? MINUS : ""}$${text}`;
}

/** Dollars at an axis: without the zeros at their end. */
export function usdTick(value: number): string {
  return usd(value).replace(/\.0+$|(\.\d*[1-9])0+$/, "$1");
}

/** Decimals that show two significant digits, nine at most: money is counted in nano-dollars. */
function tiny(size: number): number {
  return Math.min(9, Math.ceil(-Math.log10(size)) - 1 + SMALL_DIGITS);
}

/**
 * A part of a whole in percent, rounded once: `23.4%`. Little is not nothing, and nearly all is not all: `~0%`, `~100%`.
 * A part of nothing has no share.
 *
 * @param part A whole number, as `whole` is.
 */
export function share(
  part: number | undefined | null,
  whole: number | undefined | null,
): string {
  if (!isFigure(part) || !isFigure(whole) || whole === 0) return NONE;
  const digits = percentDigits(part, whole);
  if (part !== 0 && Number(digits) === 0) return "~0%";
  return part !== whole && digits === "100.0" ? "~100%" : minus(`${digits}%`);
}

/** The same of dollars, which are whole nano-dollars. */
export function shareUsd(
  part: number | undefined | null,
  whole: number | undefined | null,
): string {
  return share(nanoUsd(part), nanoUsd(whole));
}

function nanoUsd(usd: number | undefined | null): number | undefined {
  return isFigure(usd) ? Math.round(usd * NANO) : undefined;
}

/** A duration in milliseconds: `3.1 ms`, `240 ms`, `1.24 s`, `2 min 4 s`. */
export function duration(ms: number | undefined | null): string {
  if (!isFigure(ms)) return NONE;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${ms.toFixed(0)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  return span(ms / 1000);
}

/** A long time in its two largest units: `2 h 14 min`. */
export function span(seconds: number): string {
  const units = [["d", 86_400], ["h", 3600], ["min", 60], ["s", 1]] as const;
  let rest = Math.max(0, Math.floor(seconds));
  const parts: string[] = [];
  for (const [name, size] of units) {
    const n = Math.floor(rest / size);
    if (n > 0) parts.push(`${n} ${name}`);
    else if (parts.length > 0) break;
    rest -= n * size;
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0 s";
}

/** Time of day where the reader is: `14:03:22`. */
export function timeOfDay(at: Date): string {
  return at.toLocaleTimeString("en-GB");
}

/** Day and time where the reader is: `14 Oct 2026, 14:03`. */
export function dayAndTime(at: Date): string {
  return at.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** Day and time without the year: `14 Oct, 14:03`. */
export function whenShort(at: Date): string {
  return at.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** The start of a digest or an id: enough to tell those of one page apart. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** A heading within a sentence: `Last 7 days` becomes `last 7 days`, names of months stay. */
export function inSentence(heading: string): string {
  return heading.slice(0, 1).toLowerCase() + heading.slice(1);
}

/** Units of bytes, the greatest first. */
const BYTE_UNITS = [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]] as const;

/** Bytes with three digits or so: `812 B`, `14.2 kB`, `131 kB`, `1.07 GB`. */
export function bytes(value: number | undefined | null): string {
  if (!isFigure(value)) return NONE;
  // Where rounding would write 1000 of a unit, the next one begins.
  const unit = BYTE_UNITS.find(([, size]) => value >= 0.9995 * size);
  if (unit === undefined) return `${value} B`;
  const [name, size] = unit;
  return `${Number((value / size).toPrecision(3))} ${name}`;
}

/** A word for each of one or many: `1 request`, `2 requests`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

function isFigure(value: number | undefined | null): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function minus(text: string): string {
  return text.replace("-", MINUS);
}
