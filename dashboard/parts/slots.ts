/** A time axis: steps without a gap, whether anything happened in them or not. @module */
import type { RollupRow, Step } from "../api.ts";

/** One step of the axis. */
export interface Slot {
  /** Its start, ISO 8601, UTC. */
  readonly start: string;
  /** Labels below the axis stand at multiples of something: hours of a day, else steps back from now. */
  readonly order: number;
  /** What it is called in a sentence. */
  readonly name: string;
  /** What it is called below the axis. */
  readonly tick: string;
  /** What happened; `undefined` for nothing. */
  readonly row: RollupRow | undefined;
  /** The last row up to its end: where running totals stand. */
  readonly upTo: RollupRow | undefined;
}

/** What an axis shows. */
export interface Axis {
  /** Rows, the oldest first. */
  readonly rows: readonly RollupRow[];
  /** Length of the steps. */
  readonly step: Step;
  /** Steps at least, so that one bar does not fill the chart. */
  readonly fewest: number;
  /** Steps at most. */
  readonly limit: number;
  /** ISO 8601: the last step is the one that holds it. */
  readonly now: string;
}

const HOUR_MS = 3_600_000;

/** The steps up to now: as many as hold rows, but not fewer than `fewest` and not more than `limit`. */
export function slotsOf(
  { rows, step, fewest, limit, now }: Axis,
): readonly Slot[] {
  const byStart = new Map(rows.map((row) => [Date.parse(row.timestamp), row]));
  const oldest = Math.min(...byStart.keys());
  const starts: number[] = [];
  let start = startOf(new Date(now), step);
  while (
    starts.length < limit &&
    (start.getTime() >= oldest || starts.length < Math.min(fewest, limit))
  ) {
    starts.unshift(start.getTime());
    start = startOf(new Date(start.getTime() - 1), step);
  }
  const first = starts[0] ?? 0;
  let upTo = rows.findLast((row) => Date.parse(row.timestamp) < first);
  return starts.map((at, i) => {
    const row = byStart.get(at);
    upTo = row ?? upTo;
    return {
      start: new Date(at).toISOString(),
      order: step === "hourly" ? at / HOUR_MS : starts.length - 1 - i,
      name: nameOf(new Date(at), step),
      tick: tickOf(new Date(at), step),
      row,
      upTo,
    };
  });
}

/** Start of the step that holds a moment, in UTC; weeks begin on Monday. */
function startOf(at: Date, step: Step): Date {
  const [year, month, day] = [
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
  ];
  switch (step) {
    case "hourly":
      return new Date(Date.UTC(year, month, day, at.getUTCHours()));
    case "daily":
      return new Date(Date.UTC(year, month, day));
    case "weekly":
      return new Date(Date.UTC(year, month, day - (at.getUTCDay() + 6) % 7));
    case "monthly":
      return new Date(Date.UTC(year, month, 1));
  }
}

const FORMATS = {
  hour: { hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  year: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "short", year: "numeric" },
} as const;

function text(at: Date, format: keyof typeof FORMATS): string {
  return at.toLocaleString("en-GB", { ...FORMATS[format], timeZone: "UTC" });
}

function nameOf(at: Date, step: Step): string {
  switch (step) {
    case "hourly":
      return `${text(at, "day")}, ${text(at, "hour")} UTC`;
    case "daily":
      return text(at, "year");
    case "weekly":
      return `week of ${text(at, "year")}`;
    case "monthly":
      return text(at, "month");
  }
}

function tickOf(at: Date, step: Step): string {
  if (step === "monthly") return text(at, "month");
  const isHour = step === "hourly" && at.getUTCHours() !== 0;
  return text(at, isHour ? "hour" : "day");
}
