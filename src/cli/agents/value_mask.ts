/** Lines of a configuration without the values of others: those may be keys and passwords. @module */

/** Stands where a value was left out. */
const LEFT_OUT = "…";
/** A string of JSON or TOML. */
const STRING = /"(?:[^"\\]|\\.)*"|'[^']*'/g;
/** A key, what follows it, and a value; text that only ends with `=` may be Base64. */
const MEMBER =
  /^(\s*[{,]?\s*"(?:[^"\\]|\\.)*"\s*[:=]\s*|\s*[\w-]+(?:\.[\w-]+)*\s*=\s*)([^=\s].*)$/;
const COLON = /\s*:/y;
const TOML_KEY = /^\s*[\w-]+\s*=/;
/** A table of TOML. */
const TABLE = /^\s*\[\[?[\w-]+(?:\.[\w-]+)*\]\]?\s*$/;
const STRUCTURE = /^[\s{}[\],]*$/;
/** Structure, colons, and values that are no strings. */
const PLAIN = /^(?:[\s{}[\],:]|\b(?:true|false|null|\d{1,6})\b)*$/;

/** A line that an edit leaves alone: keys, tables and brackets, no values, no comments. The line end stays. */
export function maskedContext(line: string): string {
  const text = line.trimEnd();
  const end = line.slice(text.length);
  if (STRUCTURE.test(text) || TABLE.test(text)) return line;
  const [, key, value = ""] = MEMBER.exec(text) ?? [];
  if (key === undefined) return /^\s*/.exec(text)![0] + LEFT_OUT + end;
  return STRUCTURE.test(value) ? line : key + LEFT_OUT + end;
}

/**
 * A line that an edit adds or takes out: strings are left out if they are neither keys nor `known`. A line in a notation
 * that is not understood is shown as one that the edit leaves alone.
 */
export function maskedChange(line: string, known: ReadonlySet<string>): string {
  const key = TOML_KEY.exec(line)?.[0] ?? "";
  const rest = line.slice(key.length);
  if (!PLAIN.test(rest.replace(STRING, " "))) return maskedContext(line);
  return key + rest.replace(STRING, (literal, offset: number) => {
    COLON.lastIndex = offset + literal.length;
    const isKey = COLON.test(rest);
    const value = isKey ? undefined : valueOf(literal);
    const isShown = isKey || (value !== undefined && known.has(value));
    return isShown ? literal : `"${LEFT_OUT}"`;
  });
}

/** What a string says; `undefined` where TOML writes it otherwise than JSON. */
function valueOf(literal: string): string | undefined {
  if (literal.startsWith("'")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
