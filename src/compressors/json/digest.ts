/** Strings that machines make for machines: digests, signatures, encoded bytes. Known by content, keys only veto. @module */

/** Characters that any such string has. */
export const MIN_DIGEST_CHARS = 12;
/** Characters of a random string without a prefix. */
const MIN_RANDOM_CHARS = 40;
/** Hex digits of a digest that cannot be the name of a commit. */
const MIN_HASH_DIGITS = 56;
/** Different characters of a digest; fewer are a placeholder. */
const MIN_DIFFERENT = 6;
/** Characters that tell whether a string is random. */
const LOOKED_AT = 200;
/** Share of neighbours of another class (capital, small letter, digit, sign): 0.64 if random, 0.3 in paths and names. */
const RANDOM_SHARE = 0.47;
/** The same for a string of {@linkcode LOOKED_AT} characters or more without any separator. */
const LONG_RANDOM_SHARE = 0.3;
/** Characters that one pattern is run on: past some millions it runs out of stack. */
const PIECE = 1_000_000;
/** Characters that are decoded to see whether base64 holds text. */
const DECODED = 40;

/** `sha512-…`, `sha256:…`, `h1:…`, several with spaces between. */
const PREFIXED =
  /^(sha\d{1,3}|md5|h1|blake2b|blake3)[-:=][\w+/-]{20,}={0,2}(?: sha\d{1,3}-[\w+/-]{20,}={0,2}){0,4}$/;
const HEX = /^(?:[0-9a-f]{40,}|[0-9A-F]{40,})$/;
const BASE64 = /^[\w+/-]{40,}={0,2}$/;
const HEX_SIGNS = /^[0-9a-f]+$/i;
const BASE64_SIGNS = /^[\w+/-]*={0,2}$/;
const JWT = /^eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*$/;
const DATA_URL = /^data:([\w./+-]{1,80});base64,[A-Za-z0-9+/]{100,}={0,2}$/;
/** An entity tag or an id of an API's graph. */
const OPAQUE = /^(?:W\/)?(?:\\")?(?=[^\d]*\d)[\w+/=:-]{12,}(?:\\")?$/;
const OPAQUE_KEY = /^(?:node_?id|e_?tag)$/i;
/** Values that name something, or that a next call needs. */
const KEPT_KEY =
  /(?:^|[-_. ])(?:id|ids|uid|uuid|guid|name|version|ur[il]|href|path|file|title|message|text|cursor|next|query|key)$|(?:I[dD]s?|Name|Version|Ur[il]|UR[IL]|Path|File|Cursor|Key|ID)$/;
/** Also the name of a commit has 40 hex digits: these keys tell that it is not one. */
const CHECKSUM_KEY =
  /integrity|check_?sum|shasum|^sha[-_]?(?:1|224|256|384|512)|^md5|digest|signature|^sig$/i;
/** Keys of a record that name it. */
const NAMING_KEY =
  /name|path|file|ur[il]|title|id$|version|key|package|label|tag|email|login|message|number|^(?:sha|oid|hash|commit|digest|rev(?:ision)?)$/i;

/** A string that a reader does not need inline. */
export interface Digest {
  /** What it is: `sha512`, `64 hex digits`. */
  readonly label: string;
  /** Content or key say that it is a checksum. */
  readonly isChecksum: boolean;
}

/**
 * Tells what a machine-made string is; `undefined` for all others. Linear, stops at the first character that does not fit.
 *
 * @param content Raw content of a JSON string. @param keyOf Gives its raw key, or that of its list.
 */
export function digestOf(
  content: string,
  keyOf: () => string,
): Digest | undefined {
  const length = content.length;
  if (length < MIN_DIGEST_CHARS) return undefined;
  const label = labelOf(content);
  if (label === undefined) {
    if (length > LOOKED_AT || !OPAQUE.test(content)) return undefined;
    return OPAQUE_KEY.test(keyOf())
      ? { label: "opaque", isChecksum: false }
      : undefined;
  }
  const key = keyOf();
  if (OPAQUE_KEY.test(key)) return { label: "opaque", isChecksum: false };
  if (KEPT_KEY.test(key)) return undefined;
  const isChecksum = CHECKSUM_KEY.test(key) || PREFIXED.test(content);
  const mayNameCommit = length < MIN_HASH_DIGITS && HEX.test(content);
  return mayNameCommit && !isChecksum ? undefined : { label, isChecksum };
}

/** Whether a raw key of a record may name it. */
export function mayName(key: string): boolean {
  return NAMING_KEY.test(key) && !OPAQUE_KEY.test(key);
}

function labelOf(content: string): string | undefined {
  if (content.length > PIECE) return labelOfLong(content);
  const prefix = PREFIXED.exec(content)?.[1];
  if (prefix !== undefined) return prefix === "h1" ? "h1 hash" : prefix;
  const length = content.length;
  if (length < MIN_RANDOM_CHARS) return undefined;
  if (HEX.test(content)) {
    return isVaried(content) ? `${length} hex digits` : undefined;
  }
  if (BASE64.test(content)) {
    return isRandom(content) && !holdsText(content)
      ? `${length} base64 characters`
      : undefined;
  }
  if (JWT.test(content)) return "JWT";
  const type = DATA_URL.exec(content)?.[1];
  return type && `${type} as ${length} base64 characters`;
}

/** By its first piece, if all others are of the same signs. */
function labelOfLong(content: string): string | undefined {
  const label = labelOf(content.slice(0, PIECE));
  if (label === undefined) return undefined;
  const signs = label.endsWith(" hex digits") ? HEX_SIGNS : BASE64_SIGNS;
  for (let at = PIECE; at < content.length; at += PIECE) {
    const piece = content.slice(at, at + PIECE);
    if (!signs.test(piece)) return undefined;
  }
  return label.replace(`${PIECE}`, `${content.length}`);
}

function isVaried(content: string): boolean {
  return /\d/.test(content) && /[a-f]/i.test(content) &&
    new Set(content.slice(0, LOOKED_AT)).size >= MIN_DIFFERENT;
}

/** Whether small letters, capitals and digits alternate as in random bytes. */
function isRandom(content: string): boolean {
  const end = Math.min(content.length, LOOKED_AT);
  const seen = [0, 0, 0, 0];
  let changes = 0;
  let before = -1;
  for (let i = 0; i < end; i++) {
    const kind = classOf(content.charCodeAt(i));
    seen[kind]!++;
    if (kind !== before && before >= 0) changes++;
    before = kind;
  }
  if (seen[0] === 0 || seen[1] === 0 || seen[2] === 0) return false;
  const share = end === LOOKED_AT ? LONG_RANDOM_SHARE : RANDOM_SHARE;
  return changes >= share * (end - 1);
}

/** 0 for capitals, 1 for small letters, 2 for digits, 3 for signs. */
function classOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return 1;
  if (code >= 0x41 && code <= 0x5a) return 0;
  return code >= 0x30 && code <= 0x39 ? 2 : 3;
}

/** Whether base64 holds printable text, which a reader can make out. */
function holdsText(content: string): boolean {
  const start = content.slice(0, DECODED)
    .replaceAll("-", "+").replaceAll("_", "/");
  return /^[\t\n\r -~]*$/.test(atob(start));
}
