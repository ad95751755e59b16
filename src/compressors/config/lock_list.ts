/** Entries of go.sum and Gemfile.lock. @module */
import { lineAt, type Lines } from "../../text/lines.ts";
import { type LockEntry, type LockRegion, newEntry } from "./lock_entry.ts";

const GO_LINE = /^(\S+) (v\S+?)(\/go\.mod)? h1:/;
const GEM = /^ {4}(\S+) \(.*\)$/;
const GEM_NEED = /^ {6}(\S+)/;

/** The modules of a go.sum: one entry per version, said to be `go.mod only` when its code is not there. O(n). */
export function readGoSum(lines: Lines): LockRegion[] {
  const entries: LockEntry[] = [];
  let first = -1;
  let to = 0;
  for (let i = 0; i < lines.count; i++) {
    const found = GO_LINE.exec(lineAt(lines, i));
    if (found === null) {
      if (first >= 0) break;
      continue;
    }
    if (first < 0) first = i;
    to = i + 1;
    const said = `${found[1]} ${found[2]}`;
    const entry = entries.at(-1);
    const isModFile = found[3] !== undefined;
    if (entry?.said === said) {
      entry.to = to;
      if (!isModFile) entry.remarks.length = 0;
      continue;
    }
    const started = newEntry(said, found[1]!, i);
    if (isModFile) started.remarks.push("go.mod only");
    entries.push(started);
  }
  if (first < 0) return [];
  const omitted = ["h1 hashes"];
  return [{ from: first, to, omitted, entries, shows: "module and version" }];
}

/** The gems below each `specs:` of a Gemfile.lock. O(n). */
export function readGemfileLock(lines: Lines): LockRegion[] {
  const regions: LockRegion[] = [];
  for (let i = 0; i < lines.count; i++) {
    if (lineAt(lines, i).trimEnd() !== "  specs:") continue;
    const region = gemRegion(lines, i + 1);
    if (region.entries.length > 0) regions.push(region);
    i = Math.max(i, region.to - 1);
  }
  return regions;
}

function gemRegion(lines: Lines, from: number): LockRegion {
  const entries: LockEntry[] = [];
  let to = from;
  for (; to < lines.count; to++) {
    const line = lineAt(lines, to).trimEnd();
    const gem = GEM.exec(line);
    const need = gem === null ? GEM_NEED.exec(line) : null;
    if (gem !== null) entries.push(newEntry(line.trim(), gem[1]!, to));
    else if (need === null || entries.length === 0) break;
    else {
      entries.at(-1)!.needs.push(need[1]!);
      entries.at(-1)!.to = to + 1;
    }
  }
  return {
    from,
    to,
    omitted: ["dependencies"],
    entries,
    shows: "name and version",
  };
}
