/** Values that tell a reader nothing: hashes, and the middle of very long ones. @module */

/** UTF-16 units of a value that is long, and of its start that stays. */
const LONG = 320;
const HEAD = 120;
/** A line shorter than this has nothing to shorten. */
export const SHORTEST_LINE = 44;
/** `sha256:…`, `sha512-…`: letters and digits of the hash, hexadecimal or base 64. */
const NAMED_HASH =
  /\b(sha(?:1|224|256|384|512)|md5|h1)([:-])[A-Za-z0-9+/_-]{32,}={0,2}/g;
/** Hexadecimal digits that are no id of a commit. */
const BARE_HASH = /(^|[^\w+-])([0-9a-f]{56,}|[0-9A-F]{56,})(?![\w+/-])/g;
/** Base 64 without blanks. */
const BASE_64 = /(^|[^\w+/-])([A-Za-z0-9+/]{96,}={0,2})(?![\w+/-])/g;
/** Hashes below this many units stay. */
const HAS_LONG_WORD = /[A-Za-z0-9+/_-]{32}/;

/** A line whose values are shortened, with a note in place of what is gone; the line itself when nothing is. O(line). */
export function shortenLine(line: string): string {
  if (line.length < SHORTEST_LINE) return line;
  const cut = HAS_LONG_WORD.test(line) ? withoutHashes(line) : line;
  return cut.length > LONG ? headOf(cut) : cut;
}

function withoutHashes(line: string): string {
  return line
    .replace(NAMED_HASH, (found: string, name: string, sign: string) => {
      const size = found.length - name.length - sign.length;
      return `${name}${sign}${gone(size)}`;
    })
    .replace(
      BARE_HASH,
      (found: string, before: string, hash: string) =>
        isHex(hash) ? before + gone(hash.length) : found,
    )
    .replace(
      BASE_64,
      (found: string, before: string, data: string) =>
        isData(data) ? before + gone(data.length) : found,
    );
}

/** Digits and letters. */
function isHex(text: string): boolean {
  return /\d/.test(text) && /[a-f]/i.test(text);
}

/** Digits, small letters and capitals: no path and no word. */
function isData(text: string): boolean {
  return /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
}

function headOf(line: string): string {
  const last = line.charCodeAt(HEAD - 1);
  const size = last >= 0xd800 && last < 0xdc00 ? HEAD - 1 : HEAD;
  return line.slice(0, size) + ` … ${line.length - size} characters omitted`;
}

function gone(size: number): string {
  return `… ${size} characters omitted`;
}
