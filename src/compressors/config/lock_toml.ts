/** Entries of Cargo.lock, poetry.lock, uv.lock and pdm.lock. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { type LockEntry, type LockRegion, newEntry } from "./lock_entry.ts";

const HEADER = "[[package]]";
const NAME = /^name = "(.*)"/;
const VERSION = /^version = "(.*)"/;
const FIELD = /^([\w-]+) = (.*)/;
/** A table of the entry: `[package.dependencies]`, `[[package.files]]`. */
const TABLE = /^\[{1,2}package\.([\w.-]+)\]{1,2}/;
/** A dependency in a list: ` "memchr",`, `    { name = "idna", … },`. */
const LISTED = /^ +(?:"([^" ]+)|\{ name = "([^"]+)")/;
/** A dependency in a table: `certifi = ">=2017"`. */
const TABLED = /^"?([\w.-]+)"? = /;
/** Fields of which no line is worth showing by itself. */
const SHOWN = new Set(["name", "version"]);

/** What is being read. */
interface State {
  /** Of {@linkcode State.entry}: in its dependencies now. */
  inNeeds: boolean;
  /** Table below the entry; empty at its own fields. */
  table: string;
  readonly omitted: Set<string>;
}

/** The packages of a TOML lock file, from the first to the last in a row. O(n). */
export function readTomlLock(lines: Lines): LockRegion[] {
  const entries: LockEntry[] = [];
  const state: State = { inNeeds: false, table: "", omitted: new Set() };
  let first = -1;
  let end = 0;
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i).trimEnd();
    if (line === HEADER) {
      if (first < 0) first = i;
      const entry = entryAt(lines, i);
      if (entry === undefined) break;
      entries.push(entry);
      state.table = "";
      state.inNeeds = false;
    } else if (line.startsWith("[") && !TABLE.test(line)) {
      if (first >= 0) break;
      continue;
    } else if (first >= 0) readField(line, entries.at(-1)!, state);
    if (first >= 0 && line !== "") entries.at(-1)!.to = end = i + 1;
  }
  if (first < 0) return [];
  const omitted = [...state.omitted];
  return [{
    from: first,
    to: end,
    omitted,
    entries,
    shows: "name and version",
  }];
}

function entryAt(lines: Lines, header: number): LockEntry | undefined {
  let name = "";
  let version = "";
  for (let i = header + 1; i < Math.min(lines.count, header + 4); i++) {
    const line = lineAt(lines, i);
    name ||= NAME.exec(line)?.[1] ?? "";
    version ||= VERSION.exec(line)?.[1] ?? "";
  }
  if (name === "") return undefined;
  const said = version === "" ? name : `${name} ${version}`;
  return newEntry(said, name, header);
}

function readField(line: string, entry: LockEntry, state: State): void {
  const table = TABLE.exec(line);
  if (table !== null) {
    state.table = table[1]!;
    state.inNeeds = table[1] === "dependencies";
    state.omitted.add(table[1]!.split(".")[0]!);
    return;
  }
  if (state.inNeeds) {
    const listed = state.table === "" ? LISTED.exec(line) : TABLED.exec(line);
    if (listed !== null) {
      entry.needs.push(listed[1] ?? listed[2]!);
      return;
    }
    if (state.table === "") state.inNeeds = false;
  }
  const field = FIELD.exec(line);
  if (field === null) return;
  const [, key, value] = field as unknown as [string, string, string];
  if (state.table === "source") {
    if (key === "url" || key === "resolved_reference") {
      entry.source += `${entry.source === "" ? "" : " "}${value}`;
    }
    return;
  }
  if (state.table !== "" || SHOWN.has(key)) return;
  state.omitted.add(key);
  if (key === "source") entry.source = value;
  else if (key === "dependencies") readNeeds(value, entry, state);
  else if (key === "optional" && value === "true") entry.remarks.push(key);
  else if (key === "groups" && value !== '["main"]') {
    entry.remarks.push(`${key} ${value}`);
  }
}

function readNeeds(value: string, entry: LockEntry, state: State): void {
  if (!value.endsWith("]")) {
    state.inNeeds = true;
    return;
  }
  const names = value.includes("name = ")
    ? value.matchAll(/name = "([^"]+)"/g)
    : value.matchAll(/"([^" ]+)[^"]*"/g);
  for (const [, name] of names) entry.needs.push(name!);
}
