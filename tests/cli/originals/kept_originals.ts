/** Originals in memory, as the commands see those on disk. @module */
import type { KeptOriginals } from "../../../src/cli/opened.ts";
import type { CcrStore } from "../../../src/core/store.ts";
import { makeRetriever } from "../../../src/ccr/retriever.ts";
import { cutOriginal } from "../../../src/compute/open_router.ts";
import { FakeClock } from "../../ccr/fake_clock.ts";
import { entryOf } from "../../ccr/samples.ts";
import { type FakeIo, fakeIo } from "../fake_io.ts";
import { openMemoryStore } from "../../../src/ccr/open_store.ts";

/** What a test works with. */
export interface OriginalsScene {
  /** The outside world; its originals are in `store`. */
  readonly io: FakeIo;
  /** What is kept. */
  readonly store: CcrStore;
  /** Time of everything. */
  readonly clock: FakeClock;
  /** Stores originals now. */
  keep(...texts: readonly string[]): Promise<void>;
  /** Times that the originals were opened and closed. */
  readonly opened: { times: number; closed: number };
}

/** Makes an empty store and a world around it; `parts` replaces what is done with it. */
export function originalsScene(
  parts: Partial<KeptOriginals> = {},
): OriginalsScene {
  const clock = new FakeClock();
  const store = openMemoryStore({ ttlSeconds: 1800, clock, log: () => {} });
  const { give } = makeRetriever({
    store,
    clock,
    ttlSeconds: 1800,
    cut: cutOriginal,
    onRetrieved: () => {},
    onUncounted: (error) => {
      throw error;
    },
  });
  const opened = { times: 0, closed: 0 };
  const originals: KeptOriginals = {
    store,
    now: () => clock.now(),
    fileBytes: () => Promise.resolve(4096),
    retrieve: (wanted) => give(wanted, "cli"),
    clearable: () => ({ entries: 2, bytes: 3000 }),
    async clear(what) {
      await store.write({ now: clock.now(), clear: what });
      return { entries: 2, bytes: 3000 };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(void opened.closed++),
    ...parts,
  };
  const io = fakeIo({
    openOriginals: () => (opened.times++, Promise.resolve(originals)),
  });
  return {
    io,
    store,
    clock,
    opened,
    async keep(...texts) {
      const entries = texts.map((text) => entryOf(text, clock.now()));
      await store.write({ now: clock.now(), entries });
    },
  };
}

/** The command line of a user who has no originals yet. */
export function emptyWorld(): FakeIo {
  return fakeIo();
}
