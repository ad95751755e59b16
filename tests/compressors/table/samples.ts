/** Golden files and made-up tables for the tests of the tabular compressor. @module */
import type { CompressContext } from "../../../src/core/compressor.ts";
import { tableKind } from "../../../src/compressors/table/kind.ts";
import type { Table } from "../../../src/compressors/table/layout.ts";

/** A context; three characters count as a token. */
export function contextOf(mayElide: boolean, query = ""): CompressContext {
  return {
    query,
    mayElide,
    countTokens: (text) => Math.ceil(text.length / 3),
  };
}

/** The first table of a text. */
export function tableOf(text: string): Table {
  return tableKind.parse(text, {})!.tables[0]!;
}

/** Lines of CSV about orders, the header first. */
export function orderLines(count: number): string[] {
  const states = ["paid", "paid", "shipped", "open"];
  const rows = Array.from(
    { length: count },
    (_, i) =>
      `${70_000 + i},C-${(i * 37) % 211},${20 + (i * 7) % 60}.50,EUR,${
        states[(i * 7 + (i >> 3)) % 4]
      },2026-03-0${1 + i % 9}`,
  );
  return ["order_id,customer,amount,currency,status,placed", ...rows];
}

/** Lines of `kubectl get pods`, the header first. */
export function podLines(count: number): string[] {
  const rows = Array.from({ length: count }, (_, i) => [
    `api-${(i * 7919 + 4096).toString(16)}-x${i % 10}`,
    "1/1",
    "Running",
    `${i % 3}`,
    `${1 + i % 9}d`,
  ]);
  return padded([["NAME", "READY", "STATUS", "RESTARTS", "AGE"], ...rows]);
}

/** Rows with three blanks between columns that are pushed to the left. */
export function padded(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, j) =>
    Math.max(...rows.map((row) => row[j]!.length))
  );
  return rows.map((row) =>
    row.map((cell, j) => cell.padEnd(widths[j]!)).join("   ").trimEnd()
  );
}
