/**
 * What the signs of a line say: failure, warning, totals. Words are looked at, not substrings, and keys with their
 * values, wherever they are in the line. A word that counts nothing (`0 errors`, `failures=0`, `no errors`) or is part
 * of a name (`test_error_handling`, `thiserror`, `/api/error`) makes no failure, nor does the usual value of a field.
 * @module
 */
import { indexLines, type Lines } from "../lines.ts";
import { ERROR, REFUSED } from "./flags.ts";
import { readHeads } from "./heads.ts";
import { VOCABULARY } from "./vocabulary.ts";
import { WordSigns } from "./word_signs.ts";

/** Up to here each refused request is a failure like any other: so many, and such a share of the lines. */
const FEW_REFUSED = 4;
const FEW_SHARE = 0.01;

/** Flags of `flags.ts` for each line. O(n). */
export function severities(lines: Lines): Uint8Array {
  return flagsOf(lines, false);
}

/** The same for the lines of a table, where a bare word is the value of a cell: `dead`, `down`, `degraded`. */
export function cellSeverities(lines: Lines): Uint8Array {
  return flagsOf(lines, true);
}

/**
 * Takes the failure from refused requests where there are many of them: that is what such a service answers. They are
 * still known by {@linkcode REFUSED}. Changes `flags`. O(n).
 */
export function excuseRefused(flags: Uint8Array | Uint16Array): void {
  let refused = 0;
  for (const flag of flags) if (flag & REFUSED) refused++;
  if (refused <= Math.max(FEW_REFUSED, FEW_SHARE * flags.length)) return;
  for (let i = 0; i < flags.length; i++) {
    if (flags[i]! & REFUSED) flags[i]! &= ~ERROR;
  }
}

/** Flags of one line. */
export function severityOf(line: string): number {
  return severities(indexLines(line))[0] ?? 0;
}

function flagsOf(lines: Lines, inCells: boolean): Uint8Array {
  const signs = new WordSigns(lines, inCells);
  VOCABULARY.find(
    lines.codes,
    (word, start, end) => signs.add(word, start, end),
  );
  const flags = signs.flags();
  readHeads(lines, flags, signs.countsFailing);
  return flags;
}
