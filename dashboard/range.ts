/** Which time is looked at: days of the browser's time zone, and the steps between them. @module */

/** What can be chosen at once, in the order of the choice. */
export const PRESETS = {
  today: "Today",
  yesterday: "Yesterday",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  all: "All time",
  custom: "From – to",
} as const;

/** One of them. */
export type Preset = keyof typeof PRESETS;

/** What was chosen. */
export interface Chosen {
  /** Which days. */
  readonly preset: Preset;
  /** First day of `custom`, `2026-10-14`. */
  readonly from?: string;
  /** Last day of `custom`. */
  readonly to?: string;
}

/** Length of a step. */
export type Step = "hour" | "day" | "week" | "month";

/** Days, as times. */
export interface Range {
  /** What it is called. */
  readonly name: string;
  /** Start of the first day, milliseconds since the Unix epoch. */
  readonly from: number;
  /** End of the last day; it may be still to come. */
  readonly until: number;
}

/** A step of a range. */
export interface Slot {
  /** Its start, milliseconds since the Unix epoch. */
  readonly start: number;
  /** Labels below an axis stand at multiples of something: hours of a day, else steps back from the last. */
  readonly order: number;
  /** What it is called in a sentence. */
  readonly name: string;
  /** What it is called below an axis. */
  readonly tick: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Months of `all`: days of activity are kept for three years. */
const ALL_MONTHS = 36;
/** Steps of one chart at most. */
const MAX_STEPS = 200;
/** Longest range in days for each step, unless another is chosen. */
const STEP_DAYS: readonly (readonly [Step, number])[] = [
  ["hour", 2],
  ["day", 100],
  ["week", 400],
  ["month", Infinity],
];

/** The days that were chosen, as times. */
export function rangeOf({ preset, from, to }: Chosen, now: Date): Range {
  const day = (n: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + n).getTime();
  const until = day(1);
  const name = PRESETS[preset];
  switch (preset) {
    case "today":
      return { name, from: day(0), until };
    case "yesterday":
      return { name, from: day(-1), until: day(0) };
    case "7d":
      return { name, from: day(-6), until };
    case "30d":
      return { name, from: day(-29), until };
    case "90d":
      return { name, from: day(-89), until };
    case "all": {
      const months = now.getMonth() - ALL_MONTHS + 1;
      return {
        name,
        from: new Date(now.getFullYear(), months, 1).getTime(),
        until,
      };
    }
    case "custom": {
      // Days that are to come hold nothing, and older ones are not kept.
      const oldest = new Date(now.getFullYear() - 3, now.getMonth(), 1);
      const within = (at: number) =>
        Math.min(Math.max(at, oldest.getTime()), day(0));
      return customRange(
        within(dayOf(from) ?? day(-6)),
        within(dayOf(to) ?? day(0)),
      );
    }
  }
}

/** The days between two, whichever comes first. */
function customRange(a: number, b: number): Range {
  const [first, last] = [new Date(Math.min(a, b)), new Date(Math.max(a, b))];
  const name = first.getTime() === last.getTime()
    ? text(first, "year")
    : `${text(first, "day")} – ${text(last, "year")}`;
  const until = stepAfter(last.getTime(), "day");
  return { name, from: first.getTime(), until };
}

/** Start of a day that is written `2026-10-14`; `undefined` for what is no day. */
function dayOf(text: string | undefined): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? "") ?? [];
  return year === undefined
    ? undefined
    : new Date(Number(year), Number(month) - 1, Number(day)).getTime();
}

/** A day as {@linkcode Chosen} has it. */
export function dayText(at: number): string {
  const date = new Date(at);
  const two = (n: number) => `${n}`.padStart(2, "0");
  return [
    `${date.getFullYear()}`.padStart(4, "0"),
    two(date.getMonth() + 1),
    two(date.getDate()),
  ].join("-");
}

/** Steps that a range can be shown in. */
export function stepsOf(range: Range): readonly Step[] {
  const days = (range.until - range.from) / DAY_MS;
  const counts = [["hour", days * 24], ["day", days], ["week", days / 7], [
    "month",
    days / 30,
  ]] as const;
  return counts.filter(([, count]) => count > 1.5 && count <= MAX_STEPS)
    .map(([step]) => step);
}

/** The step that suits a range. */
export function stepFor({ from, until }: Range): Step {
  const days = (until - from) / DAY_MS;
  return STEP_DAYS.find(([, most]) => days <= most + 0.1)?.[0] ?? "month";
}

/** Where the steps of a range begin, and where the last one that has begun by `now` ends. */
export function edgesOf(
  { from, until }: Range,
  step: Step,
  now: Date,
): readonly number[] {
  const edges = [from];
  let at = from;
  do {
    at = Math.min(stepAfter(at, step), until);
    edges.push(at);
  } while (at < until && at <= now.getTime());
  return edges;
}

/** Start of the step behind the one that holds `at`. Weeks begin on Monday. */
function stepAfter(at: number, step: Step): number {
  const date = new Date(at);
  const [year, month, day] = [
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
  ];
  switch (step) {
    case "hour": {
      // By the clock on the wall, which is half an hour off in some places; an hour that comes twice is two steps.
      const past = (date.getMinutes() * 60 + date.getSeconds()) * 1000 +
        date.getMilliseconds();
      return at - past + HOUR_MS;
    }
    case "day":
      return new Date(year, month, day + 1).getTime();
    case "week":
      return new Date(year, month, day + 7 - (date.getDay() + 6) % 7).getTime();
    case "month":
      return new Date(year, month + 1, 1).getTime();
  }
}

/** What the steps between edges are called. */
export function slotsOf(
  edges: readonly number[],
  step: Step,
): readonly Slot[] {
  const starts = edges.slice(0, -1);
  return starts.map((start, i) => {
    const date = new Date(start);
    return {
      start,
      order: step === "hour"
        ? Math.floor(start / HOUR_MS - date.getTimezoneOffset() / 60)
        : starts.length - 1 - i,
      name: nameOf(date, step),
      tick: tickOf(date, step),
    };
  });
}

const FORMATS = {
  hour: { hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  year: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "short", year: "numeric" },
} as const;

function text(at: Date, format: keyof typeof FORMATS): string {
  return at.toLocaleString("en-GB", FORMATS[format]);
}

function nameOf(at: Date, step: Step): string {
  switch (step) {
    case "hour":
      return `${text(at, "day")}, ${text(at, "hour")}`;
    case "day":
      return text(at, "year");
    case "week":
      return `week from ${text(at, "year")}`;
    case "month":
      return text(at, "month");
  }
}

function tickOf(at: Date, step: Step): string {
  if (step === "month") return text(at, "month");
  const isHour = step === "hour" && at.getHours() !== 0;
  return text(at, isHour ? "hour" : "day");
}

/** The time zone that all times of the page are in: `Europe/Berlin (UTC+2)`. */
export function zoneName(now: Date): string {
  const minutes = -now.getTimezoneOffset();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (minutes === 0 && timeZone === "UTC") return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), minutes % 60];
  const offset = `${minutes < 0 ? "\u2212" : "+"}${hours}${
    rest === 0 ? "" : `:${Math.abs(rest)}`
  }`;
  return `${timeZone} (UTC${offset})`;
}
