/** Writes that no request waits for: they gather, and go into one transaction. @module */
import { type CcrBatch, type CcrWritten, StoreLocked } from "../core/store.ts";

/** Batches that gather at most. */
const GATHERED = 64;
/** Times that they are tried while other processes are writing: for half a minute, or a second where the store is closed. */
const TRIES = 100;

/** A batch on its way. */
interface Queued {
  readonly batch: CcrBatch;
  readonly resolve: (written: CcrWritten) => void;
  readonly reject: (reason: unknown) => void;
}

/** Batches in the order in which they came. */
export class WriteQueue {
  readonly #write: (batches: readonly CcrBatch[]) => readonly CcrWritten[];
  #queued: Queued[] = [];
  #tries = 0;

  /** `write` runs batches as one transaction; throws where it is refused. */
  constructor(write: (batches: readonly CcrBatch[]) => readonly CcrWritten[]) {
    this.#write = write;
  }

  /** Batches that wait. */
  get size(): number {
    return this.#queued.length;
  }

  /** Takes a batch; each 64th writes all. Rejects where the transaction was refused. */
  add(batch: CcrBatch): Promise<CcrWritten> {
    return new Promise((resolve, reject) => {
      this.#queued.push({ batch, resolve, reject });
      if (this.#queued.length % GATHERED === 0) this.writeAll();
    });
  }

  /** Never throws: who gave a batch learns what became of it. While other processes are writing, batches stay. */
  writeAll(): void {
    const queued = this.#queued;
    this.#queued = [];
    if (queued.length === 0) return;
    try {
      const written = this.#write(queued.map(({ batch }) => batch));
      this.#tries = 0;
      for (const [i, { resolve }] of queued.entries()) resolve(written[i]!);
    } catch (error) {
      const isLocked = error instanceof StoreLocked && ++this.#tries < TRIES;
      if (isLocked) {
        this.#queued = [...queued, ...this.#queued];
        return;
      }
      this.#tries = 0;
      for (const { reject } of queued) reject(error);
    }
  }
}
