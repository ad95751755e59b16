/** Keeps what looks like a credential out of logs, whatever put it there. @module */

/** Values of a log record by name. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** Stands for what was taken out. */
const MASKED = "<masked>";

/** Characters of one value; what a log may hold is far shorter. */
const MAX_CHARS = 1000;
/** Shorter values hold no key worth having. */
const MIN_CHARS = 8;

/** What keys look like, and what replaces them. Each pattern is bounded by `MAX_CHARS`. */
const PATTERNS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // User and password of a URL.
  [/\/\/[^\s/?#"'<>]*@/g, `//${MASKED}@`],
  [/\b(bearer\s+)[\w.~+/=:-]{6,}/gi, `$1${MASKED}`],
  [/\b(basic\s+)[\w+/=-]{12,}/gi, `$1${MASKED}`],
  // Keys that say by whom they were given out.
  [
    /(?<![A-Za-z0-9])(?:sk|pk|rk|xai|gsk|pplx|hf|gh[a-z]|github_pat|glpat|xox[a-z]|whsec|r8|nvapi)[-_][\w.-]{8,}/g,
    MASKED,
  ],
  [
    /(?<![A-Za-z0-9])(?:AIza[\w-]{10,}|ya29\.[\w.-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{12,})/g,
    MASKED,
  ],
  // JSON Web Tokens.
  [/(?<![A-Za-z0-9])eyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g, MASKED],
  // Whatever is called a key.
  [
    /((?:key|token|secret|passw(?:or)?d|pwd|passphrase|authorization|signature|credentials?|cookie)["']?\s*[:=]\s*["']?)[^\s"'&;,<>]{4,}/gi,
    `$1${MASKED}`,
  ],
  // Long words that nobody reads: hexadecimal, or of capitals, small letters and digits.
  [/[0-9A-Fa-f]{32,}/g, MASKED],
  [
    /(?<![\w+=-])(?=[\w+=-]*[a-z])(?=[\w+=-]*[A-Z])(?=[\w+=-]*\d)[\w+=-]{40,}/g,
    MASKED,
  ],
];

/** Ids of requests. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const UUID_CHARS = 36;

/** Short texts that were found to hold no secret: names of models and the like come with every record. */
const clean = new Set<string>();
const MAX_CLEAN = 1000;
const MAX_CLEAN_CHARS = 100;

/** Names of values that are secret as a whole. */
const SECRET_NAME =
  /(?:^|[_-])(?:key|token|secret|password|authorization|credentials?|cookie)$/i;

/**
 * The text without what looks like a credential, on one line and cut to 1,000 characters.
 *
 * The last resort: what writes logs does not put secrets, prompts or bodies into them in the first place. Ids of
 * requests (UUIDs), host names and paths stay readable.
 */
export function maskText(text: string): string {
  if (
    text.length < MIN_CHARS ||
    (text.length === UUID_CHARS && UUID.test(text)) ||
    clean.has(text)
  ) {
    return text;
  }
  let masked = text;
  if (text.length > MAX_CHARS) {
    // Half a key would not be known for one: the word that was cut goes too.
    masked = text.slice(0, MAX_CHARS).replace(/\S+$/, "") + "…";
  }
  for (const [pattern, replacement] of PATTERNS) {
    masked = masked.replace(pattern, replacement);
  }
  if (masked === text && text.length <= MAX_CLEAN_CHARS) remember(text);
  return masked;
}

function remember(text: string): void {
  if (clean.size >= MAX_CLEAN) clean.clear();
  clean.add(text);
}

/** The value of a field, masked if it is a text; one whose name says that it is a secret is masked whole. */
export function maskedField<T extends LogFields[string]>(
  name: string,
  value: T,
): T | string {
  if (typeof value !== "string") return value;
  return SECRET_NAME.test(name) ? MASKED : maskText(value);
}

/** What `JSON.stringify` leaves as it is although a terminal obeys it or an editor breaks the line there. */
const CONTROLS = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

/** A text whose JSON is the text itself between quotation marks. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** JSON of a value on one line, with every control character escaped; programs read the same value. */
export function jsonLine(value: unknown): string {
  if (typeof value === "string" && PLAIN.test(value)) return `"${value}"`;
  return JSON.stringify(value).replace(
    CONTROLS,
    (character) =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
