/** Rules for tools by name, as text. @module */
import type { NamedToolRule } from "../core/decision.ts";
import { refusal } from "./row.ts";

const RULES: readonly NamedToolRule["rule"][] = ["never", "lossless", "normal"];

/** A tool's name as clients send it, with wildcards. */
const PATTERN = /^(?=.*[\w*])[\w.:/*?-]+$/;

/**
 * Reads `name=rule` pairs, separated by commas or white space; names lose their capitals.
 *
 * @throws {RangeError} If a pair has no known rule or a name that no tool can have.
 */
export function parseToolRules(
  env: string,
  raw: string,
): readonly NamedToolRule[] {
  return itemsOf(raw.replace(/\s*=\s*/g, "=")).map((item) => {
    const [pattern = "", word, ...rest] = item.split("=");
    const rule = RULES.find((known) => known === word?.toLowerCase());
    if (rule === undefined || rest.length > 0 || !PATTERN.test(pattern)) {
      throw refusal(
        env,
        raw,
        "name=never, name=lossless or name=normal, separated by commas",
      );
    }
    return { pattern: pattern.toLowerCase(), rule };
  });
}

/**
 * Reads names of tools, separated by commas or white space, as `lossless` rules.
 *
 * @throws {RangeError} If a name is none that a tool can have.
 */
export function parseProtectedTools(raw: string): readonly NamedToolRule[] {
  return itemsOf(raw).map((pattern) => {
    if (!PATTERN.test(pattern)) {
      throw refusal(
        "SVC_PROTECT_TOOL_RESULTS",
        raw,
        "names of tools, separated by commas",
      );
    }
    return { pattern: pattern.toLowerCase(), rule: "lossless" };
  });
}

function itemsOf(raw: string): readonly string[] {
  return raw.split(/[\s,]+/).filter((item) => item !== "");
}
