/** What the forms of a request saved, by what they have in common. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import { addTo, OTHER, shortName } from "./bounded_table.ts";
import { savedBy, took } from "./outcome.ts";

/** Tokens that forms of one request save, by name; a name may come more than once. */
export type Shares = readonly (readonly [name: string, tokens: number])[];

/** What the forms of one request save. */
export interface FormShares {
  /** By compressor. */
  readonly kind: Shares;
  /** By tool. */
  readonly tool: Shares;
}

/** Kinds, and tools, of one request that are told apart; the tokens of the rest are those of `(other)`. */
const MAX_SHARES = 50;
/** Stands for the tokens that were added: the definition of our tool, originals that were given back. */
export const ADDED = "(added)";

/**
 * Tokens that its forms saved, those of earlier turns too, as a JSON object: `kind:` with the compressor, `tool:` with
 * the name of the tool. Each of the two adds up to what the request saved: less than 0, `(added)` is what was added.
 */
export function savedByName(entry: RequestRecord): string {
  if (!took(entry) || isUntouched(entry)) return "{}";
  return JSON.stringify(Object.fromEntries([
    ...shares("kind", entry, ({ strategy }) => strategy),
    ...shares("tool", entry, ({ toolName }) => toolName),
  ]));
}

/** As {@linkcode savedByName} wrote them, without `(added)`; nothing of a row of the first version, which has none. */
export function savedShares(savedBy: string | number | null): FormShares {
  const shares = Object.entries<number>(JSON.parse(String(savedBy ?? "{}")));
  const of = (dimension: "kind" | "tool"): Shares =>
    shares.filter(([key]) =>
      key.startsWith(`${dimension}:`) && key !== `${dimension}:${ADDED}`
    ).map(([key, tokens]) => [key.slice(dimension.length + 1), tokens]);
  return { kind: of("kind"), tool: of("tool") };
}

function isUntouched({ forms, savedTokens, ...entry }: RequestRecord): boolean {
  return forms.length === 0 && savedTokens.fresh === 0 &&
    savedTokens.kept === 0 && entry.tokensBefore === entry.tokensAfter;
}

function shares(
  dimension: "kind" | "tool",
  entry: RequestRecord,
  nameOf: (form: SentForm) => string,
): Shares {
  const tokens = new Map<string, number>();
  const { fresh, kept } = entry.savedTokens;
  const removed = whole(fresh) + whole(kept);
  let rest = removed;
  for (const form of entry.forms) {
    const name = shortName(nameOf(form));
    // A client may call its tool anything.
    addTo(tokens, name === ADDED ? OTHER : name, whole(form.saved));
    rest -= whole(form.saved);
  }
  if (rest !== 0) addTo(tokens, OTHER, rest);
  for (const [name] of rare(tokens)) {
    addTo(tokens, OTHER, tokens.get(name) ?? 0);
    tokens.delete(name);
  }
  const added = removed - whole(savedBy(entry));
  if (added !== 0) addTo(tokens, ADDED, -added);
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
function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}
