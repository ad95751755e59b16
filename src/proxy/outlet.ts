/** Bytes from one who writes to one who reads, piece by piece. @module */
import { type ChunkReader, streamOf } from "../upstream/chunk_reader.ts";

/** A piece that waits to be read. */
interface Held {
  readonly bytes: Uint8Array;
  readonly taken: PromiseWithResolvers<void>;
}

/** What a response body that is written here and there needs: nothing is held but what nobody has read yet. */
export class Outlet {
  /** What the client gets. */
  readonly stream: ReadableStream<Uint8Array>;
  readonly #held: Held[] = [];
  readonly #left = new AbortController();
  #reader: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #end: { readonly error?: unknown } | undefined;

  /** Makes an empty one. */
  constructor() {
    const source: ChunkReader = {
      read: () => this.#read(),
      cancel: (reason) => this.#cancel(reason),
    };
    this.stream = streamOf(source);
  }

  /** Aborted, with its reason, when the reader wants no more. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  /**
   * Hands `bytes` on; resolves when they were taken.
   * @throws The reader's reason when it wants no more.
   */
  write(bytes: Uint8Array): Promise<void> {
    if (this.left.aborted) return Promise.reject(this.left.reason);
    if (this.#reader) {
      this.#reader.resolve(bytes);
      this.#reader = undefined;
      return Promise.resolve();
    }
    const taken = Promise.withResolvers<void>();
    this.#held.push({ bytes, taken });
    return taken.promise;
  }

  /** Ends the body after what was written. */
  close(): void {
    this.#end ??= {};
    this.#reader?.resolve(undefined);
  }

  /** Breaks the body off with `error`, after what was written. */
  abort(error: unknown): void {
    this.#end ??= { error };
    this.#reader?.reject(error);
  }

  #read(): Promise<Uint8Array | undefined> {
    const held = this.#held.shift();
    if (held) {
      held.taken.resolve();
      return Promise.resolve(held.bytes);
    }
    if (this.#end) {
      return "error" in this.#end
        ? Promise.reject(this.#end.error)
        : Promise.resolve(undefined);
    }
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  #cancel(reason: unknown): Promise<void> {
    this.#left.abort(reason);
    this.#reader?.resolve(undefined);
    for (const { taken } of this.#held.splice(0)) taken.reject(reason);
    return Promise.resolve();
  }
}
