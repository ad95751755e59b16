/** Sums of one run by topic, name and field, in memory and as lines of a table. @module */
import { OTHER, shortName } from "./bounded_table.ts";

/** A line of the table `run_sums`. */
export interface SumLine {
  /** What was counted, e.g. `model`. */
  readonly topic: string;
  /** Of whom; empty where a topic has one row. */
  readonly name: string;
  /** Which number. */
  readonly field: string;
  /** The sum; of `min` and `max` the extreme, of `last` the newest. */
  readonly value: number;
  /** Says more of the value of `max` or `last`. */
  readonly note: string | null;
}

/** Numbers of one name. */
export type Fields = Readonly<Record<string, number>>;

/** The numbers of a row; those that are missing are as in `zeros`. */
export function filled<Row extends Fields>(zeros: Row, fields: Fields): Row {
  const row = Object.entries(zeros).map(([field, zero]) =>
    [field, fields[field] ?? zero] as const
  );
  // The same members.
  return Object.fromEntries(row) as Row;
}

/** Names per topic; further ones share a row. */
export const MAX_NAMES = 200;

/** How two values of such a field become one. {@linkcode ADD_LINE} says it in SQL. */
const JOINED: Readonly<Record<string, (had: number, value: number) => number>> =
  { min: Math.min, max: Math.max, last: (_, value) => value };
const sum = (had: number, value: number) => had + value;

/** Adds a line to the table: run, topic, name, field, value, note. */
export const ADD_LINE = `INSERT INTO run_sums
    (run, topic, name, field, value, note) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (run, topic, name, field) DO UPDATE SET
    note = iif(field = 'last' OR excluded.value > value, excluded.note, note),
    value = CASE field WHEN 'last' THEN excluded.value
      WHEN 'min' THEN min(value, excluded.value)
      WHEN 'max' THEN max(value, excluded.value)
      ELSE value + excluded.value END`;

/** Bounded, whatever clients call their things. */
export class RunSums {
  readonly #topics = new Map<string, Map<string, Record<string, number>>>();
  readonly #notes = new Map<string, string>();

  /** @param lines Sums so far, in the order in which their names came. */
  constructor(lines: Iterable<SumLine> = []) {
    for (const { topic, name, field, value, note } of lines) {
      this.#row(topic, name)[field] = value;
      if (note !== null) this.#notes.set(topic, note);
    }
  }

  /** Adds to the numbers of a name. @param note Of a `max` above 0, or of `last`. */
  add(topic: string, name: string, fields: Fields, note?: string): void {
    const row = this.#row(topic, name);
    for (const [field, value] of Object.entries(fields)) {
      // A number that cannot be stored would hold up all rows behind it.
      if (!Number.isFinite(value)) continue;
      const had = row[field];
      if (note !== undefined && (field === "last" || value > (had ?? 0))) {
        this.#notes.set(topic, note);
      }
      row[field] = had === undefined
        ? value
        : (JOINED[field] ?? sum)(had, value);
    }
  }

  /** The numbers of a name; one that is missing is 0. */
  of(topic: string, name = ""): Fields {
    return this.#topics.get(topic)?.get(name) ?? {};
  }

  /** What was noted last of a topic. */
  note(topic: string): string | undefined {
    return this.#notes.get(topic);
  }

  /** What is said of each name of a topic, in the order in which they came. */
  table<Said>(
    topic: string,
    say: (row: Fields) => Said,
  ): Readonly<Record<string, Said>> {
    return Object.fromEntries(
      [...this.#topics.get(topic) ?? []].map(([name, row]) => [name, say(row)]),
    );
  }

  /** The rest of those topics that begin so. */
  topics(beginning: string): readonly string[] {
    return [...this.#topics.keys()]
      .filter((topic) => topic.startsWith(beginning))
      .map((topic) => topic.slice(beginning.length));
  }

  /** All of it; zeros beside other numbers are left out. */
  *lines(): Iterable<SumLine> {
    for (const [topic, rows] of this.#topics) {
      const noted = this.#notes.get(topic) ?? null;
      for (const [name, row] of rows) {
        const fields = Object.entries(row);
        for (const [field, value] of fields) {
          if (value === 0 && fields.length > 1 && field !== "min") continue;
          const note = field === "max" || field === "last" ? noted : null;
          yield { topic, name, field, value, note };
        }
      }
    }
  }

  #row(topic: string, name: string): Record<string, number> {
    const rows = this.#topics.get(topic) ?? new Map();
    this.#topics.set(topic, rows);
    const known = bounded(rows, name);
    const row = rows.get(known) ?? {};
    rows.set(known, row);
    return row;
  }
}

/** The name under which `name` is counted in `table`. */
function bounded(table: ReadonlyMap<string, unknown>, name: string): string {
  // Its names are short ones.
  if (table.has(name)) return name;
  const row = shortName(name);
  return table.has(row) || table.size < MAX_NAMES ? row : OTHER;
}
