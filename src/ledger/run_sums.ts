/** Sums of one run by topic, name and field, in memory and as JSON. @module */
import { OTHER, shortName } from "./named_sums.ts";

/** Numbers of one name: sums, of `min` and `max` the extreme, of `last` the newest; one that is missing is 0. */
export type Fields = Readonly<Record<string, number>>;

/** Topics in the order in which they came, with their names in that order: an object would put numbers first. */
type Topics = readonly (readonly [
  topic: string,
  rows: readonly (readonly [name: string, fields: Fields])[],
])[];

/** The numbers of a row; those that are missing are as in `zeros`. */
export function filled<Row extends Fields>(zeros: Row, fields: Fields): Row {
  const row = Object.entries(zeros).map(([field, zero]) =>
    [field, fields[field] ?? zero] as const
  );
  // The same members.
  return Object.fromEntries(row) as Row;
}

/** Names per topic; further ones share a row. */
const MAX_NAMES = 200;

/** Bounded, whatever clients call their things. */
export class RunSums {
  readonly #topics = new Map<string, Map<string, Record<string, number>>>();
  readonly #notes = new Map<string, string>();

  /** @param json Of sums so far. */
  constructor(json = '{"topics":[],"notes":[]}') {
    const { topics, notes } = JSON.parse(json) as {
      readonly topics: Topics;
      readonly notes: readonly (readonly [topic: string, note: string])[];
    };
    for (const [topic, rows] of topics) this.#topics.set(topic, new Map(rows));
    for (const [topic, note] of notes) this.#notes.set(topic, note);
  }

  /** Adds to the numbers of a name. @param note Of a `max` above 0, or of `last`. */
  add(topic: string, name: string, fields: Fields, note?: string): void {
    const row = this.#row(topic, name);
    for (const field in fields) {
      const value = fields[field]!;
      // A number that cannot be stored would hold up all rows behind it.
      if (!Number.isFinite(value) || (value === 0 && field !== "min")) continue;
      const had = row[field];
      if (note !== undefined && (field === "last" || value > (had ?? 0))) {
        this.#notes.set(topic, note);
      }
      row[field] = had === undefined ? value : joined(field, had, value);
    }
  }

  /** The numbers of a name. */
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

  /** All of it. */
  toJSON(): object {
    const topics: Topics = [...this.#topics].map(([topic, rows]) =>
      [topic, [...rows]] as const
    );
    return { topics, notes: [...this.#notes] };
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

function joined(field: string, had: number, value: number): number {
  switch (field) {
    case "min":
      return Math.min(had, value);
    case "max":
      return Math.max(had, value);
    case "last":
      return value;
    default:
      return had + value;
  }
}

/** The name under which `name` is counted in `table`. */
function bounded(table: ReadonlyMap<string, unknown>, name: string): string {
  // Its names are short ones.
  if (table.has(name)) return name;
  const row = shortName(name);
  return table.has(row) || table.size < MAX_NAMES ? row : OTHER;
}
