/** What rules of stores are written with. @module */
import type { Clock } from "../../src/core/clock.ts";
import type { Log } from "../../src/core/log.ts";
import type { CcrBatch, CcrEntry, CcrStore } from "../../src/core/store.ts";
import { ccrKey } from "../../src/ccr/key.ts";
import { FakeClock } from "../ccr/fake_clock.ts";
import { entryOf } from "../ccr/samples.ts";

/** How long an original lives in the tests. */
export const TTL_SECONDS = 1800;

/** What a rule may ask of a store. */
export interface OpenOptions {
  /** Directory of this test; empty for a store without files. */
  readonly place: string;
  /** Seconds that an original lives. */
  readonly ttlSeconds: number;
  /** Bytes of originals. */
  readonly maxBytes: number;
  /** Moved by the test. */
  readonly clock: Clock;
  /** Records that the test may look at. */
  readonly log: Log;
}

/** A store backend under test. */
export interface StoreBackend {
  /** Opens a store; twice with one place means the same data, if `shared`. */
  open(options: OpenOptions): Promise<CcrStore>;
  /** Whether the data outlives a store and is seen by another one. */
  readonly shared: boolean;
}

/** What a rule works with. */
export interface Scene {
  readonly clock: FakeClock;
  readonly store: CcrStore;
  /** A further store on the same data. */
  readonly another: () => Promise<CcrStore>;
  /** Writes at the clock's time. */
  readonly write: (
    batch: Omit<CcrBatch, "now">,
    when?: "now" | "soon",
  ) => ReturnType<CcrStore["write"]>;
  /** An original stored at the clock's time. */
  readonly entry: (original: string) => CcrEntry;
  /** `kept`, `expired` or `missing`, at the clock's time. */
  readonly statusOf: (original: string) => string;
}

/** Registers one test. */
export type Rule = (
  holds: string,
  check: (scene: Scene) => Promise<void> | void,
  bounds?: { readonly maxBytes?: number },
) => void;

/** Makes rules of one backend. */
export function rulesFor(name: string, backend: StoreBackend): Rule {
  return (holds, check, bounds = {}) =>
    Deno.test(`${name} ${holds}`, async () => {
      const place = backend.shared ? await Deno.makeTempDir() : "";
      const clock = new FakeClock();
      const opened: CcrStore[] = [];
      const another = async () => {
        const { maxBytes = 1e9 } = bounds;
        const log = () => {};
        const options = { place, ttlSeconds: TTL_SECONDS, maxBytes, clock };
        const store = await backend.open({ ...options, log });
        opened.push(store);
        return store;
      };
      try {
        const store = await another();
        await check({
          clock,
          store,
          another,
          write: (batch, when) =>
            store.write({ ...batch, now: clock.now() }, when),
          entry: (original) => entryOf(original, clock.now()),
          statusOf: (original) => {
            const found = store.entry(ccrKey(original), clock.now());
            return "status" in found ? found.status : "kept";
          },
        });
      } finally {
        for (const store of opened) await store[Symbol.asyncDispose]();
        if (place !== "") await Deno.remove(place, { recursive: true });
      }
    });
}
