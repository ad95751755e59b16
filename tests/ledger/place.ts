/** Ledgers in a directory of their own. */
import {
  openSqliteLedger,
  type SqliteLedgerOptions,
} from "../../src/ledger/open_ledger.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import { ids, type StandingClock, standingClock } from "./samples.ts";

/** What a test has. */
export interface Place {
  readonly path: string;
  readonly clock: StandingClock;
  readonly logged: string[];
  open(more?: Partial<SqliteLedgerOptions>): Promise<Ledger>;
}

/** A directory of its own; ledgers in it have names that are never given twice. */
export async function inPlace(
  test: (place: Place) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir();
  const path = `${dir}/deep/ledger.db`;
  const clock = standingClock();
  const logged: string[] = [];
  const newId = ids("id");
  const options: SqliteLedgerOptions = {
    path,
    clock,
    log: (_, event) => logged.push(event),
    version: "1.2.3",
    budget: undefined,
    newId,
  };
  try {
    const open = (more: Partial<SqliteLedgerOptions> = {}) =>
      openSqliteLedger({ ...options, ...more });
    await test({ path, clock, logged, open });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** Sums over all runs. */
export function lifetimeOf(ledger: Ledger) {
  return ledger.report().persistent_savings.lifetime;
}
