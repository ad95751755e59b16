/** What the forms of a request saved, by what they have in common. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import { shortName } from "./bounded_table.ts";
import { savedBy, took } from "./outcome.ts";

/** Kinds, and tools, of one request that are told apart; the tokens of the rest are those of `(other)`. */
const MAX_SHARES = 50;
/** What was saved or added by no form: the definition of our tool, answers to retrievals. */
const ADDED = "(added)";
const OTHER = "(other)";

/**
 * Tokens that its forms saved, those of earlier turns too, as a JSON object: `kind:` with the compressor, `tool:` with
 * the name of the tool. Each of the two adds up to what the request saved, with the help of `(added)`.
 */
export function savedByName(entry: RequestRecord): string {
  const forms = took(entry) ? entry.forms : [];
  const saved = savedBy(entry);
  return JSON.stringify(Object.fromEntries([
    ...shares("kind", saved, forms, ({ strategy }) => strategy),
    ...shares("tool", saved, forms, ({ toolName }) => toolName),
  ]));
}

function shares(
  dimension: "kind" | "tool",
  saved: number,
  forms: readonly SentForm[],
  nameOf: (form: SentForm) => string,
): readonly (readonly [string, number])[] {
  const tokens = new Map<string, number>();
  const add = (name: string, count: number) =>
    tokens.set(name, (tokens.get(name) ?? 0) + count);
  for (const form of forms) add(shortName(nameOf(form)), whole(form.saved));
  let rest = whole(saved);
  for (const count of tokens.values()) rest -= count;
  if (rest !== 0) add(ADDED, rest);
  for (const [name] of rare(tokens)) {
    add(OTHER, tokens.get(name) ?? 0);
    tokens.delete(name);
  }
  return [...tokens].map(([name, n]) => [`${dimension}:${name}`, n]);
}

/** Those beyond the bound that saved least. */
function rare(
  tokens: ReadonlyMap<string, number>,
): readonly (readonly [string, number])[] {
  return [...tokens].filter(([name]) => name !== ADDED && name !== OTHER)
    .sort(([, a], [, b]) => b - a).slice(MAX_SHARES);
}

/** A number that cannot be stored would hold up all rows behind it. */
function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}
