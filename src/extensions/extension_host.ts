/** The thread of the extensions as the proxy sees it: started with it, and anew when one of them hangs. @module */
import type { PipelineEdit } from "../core/pipeline_event.ts";
import type {
  ExtensionFailure,
  ExtensionModule,
  FromExtensions,
  Question,
  ToExtensions,
} from "./messages.ts";

/** What a `Worker` is, as far as needed here. */
export interface ExtensionThread {
  /** Sends a message. */
  postMessage(message: ToExtensions): void;
  /** Ends it at once. */
  terminate(): void;
  /** Called with each message. */
  onmessage: ((event: { readonly data: FromExtensions }) => void) | null;
  /** Called when it dies. */
  onerror:
    | ((event: { readonly message: string; preventDefault(): void }) => void)
    | null;
}

/** What a host is made of. */
export interface ExtensionHostParts {
  /** Modules to load, in the order in which they are asked. */
  readonly modules: readonly ExtensionModule[];
  /** Starts a thread. */
  readonly start: () => ExtensionThread;
  /** Told of each failure. */
  readonly onFailure: (failure: ExtensionFailure) => void;
  /** Told which modules were loaded, and which were not. */
  readonly onLoaded: (
    names: readonly string[],
    failures: readonly ExtensionFailure[],
  ) => void;
  /** Milliseconds that one extension has for one question; 2000 unless given. */
  readonly patienceMs?: number;
  /** Milliseconds that a module has to load; 10,000 unless given. */
  readonly loadMs?: number;
}

const PATIENCE_MS = 2000;
const LOAD_MS = 10_000;
/** Times that a question is put again because another one's extension hung. */
const MAX_TRIES = 2;

interface Pending {
  readonly question: Question;
  readonly resolve: (edits: readonly PipelineEdit[]) => void;
  tries: number;
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/** Asks the extensions. Whatever they do, a question is answered: without edits where they fail. */
export class ExtensionHost implements Disposable {
  readonly #parts: ExtensionHostParts;
  #modules: readonly ExtensionModule[];
  #thread: ExtensionThread | undefined;
  #loading: ReturnType<typeof setTimeout> | undefined;
  /** Failures of modules that were given up while the thread was started. */
  #givenUp: ExtensionFailure[] = [];
  #isSaid = false;
  #isReady = false;
  #nextId = 0;
  readonly #pending = new Map<number, Pending>();

  /** Starts the thread. */
  constructor(parts: ExtensionHostParts) {
    this.#parts = parts;
    this.#modules = parts.modules;
    this.#start();
  }

  /** Asks all of them; resolves without edits if one hangs, or if none could be loaded. Never rejects. */
  ask(question: Question): Promise<readonly PipelineEdit[]> {
    if (this.#modules.length === 0) return Promise.resolve([]);
    const { promise, resolve } = Promise.withResolvers<
      readonly PipelineEdit[]
    >();
    const id = this.#nextId++;
    this.#pending.set(id, { question, resolve, tries: 1 });
    if (this.#isReady) this.#send(id, question);
    return promise;
  }

  /** Ends the thread; what waits is answered without edits. */
  [Symbol.dispose](): void {
    this.#end();
    this.#modules = [];
    for (const id of [...this.#pending.keys()]) this.#answer(id, []);
  }

  #start(): void {
    this.#end();
    const thread = this.#parts.start();
    this.#thread = thread;
    thread.onmessage = ({ data }) => {
      if (this.#thread === thread) this.#receive(data);
    };
    thread.onerror = (event) => {
      event.preventDefault();
      if (this.#thread === thread) this.#died(event.message);
    };
    thread.postMessage({ type: "load", modules: this.#modules });
  }

  #send(id: number, question: Question): void {
    this.#thread?.postMessage({ type: "ask", id, question });
  }

  #receive(data: FromExtensions): void {
    switch (data.type) {
      case "begins":
        return data.id === undefined
          ? this.#loads(data.name)
          : this.#begins(data.id, data.name);
      case "loaded":
        return this.#loaded(data.names, data.failures);
      case "answer":
        for (const failure of data.failures) this.#parts.onFailure(failure);
        this.#answer(data.id, data.edits);
    }
  }

  #loads(name: string): void {
    clearTimeout(this.#loading);
    const ms = this.#parts.loadMs ?? LOAD_MS;
    this.#loading = setTimeout(() => {
      const reason = `it was not loaded within ${ms / 1000} s`;
      this.#giveUp({ name, reason });
    }, ms);
  }

  #loaded(
    names: readonly string[],
    failures: readonly ExtensionFailure[],
  ): void {
    clearTimeout(this.#loading);
    this.#modules = this.#modules.filter(({ name }) => names.includes(name));
    this.#isReady = true;
    if (!this.#isSaid) {
      this.#isSaid = true;
      this.#parts.onLoaded(names, [...this.#givenUp, ...failures]);
    }
    for (const [id, { question }] of [...this.#pending]) {
      if (names.length === 0) this.#answer(id, []);
      else this.#send(id, question);
    }
  }

  /** Starts the thread again without a module. */
  #giveUp(failure: ExtensionFailure): void {
    this.#givenUp.push(failure);
    this.#modules = this.#modules.filter(({ name }) => name !== failure.name);
    if (this.#isSaid) this.#parts.onFailure(failure);
    this.#start();
  }

  #begins(id: number, name: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    clearTimeout(pending.timer);
    const ms = this.#parts.patienceMs ?? PATIENCE_MS;
    pending.timer = setTimeout(() => {
      const reason = `it gave no answer within ${ms / 1000} s`;
      this.#parts.onFailure({ name, reason });
      this.#answer(id, []);
      this.#again();
    }, ms);
  }

  /** Starts another thread for the questions that still wait. */
  #again(): void {
    for (const [id, pending] of [...this.#pending]) {
      clearTimeout(pending.timer);
      if (pending.tries >= MAX_TRIES) this.#answer(id, []);
      pending.tries++;
    }
    this.#start();
  }

  /** What ends the whole thread is the work of none that is known. */
  #died(message: string): void {
    const isStarted = this.#isReady;
    const failures = this.#modules.map(({ name }) => ({
      name,
      reason: isStarted
        ? "the thread of the extensions ended"
        : `the thread of the extensions did not start: ${message}`,
    }));
    if (isStarted) {
      for (const failure of failures) this.#parts.onFailure(failure);
      return this.#again();
    }
    this.#end();
    this.#loaded([], failures);
  }

  #answer(id: number, edits: readonly PipelineEdit[]): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(pending?.timer);
    pending?.resolve(edits);
  }

  #end(): void {
    clearTimeout(this.#loading);
    this.#isReady = false;
    this.#thread?.terminate();
    this.#thread = undefined;
  }
}
