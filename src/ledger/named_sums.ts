/** Sums by name, bounded. @module */
import { cutText } from "../bytes/cut_text.ts";
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { NamedSums } from "../core/ledger_reader.ts";
import { savedBy, succeeded } from "../core/outcome.ts";
import { addSums, noSums, type RunningSums } from "../core/sums.ts";
import { type SumsReport, sumsReport } from "./sums.ts";

/** The table of what was read from the ledger, which has bounded it; what has no name is `unknown`. */
export function namedReports(
  rows: readonly NamedSums[],
): Readonly<Record<string, SumsReport>> {
  const table = new Map<string, RunningSums>();
  for (const { name, ...sums } of rows) {
    const row = table.get(name || UNKNOWN) ?? noSums();
    table.set(name || UNKNOWN, row);
    addSums(row, sums);
  }
  return Object.fromEntries(
    [...table].map(([name, sums]) => [name, sumsReport(sums)]),
  );
}

/** Kinds, and tools, of one request that are told apart; the tokens of the rest are those of `(other)`. */
const MAX_SHARES = 50;
/** Stands for the tokens that were added: the definition of our tool, originals that were given back. */
export const ADDED = "(added)";

/** Stands for the tokens of tool definitions that were not in the prompt, or written in fewer. */
const DEFINITIONS = "(tool definitions)";
const OWN_NAMES: ReadonlySet<string> = new Set([ADDED, DEFINITIONS]);

/**
 * Tokens that its forms saved, those of earlier turns too, as a JSON object: `kind:` with the compressor, `tool:` with
 * the name of the tool. Each of the two adds up to what the request saved: less than 0, `(added)` is what was added.
 */
export function savedByName(entry: RequestRecord): string {
  if (!succeeded(entry) || isUntouched(entry)) return "{}";
  return JSON.stringify(Object.fromEntries([
    ...shares("kind", entry, ({ strategy }) => strategy),
    ...shares("tool", entry, ({ toolName }) => toolName),
  ]));
}

function isUntouched({ forms, savedTokens, ...entry }: RequestRecord): boolean {
  return forms.length === 0 && savedTokens.fresh === 0 &&
    savedTokens.kept === 0 && entry.tokensBefore === entry.tokensAfter;
}

function shares(
  dimension: "kind" | "tool",
  entry: RequestRecord,
  nameOf: (form: SentForm) => string,
): readonly (readonly [name: string, tokens: number])[] {
  const tokens = new Map<string, number>();
  const add = (name: string, n: number) =>
    tokens.set(name, (tokens.get(name) ?? 0) + n);
  const { fresh, kept } = entry.savedTokens;
  const removed = whole(fresh) + whole(kept);
  let rest = removed;
  for (const form of entry.forms) {
    const name = shortName(nameOf(form));
    // A client may call its tool anything.
    add(OWN_NAMES.has(name) ? OTHER : name, whole(form.saved));
    rest -= whole(form.saved);
  }
  const definitions = whole(entry.schemaTokensSaved);
  rest -= definitions;
  if (rest !== 0) add(OTHER, rest);
  for (const [name] of rare(tokens)) {
    add(OTHER, tokens.get(name) ?? 0);
    tokens.delete(name);
  }
  if (definitions !== 0) add(DEFINITIONS, definitions);
  const added = removed - whole(savedBy(entry));
  if (added !== 0) add(ADDED, -added);
  return [...tokens].map(([name, n]) => [`${dimension}:${name}`, n]);
}

/** Those beyond the bound that saved least. */
function rare(
  tokens: ReadonlyMap<string, number>,
): readonly (readonly [string, number])[] {
  return [...tokens].filter(([name]) => name !== OTHER)
    .sort(([, a], [, b]) => b - a).slice(MAX_SHARES);
}

/** A number that cannot be stored would hold up all rows behind it. */
export function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}

/** The same as an integer. */
export function whole(value: number): number {
  return Math.round(finite(value));
}

/** Stands for every name beyond the bound. */
export const OTHER = "(other)";

/** Stands for what has no name. */
export const UNKNOWN = "unknown";

/** UTF-16 units of a name that are kept. */
const MAX_NAME_CHARS = 200;

/** A name as it is kept: cut, and without what cannot be printed or is half a character. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME_CHARS && ASCII.test(name)) return name;
  return printable(cutText(name, MAX_NAME_CHARS));
}

/** Printable ASCII. */
const ASCII = /^[ -~]*$/;
/** Control characters, those that turn the direction of writing, line separators, halves of characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The text with `\ufffd` in place of each character that cannot be printed. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, "\ufffd");
}
