/** Names of tools as clients and users write them. @module */
import type { NamedToolRule } from "../core/decision.ts";

/** Spellings differ between clients: `MultiEdit`, `multi_edit`, `multi-edit`. */
export function namesOf(names: string): ReadonlySet<string> {
  return new Set(names.split(" ").map(squashed));
}

function squashed(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Shortest name that is recognised at the end of a flat prefix, as in `mcp_files_read_file`. */
const MIN_FLAT_NAME = 8;

/** A name without its server: `mcp__files__read`, `files.read`, `files/read`. */
function baseOf(toolName: string): string {
  return toolName.split(/__|[./:]/).at(-1)!;
}

/** Whether a tool has one of `names`, made by {@linkcode namesOf}, with any prefix of its server. */
export function isNamed(toolName: string, names: ReadonlySet<string>): boolean {
  const base = squashed(baseOf(toolName));
  if (names.has(base)) return true;
  return /^mcp_/i.test(toolName) &&
    [...names].some((name) =>
      name.length >= MIN_FLAT_NAME && base.endsWith(name)
    );
}

/** The rule of the first pattern that fits a spelling of the name: with or without its server. */
export function ruleFor(
  toolName: string,
  named: readonly NamedToolRule[],
): NamedToolRule["rule"] | undefined {
  if (named.length === 0) return undefined;
  const lower = toolName.toLowerCase();
  const flat = /^mcp_[^_]+_(.+)$/.exec(lower)?.[1];
  const names = [
    lower,
    lower.replace(/__/g, "_"),
    baseOf(lower),
    flat ?? lower,
  ];
  return named.find(({ pattern }) => names.some((name) => fits(name, pattern)))
    ?.rule;
}

/** Whether `name` fits a pattern with `*` and `?`. O(name · pattern), without backtracking further than the last `*`. */
function fits(name: string, pattern: string): boolean {
  let at = 0;
  let p = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (pattern[p] === "*") {
      star = p++;
      resume = at;
    } else if (
      p < pattern.length && (pattern[p] === "?" || pattern[p] === name[at])
    ) {
      at++;
      p++;
    } else if (star >= 0) {
      p = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
