/** The thread of one extension as the proxy sees it: started with it, and anew when the extension hangs. @module */
import type { PipelineEdit } from "../core/pipeline_event.ts";
import type {
  ExtensionFailure,
  ExtensionModule,
  FromExtension,
  Question,
  ToExtension,
} from "./messages.ts";

/** What a `Worker` is, as far as needed here. */
export interface ExtensionThread {
  /** Sends a message. */
  postMessage(message: ToExtension): void;
  /** Ends it at once. */
  terminate(): void;
  /** Called with each message. */
  onmessage: ((event: { readonly data: FromExtension }) => void) | null;
  /** Called when it dies. */
  onerror:
    | ((event: { readonly message: string; preventDefault(): void }) => void)
    | null;
}

/** What a host is made of. */
export interface ExtensionHostParts {
  /** Module to load. */
  readonly module: ExtensionModule;
  /** Starts a thread. */
  readonly start: () => ExtensionThread;
  /** Told of each failure after the module was loaded. */
  readonly onFailure: (failure: ExtensionFailure) => void;
  /** Milliseconds that the extension has for one question, from when it is handed to it; 2000 unless given. */
  readonly timeoutMs?: number;
  /** Milliseconds that a question may wait behind others; 10,000 unless given. */
  readonly waitMs?: number;
  /** Milliseconds that the module has to load; 10,000 unless given. */
  readonly loadMs?: number;
}

const TIMEOUT_MS = 2000;
const WAIT_MS = 10_000;
const LOAD_MS = 10_000;
/** Times that a question is handed to a thread: one that ended may not have begun it. */
const MAX_TRIES = 2;

type Timer = ReturnType<typeof setTimeout>;

interface Waiting {
  readonly question: Question;
  readonly resolve: (edits: readonly PipelineEdit[]) => void;
  readonly timer: Timer;
  tries: number;
}

/** The question that the thread has. */
interface Asked {
  readonly id: number;
  readonly waiting: Waiting;
  timer: Timer;
  hasBegun: boolean;
}

/** Asks one extension, one question at a time. Whatever it does, a question is answered: without edits where it fails. */
export class ExtensionHost implements Disposable {
  /** Why the module cannot be loaded, in words; `undefined` where it was. Never rejects. */
  readonly loaded: Promise<string | undefined>;
  readonly #parts: ExtensionHostParts;
  readonly #said = Promise.withResolvers<string | undefined>();
  #thread: ExtensionThread | undefined;
  #loading: Timer | undefined;
  #isReady = false;
  #wasReady = false;
  #isGone = false;
  #nextId = 0;
  #asked: Asked | undefined;
  readonly #queue: Waiting[] = [];

  /** Starts the thread. */
  constructor(parts: ExtensionHostParts) {
    this.#parts = parts;
    this.loaded = this.#said.promise;
    this.#start();
  }

  /** Asks it; resolves without edits if it fails, is busy for too long, or could not be loaded. Never rejects. */
  ask(question: Question): Promise<readonly PipelineEdit[]> {
    if (this.#isGone) return Promise.resolve([]);
    const { promise, resolve } = Promise.withResolvers<
      readonly PipelineEdit[]
    >();
    const ms = this.#parts.waitMs ?? WAIT_MS;
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      this.#fail(`it was busy with other requests for ${ms / 1000} s`);
      resolve([]);
    }, ms);
    const waiting = { question, resolve, timer, tries: 0 };
    this.#queue.push(waiting);
    this.#next();
    return promise;
  }

  /** Ends the thread; what waits is answered without edits. */
  [Symbol.dispose](): void {
    this.#giveUp("the proxy stops");
  }

  #start(): void {
    this.#end();
    const { start, module, loadMs = LOAD_MS } = this.#parts;
    const thread = start();
    this.#thread = thread;
    thread.onmessage = ({ data }) => {
      if (this.#thread === thread) this.#receive(data);
    };
    thread.onerror = (event) => {
      event.preventDefault();
      if (this.#thread === thread) this.#died(event.message);
    };
    this.#loading = setTimeout(() => {
      const reason = `it was not loaded within ${loadMs / 1000} s`;
      this.#fail(reason);
      this.#giveUp(reason);
    }, loadMs);
    thread.postMessage({ type: "load", specifier: module.specifier });
  }

  /** Hands the next question to the thread, if that has none. */
  #next(): void {
    if (this.#asked !== undefined || this.#queue.length === 0) return;
    if (this.#thread === undefined) return this.#start();
    if (!this.#isReady) return;
    const waiting = this.#queue.shift()!;
    clearTimeout(waiting.timer);
    waiting.tries++;
    const id = this.#nextId++;
    const timer = this.#patience();
    this.#asked = { id, waiting, timer, hasBegun: false };
    const { question } = waiting;
    this.#thread.postMessage({ type: "ask", id, question });
  }

  #patience(): Timer {
    const ms = this.#parts.timeoutMs ?? TIMEOUT_MS;
    return setTimeout(() => {
      this.#drop(`it gave no answer within ${ms / 1000} s`);
      this.#start();
    }, ms);
  }

  #receive(data: FromExtension): void {
    if (data.type === "loaded") return this.#loadedWith(data.failure);
    const asked = this.#asked;
    if (asked?.id !== data.id) return;
    clearTimeout(asked.timer);
    if (data.type === "begins") {
      asked.hasBegun = true;
      asked.timer = this.#patience();
      return;
    }
    for (const reason of data.failures) this.#fail(reason);
    this.#asked = undefined;
    asked.waiting.resolve(data.edits);
    this.#next();
  }

  #loadedWith(failure: string | undefined): void {
    clearTimeout(this.#loading);
    if (failure !== undefined) {
      this.#fail(failure);
      return this.#giveUp(failure);
    }
    this.#isReady = true;
    this.#wasReady = true;
    this.#said.resolve(undefined);
    this.#next();
  }

  #died(message: string): void {
    if (!this.#isReady) {
      const reason = `its thread did not start: ${message}`;
      this.#fail(reason);
      return this.#giveUp(reason);
    }
    const reason = "its thread ended";
    if (this.#asked === undefined) this.#fail(reason);
    this.#drop(reason);
    this.#end();
    this.#next();
  }

  /** Takes the thread's question from it: one that the extension did not see waits for the next thread. */
  #drop(reason: string): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked === undefined) return;
    clearTimeout(asked.timer);
    const { waiting, hasBegun } = asked;
    if (!hasBegun && waiting.tries < MAX_TRIES) {
      this.#queue.unshift(waiting);
      return;
    }
    this.#fail(reason);
    waiting.resolve([]);
  }

  /** A module that never was ready is said to be not loaded instead. */
  #fail(reason: string): void {
    const { onFailure, module: { name } } = this.#parts;
    if (this.#wasReady) onFailure({ name, reason });
  }

  #giveUp(reason: string): void {
    this.#isGone = true;
    this.#end();
    this.#said.resolve(reason);
    clearTimeout(this.#asked?.timer);
    this.#asked?.waiting.resolve([]);
    this.#asked = undefined;
    for (const { timer, resolve } of this.#queue.splice(0)) {
      clearTimeout(timer);
      resolve([]);
    }
  }

  #end(): void {
    clearTimeout(this.#loading);
    this.#isReady = false;
    this.#thread?.terminate();
    this.#thread = undefined;
  }
}
