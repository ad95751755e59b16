/** Lists of names and values in one line. @module */
import type { HeaderField } from "../core/upstream.ts";
import { refusal } from "./row.ts";

/**
 * Reads `name=value,name=value`; values are percent-decoded where they can be.
 *
 * @returns In the given order; nothing for an empty text.
 * @throws {RangeError} If a part has no name or no `=`. No value is repeated.
 */
export function parseHeaderList(
  env: string,
  raw: string,
): readonly HeaderField[] {
  const parts = raw.split(",").map((part) => part.trim()).filter(Boolean);
  return parts.map((part): HeaderField => {
    const at = part.indexOf("=");
    if (at < 1) throw refusal(env, "***", "name=value,name=value");
    const name = part.slice(0, at).trim();
    return [name, decoded(part.slice(at + 1).trim())];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}
