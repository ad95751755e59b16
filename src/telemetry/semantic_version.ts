/** Comparing versions. @module */

/** Longest text that is looked at. */
const MAX_CHARS = 64;
/** Semantic Versioning 2.0.0. */
const VERSION =
  /^v?(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i;

/** A version in parts. */
interface Version {
  /** Major, minor, patch. */
  readonly numbers: readonly [number, number, number];
  /** Identifiers of a pre-release; none for a release. */
  readonly preRelease: readonly string[];
}

/** Reads a version; `undefined` for anything that is none. */
export function parseVersion(text: string): Version | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const match = VERSION.exec(text.trim());
  if (match === null) return undefined;
  const preRelease = match[4]?.split(".") ?? [];
  // A number has no leading zero.
  if (preRelease.some((part) => /^0\d+$/.test(part))) return undefined;
  return {
    numbers: [Number(match[1]), Number(match[2]), Number(match[3])],
    preRelease,
  };
}

/** Below zero when `a` comes before `b`, above when it comes after, 0 when neither does. */
export function compareVersions(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries()) {
    const difference = number - b.numbers[i]!;
    if (difference !== 0) return difference;
  }
  return comparePreReleases(a.preRelease, b.preRelease);
}

/** A release comes after its pre-releases; numbers before words; fewer parts before more. */
function comparePreReleases(
  a: readonly string[],
  b: readonly string[],
): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = compareParts(a[i]!, b[i]!);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  const areNumbers = [a, b].map((part) => /^\d+$/.test(part));
  if (areNumbers[0] && areNumbers[1]) return Number(a) - Number(b);
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
