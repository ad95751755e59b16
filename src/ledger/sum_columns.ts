/** Sums as columns of the ledger's database. @module */
import type { Sums } from "../core/ledger_reader.ts";
import { noSums } from "../core/sums.ts";
import type { Row } from "./statements.ts";

/** Columns by their names in {@linkcode Sums}. */
const SUM_COLUMNS: Readonly<Record<keyof Sums, string>> = {
  requests: "requests",
  failed: "failed",
  input: "input",
  output: "output",
  saved: "saved",
  added: "added",
  cacheRead: "cache_read",
  cacheWrite: "cache_write",
  nanoUsd: "nano_usd",
  savedGross: "saved_gross",
  savedNet: "saved_net",
  unpriced: "unpriced",
};

// The record has a member for each.
const KEYS = Object.keys(SUM_COLUMNS) as (keyof Sums)[];

/** Names of the columns. */
export const NAMES: readonly string[] = Object.values(SUM_COLUMNS);
/** A list of them. */
export const COLUMNS: string = NAMES.join(", ");
/** Their definitions. */
export const DEFINED: string = NAMES.map((name) =>
  `${name} INTEGER NOT NULL DEFAULT 0`
).join(",\n  ");
/** Sums of grouped rows, which are written again: exact up to 2^53 and beyond it never refused as `sum` is. */
export const SUMMED: string = NAMES.map((name) =>
  `CAST(total(${name}) AS INTEGER)`
).join(", ");
/** The columns of one row, as they are read. */
export const SUMS: string = listed((name) => `CAST(${name} AS REAL)`);
/** Those of many rows, added up. */
export const ADDED_UP: string = listed((name) => `total(${name})`);

function listed(of: (name: string) => string): string {
  return NAMES.map((name) => `${of(name)} AS ${name}`).join(", ");
}

/** Assignments by which a row that is there grows by the one that would be inserted. */
export function growBy(names: readonly string[]): string {
  return names.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");
}

/** The sums of a row. */
export function sumsOf(row: Row): Sums {
  const sums = noSums();
  for (const key of KEYS) sums[key] = Number(row[SUM_COLUMNS[key]] ?? 0);
  return sums;
}

/** Values of {@linkcode NAMES}. */
export function cellsOfSums(sums: Sums): number[] {
  return KEYS.map((key) => sums[key]);
}
