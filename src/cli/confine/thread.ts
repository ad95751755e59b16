/** A thread that takes requests for a supervisor, with permissions of its own. @module */
import type { ProcessEnd, WorkerProcess } from "../supervisor.ts";
import {
  type FromWorker,
  fromWorkerIn,
  lineOf,
  type ToWorker,
} from "../worker_talk.ts";
import { MessageQueue } from "./message_queue.ts";
import type { ThreadPermissions } from "./needed.ts";
import type { FromThread, ThreadWorld, ToThread } from "./thread_talk.ts";

/** What a thread is started with. */
export interface ThreadOptions {
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
  const messages = new MessageQueue<FromWorker>();
  const ended = Promise.withResolvers<ProcessEnd>();
  const end = (code: number, signal?: string) => {
    worker.terminate();
    messages.end();
    ended.resolve({ code, signal });
  };
  worker.onmessage = ({ data }: MessageEvent<FromThread>) => {
    if (data.type === "talk") return stderr(data.text);
    if (data.type === "ended") return end(data.code);
    const message = fromWorkerIn(data.line);
    if (message !== undefined) messages.push(message);
  };
  // The runtime has shown the error; without this it would end the whole program.
  worker.onerror = (event) => {
    event.preventDefault();
    end(CODE_FAILED);
  };
  const post = (message: ToThread) => worker.postMessage(message);
  post({ type: "world", world });
  return {
    messages,
    ended: ended.promise,
    send: (message: ToWorker) => post({ type: "line", line: lineOf(message) }),
    kill: () => end(CODE_FAILED, "SIGKILL"),
  };
}
