/** A removed line and the added one that replaces it, as one line with the difference marked. @module */

/** Sign of such a line, in the first column. */
const SIGN = "~";
/** Marks as `git diff --word-diff` writes them: `[-old-]{+new+}`; and what markers of an earlier compression hold. */
const MARKS = /\[-|-\]|\{\+|\+\}|hash=|<<ccr:|\[↑/i;
/** Longest line that is compared. */
const MAX_LINE = 600;
/** Added lines that are tried for a removed one. */
const LOOK_AHEAD = 4;

/** Characters that may differ for each one in common. */
const SHARE = 0.8;

const PLUS = 43;
const MINUS = 45;
const TILDE = 126;

/**
 * Writes similar lines of a change as `~common [-old-]{+new+} common`; lines without a partner keep their sign.
 *
 * @param minCommon Characters that a pair must have in common, more than differ on either side.
 * @returns The same text when there is no such pair, or when lines begin with `~` already. O(n).
 */
export function foldPairs(text: string, minCommon: number): string {
  // A merge has more than one column of signs.
  if (/^(?:~|@@@ )/m.test(text)) return text;
  const lines = text.split("\n");
  const out: string[] = [];
  let copied = 0;
  for (let at = 0; at < lines.length;) {
    if (!isSigned(lines[at]!)) {
      at++;
      continue;
    }
    let end = at + 1;
    while (end < lines.length && isSigned(lines[end]!)) end++;
    const folded = foldRun(lines.slice(at, end), minCommon);
    if (folded !== undefined) {
      for (; copied < at; copied++) out.push(lines[copied]!);
      for (const line of folded) out.push(line);
      copied = end;
    }
    at = end;
  }
  if (copied === 0) return text;
  for (; copied < lines.length; copied++) out.push(lines[copied]!);
  return out.join("\n");
}

/** Inverse of {@linkcode foldPairs}: removed lines first, as every diff program writes them. */
export function unfoldPairs(folded: string): string {
  if (!/^~/m.test(folded)) return folded;
  const lines = folded.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && isSigned(lines[end]!)) end++;
    if (end === at) out.push(lines[at++]!);
    else {
      unfoldRun(lines.slice(at, end), out);
      at = end;
    }
  }
  return out.join("\n");
}

function isSigned(line: string): boolean {
  const code = line.charCodeAt(0);
  return code === PLUS || code === MINUS || code === TILDE;
}

/** `undefined` without a pair, or for lines that are not simply removed ones before added ones. */
function foldRun(
  run: readonly string[],
  minCommon: number,
): readonly string[] | undefined {
  let middle = 0;
  while (middle < run.length && run[middle]?.startsWith("-")) middle++;
  if (middle === 0 || middle === run.length) return undefined;
  for (const [i, line] of run.entries()) {
    if (line.startsWith("-") !== i < middle) return undefined;
    // These may be names of files.
    if (line.startsWith("--- ") || line.startsWith("+++ ")) return undefined;
  }
  const out: string[] = [];
  let next = middle;
  for (let i = 0; i < middle; i++) {
    const match = bestMatch(run, i, { next, minCommon });
    if (match === undefined) {
      out.push(run[i]!);
      continue;
    }
    while (next < match.at) out.push(run[next++]!);
    out.push(match.line);
    next++;
  }
  if (next === middle) return undefined;
  while (next < run.length) out.push(run[next++]!);
  return out;
}

interface Match {
  /** Index of the added line. */
  readonly at: number;
  /** The line that says both. */
  readonly line: string;
  readonly common: number;
}

function bestMatch(
  run: readonly string[],
  removed: number,
  { next, minCommon }: { readonly next: number; readonly minCommon: number },
): Match | undefined {
  let best: Match | undefined;
  const end = Math.min(run.length, next + LOOK_AHEAD);
  for (let at = next; at < end; at++) {
    const least = Math.max(minCommon, (best?.common ?? 0) + 1);
    const pair = pairOf(run[removed]!.slice(1), run[at]!.slice(1), least);
    if (pair !== undefined) best = { at, ...pair };
  }
  return best;
}

function pairOf(
  old: string,
  added: string,
  minCommon: number,
): Omit<Match, "at"> | undefined {
  const shorter = Math.min(old.length, added.length);
  const longer = Math.max(old.length, added.length);
  if (shorter < minCommon || longer > MAX_LINE) return undefined;
  const head = commonHead(old, added);
  const tail = commonTail(old, added, shorter - head);
  const indent = old.length - old.trimStart().length;
  const common = head + tail - Math.min(head, indent);
  const differs = longer - head - tail;
  if (common < minCommon || SHARE * common < differs) return undefined;
  if (MARKS.test(old) || MARKS.test(added)) return undefined;
  const [gone, come] = [old, added].map((line) =>
    line.slice(head, line.length - tail)
  ) as [string, string];
  const marked = `${gone && `[-${gone}-]`}${come && `{+${come}+}`}`;
  const end = old.slice(old.length - tail);
  const line = `${SIGN}${old.slice(0, head)}${marked}${end}`;
  const [first, second] = sidesOf(line) ?? [];
  return first === old && second === added ? { line, common } : undefined;
}

/** Characters that both begin with, whole words only. */
function commonHead(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a.charCodeAt(n) === b.charCodeAt(n)) n++;
  const cuts = (s: string) => isWord(s, n - 1) && isWord(s, n);
  while (n > 0 && (cuts(a) || cuts(b))) n--;
  return n;
}

/** Characters that both end with, at most `limit`, whole words only. */
function commonTail(a: string, b: string, limit: number): number {
  let n = 0;
  while (
    n < limit &&
    a.charCodeAt(a.length - 1 - n) === b.charCodeAt(b.length - 1 - n)
  ) n++;
  const cuts = (s: string) =>
    isWord(s, s.length - n - 1) && isWord(s, s.length - n);
  while (n > 0 && (cuts(a) || cuts(b))) n--;
  return n;
}

/** Whether the character is a part of a word; all beyond ASCII are, so that none is cut in two. */
function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 128 || code >= 97 && code <= 122 || code >= 65 && code <= 90 ||
    code >= 48 && code <= 57 || code === 95;
}

/** Old and new version of a marked line; `undefined` without marks. */
function sidesOf(line: string): readonly [string, string] | undefined {
  const start = line.search(/\[-|\{\+/);
  if (start < 0) return undefined;
  const [gone, next] = marked(line, start, ["[-", "-]"]);
  const [come, end] = marked(line, next, ["{+", "+}"]);
  if (end === start) return undefined;
  const [head, tail] = [line.slice(SIGN.length, start), line.slice(end)];
  return [head + gone + tail, head + come + tail];
}

/** What stands between two marks at `at`, and where it goes on; nothing without the marks. */
function marked(
  line: string,
  at: number,
  [open, close]: readonly [string, string],
): readonly [string, number] {
  if (!line.startsWith(open, at)) return ["", at];
  const start = at + open.length;
  const end = line.indexOf(close, start);
  return end < 0 ? ["", at] : [line.slice(start, end), end + close.length];
}

function unfoldRun(run: readonly string[], out: string[]): void {
  const pairs = run.map((line) =>
    line.startsWith(SIGN) ? sidesOf(line) : undefined
  );
  const isFolded = pairs.some((pair) => pair !== undefined);
  const added: string[] = [];
  for (const [i, line] of run.entries()) {
    const pair = pairs[i];
    if (pair !== undefined) {
      out.push(`-${pair[0]}`);
      added.push(`+${pair[1]}`);
    } else if (isFolded && line.startsWith("+")) added.push(line);
    else out.push(line);
  }
  for (const line of added) out.push(line);
}
