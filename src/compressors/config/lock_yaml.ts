/** Entries of yarn.lock and pnpm-lock.yaml. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { type LockEntry, type LockRegion, newEntry } from "./lock_entry.ts";

const YARN_VERSION = /^ {2}version:? "?([^"\s]+)"?/;
const YARN_FIELD = /^ {2}([\w-]+):?(?: (.*))?$/;
const YARN_NEED = /^ {4}"?((?:@[^/"\s]+\/)?[^@"\s:]+)"?:? /;
const QUOTES = /^['"]|['"]$/g;
/** Registry of an address: its first three parts. */
const ORIGIN = /^\w+:\/\/[^/]+\//;
const PNPM_ENTRY = /^ {2}(\S.*?):(?: \{\})?$/;
const PNPM_FIELD = /^ {4}([\w-]+):(?: (.*))?$/;
/** Sections of a pnpm lock file that hold one entry per package. */
const PNPM_SECTIONS = new Set(["packages:", "snapshots:"]);
/** Fields of an entry that name what it needs. */
const NEEDS = new Set(["dependencies", "optionalDependencies"]);

/** The packages of a yarn.lock of any version. O(n). */
export function readYarnLock(lines: Lines): LockRegion[] {
  const entries: LockEntry[] = [];
  const omitted = new Set<string>(["requested ranges"]);
  let field = "";
  for (let i = 0; i < lines.count; i++) {
    const line = lineAt(lines, i).trimEnd();
    if (line === "" || line.startsWith("#")) continue;
    const entry = entries.at(-1);
    if (!line.startsWith(" ")) {
      if (!line.endsWith(":")) break;
      const started = yarnEntry(lines, i, line);
      if (started !== undefined) entries.push(started);
      else if (entry !== undefined) break;
      continue;
    }
    if (entry === undefined) continue;
    entry.to = i + 1;
    const read = YARN_FIELD.exec(line);
    if (read === null) {
      const need = NEEDS.has(field) ? YARN_NEED.exec(line) : null;
      if (need !== null) entry.needs.push(need[1]!);
      continue;
    }
    field = read[1]!;
    if (field !== "version") omitted.add(field);
    if (field === "resolved") entry.source = originOf(read[2] ?? "");
    else if (field === "linkType" && read[2] === "soft") {
      entry.source = "workspace";
    }
  }
  if (entries.length === 0) return [];
  return [{
    from: entries[0]!.from,
    to: entries.at(-1)!.to,
    omitted: [...omitted],
    entries,
    shows: "name and version",
  }];
}

function yarnEntry(
  lines: Lines,
  at: number,
  line: string,
): LockEntry | undefined {
  const version = at + 1 < lines.count
    ? YARN_VERSION.exec(lineAt(lines, at + 1))?.[1]
    : undefined;
  const spec = line.slice(0, -1).split(",", 1)[0]!.replace(QUOTES, "");
  const cut = spec.indexOf("@", 1);
  if (version === undefined || cut < 0) return undefined;
  const name = spec.slice(0, cut);
  return newEntry(`${name} ${version}`, name, at);
}

/** The registry of an address; the whole of it when it names no package file. */
function originOf(quoted: string): string {
  const address = quoted.replace(QUOTES, "");
  const file = address.indexOf("/-/");
  return file > 0 && address.includes(".tgz", file)
    ? ORIGIN.exec(address)?.[0] ?? address
    : address;
}

/** The packages of a pnpm-lock.yaml, and what they need in a region of its own. O(n). */
export function readPnpmLock(lines: Lines): LockRegion[] {
  const regions: LockRegion[] = [];
  for (let i = 0; i < lines.count;) {
    const heading = lineAt(lines, i).trimEnd();
    if (!PNPM_SECTIONS.has(heading)) {
      i++;
      continue;
    }
    const region = pnpmRegion(lines, i + 1, heading === "packages:");
    if (region.to > region.from) regions.push(region);
    i = region.to;
  }
  return regions;
}

function pnpmRegion(
  lines: Lines,
  start: number,
  isPackages: boolean,
): LockRegion {
  const entries: LockEntry[] = [];
  const omitted = new Set<string>();
  let from = start;
  while (from < lines.count && lineAt(lines, from).trim() === "") from++;
  let to = from;
  for (let i = from; i < lines.count; i++) {
    const line = lineAt(lines, i).trimEnd();
    if (line === "") continue;
    if (!line.startsWith(" ")) break;
    to = i + 1;
    const started = PNPM_ENTRY.exec(line);
    if (started !== null) {
      const said = started[1]!.replace(QUOTES, "");
      entries.push(newEntry(said, pnpmName(said), i));
      continue;
    }
    const entry = entries.at(-1);
    const field = PNPM_FIELD.exec(line);
    if (entry === undefined) continue;
    entry.to = i + 1;
    if (field === null) continue;
    omitted.add(field[1]!);
    if (field[1] === "deprecated") {
      entry.remarks.push(`deprecated: ${field[2] ?? ""}`);
    } else if (/tarball|directory|type:/.test(field[2] ?? "")) {
      entry.source = field[2]!;
    }
  }
  return {
    from,
    to,
    omitted: [...omitted],
    entries: isPackages ? entries : [],
    shows: isPackages ? "name and version" : "",
  };
}

/** `@babel/core` of `@babel/core@7.1.0(supports-color@8)` and of `/@babel/core@7.1.0`. */
function pnpmName(said: string): string {
  const name = said.startsWith("/") ? said.slice(1) : said;
  const cut = name.indexOf("@", 1);
  return cut < 0 ? name : name.slice(0, cut);
}
