/** A thread that takes requests for a supervisor, with permissions of its own. @module */
import type { TextValues } from "../../settings/row.ts";
import {
  type FromWorker,
  lineOf,
  messageIn,
  type ProcessEnd,
  type ToWorker,
  type WorkerProcess,
} from "../workers.ts";
import type { ThreadPermissions } from "./needed.ts";

/** What the thread may not look at itself, or would see differently. */
export interface ThreadWorld {
  /** The environment; `undefined`: the thread may read it. */
  readonly env: TextValues | undefined;
  /** Addresses and host names of this machine. */
  readonly names: readonly string[];
  /** Whether talk ends on a terminal. */
  readonly isTerminal: boolean;
}

/** To the thread: first its world, then lines of a supervisor. */
export type ToThread =
  | { readonly type: "world"; readonly world: ThreadWorld }
  | { readonly type: "line"; readonly line: string };

/** From the thread. */
export type FromThread =
  /** For the supervisor. */
  | { readonly type: "line"; readonly line: string }
  /** For the user. */
  | { readonly type: "talk"; readonly text: string }
  /** Its command has ended; it says nothing any more. */
  | { readonly type: "ended"; readonly code: number };

/** Values for one reader, in the order in which they came. */
export function messageQueue<T>() {
  const stream = new TransformStream<T, T>({}, undefined, {
    highWaterMark: Infinity,
  });
  const writer = stream.writable.getWriter();
  // What comes after the end is lost.
  const lost = () => {};
  return {
    /** The values; to be asked for once. */
    messages: stream.readable,
    /** Takes a value; lost after the end. */
    push: (value: T) => void writer.write(value).catch(lost),
    /** No more will come; what waits is still heard. */
    end: () => void writer.close().catch(lost),
  };
}

/** What a thread is started with. */
interface ThreadOptions {
  /** Its module. */
  readonly module: URL;
  /** What it may do. */
  readonly permissions: ThreadPermissions;
  /** What it is told first. */
  readonly world: ThreadWorld;
  /** Takes its talk. */
  readonly stderr: (text: string) => void;
}

/** Exit code of a program that failed in a way nobody foresaw. */
const CODE_FAILED = 1;

/**
 * Starts a thread.
 *
 * @throws {Deno.errors.NotCapable} If this program itself may not do what the thread shall be permitted.
 * @throws {URIError} If a host cannot be the name of one.
 */
export function startThread(
  { module, permissions, world, stderr }: ThreadOptions,
): WorkerProcess {
  const options = { type: "module", deno: { permissions } } as const;
  const worker = new Worker(module, options as WorkerOptions);
  const queue = messageQueue<FromWorker>();
  const ended = Promise.withResolvers<ProcessEnd>();
  const end = (code: number, signal?: string) => {
    worker.terminate();
    queue.end();
    ended.resolve({ code, signal });
  };
  worker.onmessage = ({ data }: MessageEvent<FromThread>) => {
    if (data.type === "talk") return stderr(data.text);
    if (data.type === "ended") return end(data.code);
    const message = messageIn<FromWorker>(data.line);
    if (message !== undefined) queue.push(message);
  };
  // The runtime has shown the error; without this it would end the whole program.
  worker.onerror = (event) => {
    event.preventDefault();
    end(CODE_FAILED);
  };
  const post = (message: ToThread) => worker.postMessage(message);
  post({ type: "world", world });
  return {
    messages: queue.messages,
    ended: ended.promise,
    send: (message: ToWorker) => post({ type: "line", line: lineOf(message) }),
    kill: () => end(CODE_FAILED, "SIGKILL"),
  };
}
