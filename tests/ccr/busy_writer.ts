/**
 * Program of a test: writes originals and reads those of others, as fast as it can.
 *
 * Arguments: path of the store, its own name, how many writes. It prints the number of each write whose promise was
 * resolved, then one line of JSON, a {@linkcode BusyReport}.
 *
 * @module
 */
import type { CcrEntry } from "../../src/core/store.ts";
import { openSqliteStore } from "../../src/ccr/sqlite_store.ts";
import { blockOf, conversationOf, entryOf, formOf } from "./samples.ts";

/** Milliseconds since the Unix epoch at which everything is written. */
export const BUSY_NOW = Date.UTC(2026, 0, 1);

/** What a program found out. */
export interface BusyReport {
  /** Reasons of refused writes. */
  readonly refused: readonly string[];
  /** Reads that did not find what was written before. */
  readonly missed: number;
  /** Events logged by the store. */
  readonly logged: readonly string[];
}

/** Two originals of one write: one of this program only, one that all programs write. Up to 20 kB. */
export function busyEntries(name: string, i: number): readonly CcrEntry[] {
  const filler = "x".repeat((i * 7919) % 20_000);
  return [`${name} ${i} ${filler}`, `all ${i >> 2} ${filler}`]
    .map((text) => entryOf(text, BUSY_NOW));
}

if (import.meta.main) {
  const [path = "", name = "", writes = "0"] = Deno.args;
  await Deno.stdout.write(await run(path, name, Number(writes)));
}

async function run(
  path: string,
  name: string,
  writes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const refused: string[] = [];
  const logged: string[] = [];
  let missed = 0;
  const encoder = new TextEncoder();
  const now = BUSY_NOW;
  await using store = await openSqliteStore({
    path,
    ttlSeconds: 3600,
    clock: { now: () => now, monotonic: () => now },
    log: (_, event) => logged.push(event),
    version: "1.2.3",
  });
  const write = async (i: number) => {
    const entries = busyEntries(name, i);
    const block = blockOf(`${name} ${i}`);
    const forms = new Map([[block, formOf("x", { entry: entries[0]!.key })]]);
    const conversation = conversationOf(name);
    try {
      await store.write({ now, conversation, entries, forms });
    } catch (error) {
      refused.push(String(error));
      return;
    }
    Deno.stdout.writeSync(encoder.encode(`${i}\n`));
    for (const { key, original } of entries) {
      const found = store.entry(key, now);
      if (!("original" in found) || found.original !== original) missed++;
    }
    if (store.forms([block]).size === 0) missed++;
    store.entries(5);
    store.asked(conversation);
  };
  // Four at a time, as requests of a busy proxy come.
  for (let i = 0; i < writes; i += 4) {
    await Promise.all([0, 1, 2, 3].map((k) => write(i + k)));
  }
  const report: BusyReport = { refused, missed, logged };
  return encoder.encode(`${JSON.stringify(report)}\n`);
}
