/** Packages whose versions the diff of a lock file changes, and which of its lines are unlike the others. @module */
import { countsOf } from "../../text/counts.ts";
import { type Hunk, signOf } from "./hunk.ts";
import { isOlder, type LockedPackage } from "./locked_package.ts";
import type { DiffView, FileDiff } from "./parse.ts";

/** The packages of a lock file that changed. */
export interface LockedChanges {
  /** The package by each changed line that says a version of it. */
  readonly packages: ReadonlyMap<number, LockedPackage>;
  /** The line that names the package of a changed line, where that is in its hunk. */
  readonly owners: ReadonlyMap<number, number>;
  /** Changed lines that stay: fields that few packages have, versions of packages that no line names. */
  readonly odd: readonly number[];
}

/** A line on one side of a hunk that names a package. */
interface Named {
  readonly indent: number;
  readonly line: number;
  readonly name: string;
}

/** What is known at a line of one side. */
interface Side {
  /** Keys that the line is below, the outermost first. */
  readonly keys: Named[];
  /** The last `name = "x"` of the same block. */
  field: Named | undefined;
}

/** A changed field of a package. */
interface Field {
  readonly line: number;
  readonly indent: number;
  readonly key: string;
  /** Whether it opens a block. */
  readonly opens: boolean;
  /** `+hasInstallScript`; `undefined` for no flag. */
  readonly flag: string | undefined;
  /** Name of its package. */
  readonly name: string | undefined;
}

/** Changed lines that share a key which is rare, lines that stay for it, and changed fields that make it so. */
const RARE = 2;
const MOST_ODD = 24;
const FEWEST_FIELDS = 8;
/** Packages up to which a flag that they share is told of each. */
const MOST_FLAGS = 24;
/** UTF-16 units of a line that are looked at, and of a version that is shown. */
const WIDTH = 300;
const VERSION_WIDTH = 32;
/** Keys that a line is below. */
const MOST_KEYS = 32;

const FIELD = /^["']?(?:name|identity)["']?\s*[:=]\s*["']([^"']+)["'],?$/;
const VERSION =
  /^["']?(?:version|rev|revision|resolved)["']?(?:\s*[:=]\s*|\s+)["']?=*v?(\d[^"',\s:/]*|[\da-f]{12,64})["']?,?$/;
/** The name and the version in one line, in `go.sum`, of Ruby, CocoaPods, Elixir and Bun, and as a key of pnpm or Deno. */
const BOTH = [
  /^(\S{1,200}) (v\d\S*?)(?:\/go\.mod)? h1:/,
  /^(?:- )?"?([\w./+-]+) \((\d[^()]*)\)"?:?$/,
  /^"([^"]+)": \{:hex, :\w+, "([^"]+)"/,
  /^"[^"]+": \["(@?[^"@]+)@([^"]+)"/,
  /^["']?\/?((?:npm:|jsr:)?@?[^@\s"']+)@(\d[^(:"'\s]*)[^:]*:(?: \{)?$/,
];
const KEY = /^["']?([^"'\s{}[\]:,][^"',]*?)(?:["',].*)?:(?: \{)?$/;
/** Keys between a package and its version. */
const BETWEEN = new Set(["state", "locked"]);
const FLAG = /^["']?[A-Za-z][\w-]*["']?\s*[:=]\s*true,?$|^["']?deprecated\b/;
const OPENS = /[[{]$/;
const BLOCK = /^(?:\[\[|[{}])/;
const FIELD_KEY = /^["']?([A-Za-z][\w-]*)["']?(?:\s*[:=]|\s)/;
/** Differ with every version. */
const HASHES = /^(?:resolved|integrity|checksum|resolution|sha\d*|hash)$/i;

/** Reads what the diff of a lock file changes. O(lines of the file). */
export function lockedIn(
  { lines }: DiffView,
  { hunks }: FileDiff,
): LockedChanges {
  const packages = new Map<number, LockedPackage>();
  const owners = new Map<number, number>();
  const nameless: number[] = [];
  const fields: Field[] = [];
  const depths = new Set<number>();
  const byName = new Map<string, LockedPackage>();
  const take = ({ sign, line, owner }: ReadLine, version: string) => {
    if (owner === undefined) return nameless.push(line);
    const { name } = owner;
    const known: LockedPackage = byName.get(name) ??
      { line, name, before: new Set(), after: new Set(), flags: new Set() };
    byName.set(name, known);
    packages.set(line, known);
    return (sign === "-" ? known.before : known.after)
      .add(version.slice(0, VERSION_WIDTH));
  };
  for (const read of hunks.flatMap((hunk) => readLines(lines, hunk))) {
    const { sign, line, said, indent, owner, version } = read;
    if (version !== undefined) depths.add(indent);
    if (sign === " ") continue;
    if (owner !== undefined && owner.line < line) owners.set(line, owner.line);
    const key = FIELD_KEY.exec(said)?.[1];
    if (version !== undefined) take(read, version);
    else if (key !== undefined) {
      const flag = FLAG.test(said) ? `${sign}${key}` : undefined;
      const opens = OPENS.test(said);
      fields.push({ line, indent, key, opens, flag, name: owner?.name });
    }
  }
  addFlags(fields, byName);
  const odd = [
    ...nameless,
    ...downgrades(packages),
    ...rareFields(fields, depths),
  ].slice(0, MOST_ODD);
  return { packages, owners, odd };
}

/** Lines of packages that get an older version, unless that is usual: a gap may be too short for a note. */
function downgrades(
  packages: LockedChanges["packages"],
): readonly number[] {
  const found = [...packages].filter(([, { before, after }]) =>
    isOlder([...after], [...before])
  ).map(([line]) => line);
  return found.length <= MOST_ODD ? found : [];
}

/** A line of a hunk, with the package that it belongs to and the version that it says. */
interface ReadLine {
  readonly sign: string;
  readonly line: number;
  readonly said: string;
  readonly indent: number;
  readonly owner: Named | undefined;
  readonly version: string | undefined;
}

/** Reads a hunk with two sides; nothing of others. */
function readLines(lines: readonly string[], hunk: Hunk): ReadLine[] {
  if (hunk.isWords || hunk.sides.length !== 2) return [];
  const found: ReadLine[] = [];
  const sides: Record<"-" | "+", Side> = {
    "-": { keys: [], field: undefined },
    "+": { keys: [], field: undefined },
  };
  for (let line = hunk.start + 1; line < hunk.end; line++) {
    const text = (lines[line] ?? "").slice(0, WIDTH);
    const sign = signOf(hunk, text);
    const body = text.slice(1).trimEnd();
    const said = body.trimStart();
    const indent = body.length - said.length;
    const [, both, exact] = bothIn(said) ?? [];
    if (both !== undefined && exact !== undefined) {
      const owner = { indent, line, name: nameIn(both) };
      for (const side of sidesOf(sides, sign)) follow(side, said, owner);
      found.push({ sign, line, said, indent, owner, version: exact });
      continue;
    }
    for (const side of sidesOf(sides, sign)) {
      follow(side, said, { indent, line, name: "" });
    }
    const owner = ownerOf(sides[sign === "-" ? "-" : "+"], indent);
    const version = VERSION.exec(said)?.[1];
    found.push({ sign, line, said, indent, owner, version });
  }
  return found;
}

function bothIn(said: string): RegExpExecArray | undefined {
  for (const form of BOTH) {
    const found = form.exec(said);
    if (found !== null) return found;
  }
  return undefined;
}

function sidesOf(
  sides: Readonly<Record<"-" | "+", Side>>,
  sign: string,
): readonly Side[] {
  return sign === "-"
    ? [sides["-"]]
    : sign === "+"
    ? [sides["+"]]
    : [sides["-"], sides["+"]];
}

/** Takes a line into what is known of its side. @param at Its place; with the name where that is known. */
function follow(side: Side, said: string, at: Named): void {
  if (said === "") return;
  while ((side.keys.at(-1)?.indent ?? -1) >= at.indent) side.keys.pop();
  if (BLOCK.test(said)) side.field = undefined;
  const field = FIELD.exec(said)?.[1];
  if (field !== undefined) side.field = { ...at, name: field };
  const key = at.name || nameIn(KEY.exec(said)?.[1] ?? "");
  if (key !== "" && !BETWEEN.has(key) && side.keys.length < MOST_KEYS) {
    side.keys.push({ ...at, name: key });
  }
}

/** What a line with that indentation belongs to. */
function ownerOf({ keys, field }: Side, indent: number): Named | undefined {
  return field !== undefined && field.indent <= indent ? field : keys.at(-1);
}

/** The package of `node_modules/a/node_modules/b` or `@a/b@^1, @a/b@^2`. */
function nameIn(key: string): string {
  const last = key.slice(key.lastIndexOf("node_modules/") + 1)
    .replace(/^ode_modules\//, "");
  const at = last.indexOf("@", last.startsWith("@") ? 1 : 0);
  return at > 0 && !/^(?:npm|jsr):/.test(last) ? last.slice(0, at) : last;
}

/** Gives packages the flags that are not those of most. */
function addFlags(
  fields: readonly Field[],
  byName: ReadonlyMap<string, LockedPackage>,
): void {
  const counts = countsOf(fields.map(({ flag = "" }) => flag));
  for (const { flag, name = "" } of fields) {
    if (flag === undefined || (counts.get(flag) ?? 0) > MOST_FLAGS) continue;
    byName.get(name)?.flags.add(flag);
  }
}

/** Fields beside the versions whose key few changed lines have. */
function rareFields(
  fields: readonly Field[],
  depths: ReadonlySet<number>,
): number[] {
  const counts = countsOf(fields.map(({ key }) => key));
  if (fields.length < FEWEST_FIELDS) return [];
  return fields.filter(({ key, indent, opens }) =>
    !opens && depths.has(indent) && (counts.get(key) ?? 0) <= RARE &&
    !HASHES.test(key)
  ).map(({ line }) => line);
}
