/** Header fields as text: a JSON object, or one line. @module */
import { isJsonObject, parseJson } from "../bytes/json_parts.ts";
import type { HeaderField } from "../core/upstream.ts";
import { refusal } from "./row.ts";

/** A field name of RFC 9110 section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~\da-z-]+$/i;
/** What a field value may hold: no control characters but a tab. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Fields that belong to one connection or frame a message; a wrong one would let requests be smuggled. */
const FRAMING: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Reads a JSON object of field names and values. Nothing of a value is ever repeated in a message.
 *
 * @param env Variable that holds it.
 * @returns Fields with names in lower case, in the order given.
 * @throws {RangeError} If `raw` is no such object, a name is no field name or frames messages, or a value has a line break.
 */
export function parseHeaderMap(
  env: string,
  raw: string,
): readonly HeaderField[] {
  const given = parseJson(raw);
  if (!isJsonObject(given)) throw refused(env, "it is no JSON object");
  const seen = new Set<string>();
  return Object.entries(given).map(([written, value], i) => {
    const name = written.toLowerCase();
    const place = `field ${JSON.stringify(written)}`;
    // A whole field may stand there, with its value.
    if (!NAME.test(name)) {
      throw refused(env, `the name of field ${i + 1} is no field name`);
    }
    if (FRAMING.has(name)) {
      throw refused(env, `${place} is set by svc itself`);
    }
    if (typeof value !== "string") {
      throw refused(env, `the value of ${place} is no string`);
    }
    if (!VALUE.test(value)) {
      throw refused(
        env,
        `the value of ${place} has a line break or another character that a field cannot hold`,
      );
    }
    if (seen.has(name)) throw refused(env, `${place} stands there twice`);
    seen.add(name);
    return [name, value.trim()] as const;
  });
}

/** Without the text itself, which is a secret. */
function refused(env: string, reason: string): RangeError {
  return new RangeError(
    `Cannot use ${env}: ${reason}; it must be a JSON object of header names and values, e.g. {"x-team": "a"}`,
  );
}

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
