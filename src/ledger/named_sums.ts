/** Sums by name, bounded. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import type { NamedSums, Sums } from "../core/ledger_reader.ts";
import { addedBy, removedBy, savedBy, succeeded } from "../core/outcome.ts";
import {
  addTo,
  bounded,
  OTHER,
  Rows,
  shortName,
  UNKNOWN,
} from "./bounded_table.ts";
import {
  addSums,
  noSums,
  type RunningSums,
  type SumsReport,
  sumsReport,
} from "./sums.ts";

/** Sums of requests with a name in common, e.g. a model: the table sums up to the totals. */
export class SumsByName extends Rows<RunningSums> {
  /** Of no requests. */
  constructor() {
    super(noSums);
  }

  /** Adds requests of this name. */
  add(name: string, sums: Sums): void {
    addSums(this.of(name), sums);
  }
}

/** Tokens saved by what forms have in common, e.g. a tool: the table sums up to the tokens saved in all. */
export class SavedByForm {
  readonly #rows = new Map<string, number>();

  /**
   * Adds one request: what its forms save, each under its name, and what was added, less than 0, under
   * {@linkcode ADDED}.
   *
   * @param shares Of all its forms, also those that were sent before.
   */
  add(entry: RequestRecord, shares: Shares): void {
    if (!succeeded(entry)) return;
    let rest = removedBy(entry);
    for (const [name, tokens] of shares) {
      const row = bounded(this.#rows, name || UNKNOWN);
      // A client may call its tool anything.
      addTo(this.#rows, row === ADDED ? OTHER : row, tokens);
      rest -= tokens;
    }
    if (rest !== 0) addTo(this.#rows, OTHER, rest);
    const added = addedBy(entry);
    if (added !== 0) addTo(this.#rows, ADDED, -added);
  }

  /** Tokens by name. */
  report(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#rows);
  }
}

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
  if (!succeeded(entry) || isUntouched(entry)) return "{}";
  return JSON.stringify(Object.fromEntries([
    ...shares("kind", entry, ({ strategy }) => strategy),
    ...shares("tool", entry, ({ toolName }) => toolName),
  ]));
}

/** What each form of a request saves. */
export function sharesOf({ forms }: RequestRecord): FormShares {
  return {
    kind: forms.map(({ strategy, saved }) => [strategy, saved]),
    tool: forms.map(({ toolName, saved }) => [toolName, saved]),
  };
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
