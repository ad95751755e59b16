/** A package whose version the diff of a lock file changes, and what is said of it. @module */

/** Packages that only come or only go and are listed in a note. */
const MOST_ONE_SIDED = 60;
/** Versions of one package that a note lists. */
const MOST_VERSIONS = 8;

/** A package that a lock file has in another version than before, no more or now. */
export interface LockedPackage {
  /** Index of the first changed line that says a version. */
  readonly line: number;
  /** As the lock file writes it. */
  readonly name: string;
  /** Versions that went. */
  readonly before: Set<string>;
  /** Versions that came. */
  readonly after: Set<string>;
  /** `+hasInstallScript`: flags that came or went. */
  readonly flags: Set<string>;
}

/** `react 18.3.1 → 17.0.2 (older), left-pad 1.0.0 → 1.0.1, +new 2.0, -old 1.0`: downgrades come first, then what changed. */
export function lockedText(changed: ReadonlySet<LockedPackage>): string {
  const older: string[] = [];
  const changes: string[] = [];
  const others: string[] = [];
  let added = 0;
  let removed = 0;
  for (const { name, before, after, flags } of changed) {
    const marks = [...flags].map((flag) => ` ${flag}`).join("");
    const old = [...before].filter((version) => !after.has(version));
    const now = [...after].filter((version) => !before.has(version));
    if (old.length > 0 && now.length > 0) {
      const said = `${name} ${listed(old)} → ${listed(now)}${marks}`;
      if (isOlder(now, old)) older.push(`${said} (older)`);
      else changes.push(said);
    } else if (now.length > 0 && ++added <= MOST_ONE_SIDED) {
      others.push(`+${name} ${listed(now)}${marks}`);
    } else if (old.length > 0 && ++removed <= MOST_ONE_SIDED) {
      others.push(`-${name} ${listed(old)}${marks}`);
    }
  }
  return [
    ...older,
    ...changes,
    ...others,
    added > MOST_ONE_SIDED ? `${added - MOST_ONE_SIDED} more added` : "",
    removed > MOST_ONE_SIDED ? `${removed - MOST_ONE_SIDED} more removed` : "",
  ].filter((part) => part !== "").join(", ");
}

/** `1.0.0 2.0.0 and 3 more`. */
function listed(versions: readonly string[]): string {
  const rest = versions.length - MOST_VERSIONS;
  const shown = versions.slice(0, MOST_VERSIONS).join(" ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Whether the only version that came is older than the only one that went. */
export function isOlder(
  now: readonly string[],
  old: readonly string[],
): boolean {
  const [a = "", b = ""] = [now[0], old[0]];
  if (now.length > 1 || old.length > 1) return false;
  const left = numbersOf(a);
  const right = numbersOf(b);
  for (const [i, number] of left.entries()) {
    const difference = number - (right[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function numbersOf(version: string): number[] {
  return (/^v?(\d+(?:\.\d+){0,3})/.exec(version)?.[1] ?? "").split(".")
    .map(Number);
}
