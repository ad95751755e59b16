/** Starts the compute worker, from its file or, where files may not be read, from code that is part of the program. @module */
import type { PartGiven, PartWanted } from "./ask_part.ts";
import type {
  WorkerLike,
  WorkerReply,
  WorkerRequest,
} from "../pipeline/worker_messages.ts";

/** Starts one worker. It is not an error if it cannot be started: `onerror` says so. */
export function spawnComputeWorker(): WorkerLike {
  const url = new URL("../compute_worker.ts", import.meta.url);
  return mayLoad(url) ? workerOf(url) : workerOfCode();
}

/** Whether a worker may load the modules beside and below its own: those of a file need the permission to read them. */
function mayLoad(url: URL): boolean {
  if (url.protocol !== "file:") return true;
  const path = new URL(".", url);
  const { state } = Deno.permissions.querySync({ name: "read", path });
  return state === "granted";
}

function workerOf(url: URL): WorkerLike {
  const worker = new Worker(url, { type: "module" });
  const like: WorkerLike = {
    postMessage: (message, transfer = []) =>
      worker.postMessage(message, transfer),
    terminate: () => worker.terminate(),
    onmessage: null,
    onerror: null,
  };
  worker.onmessage = (event) => like.onmessage?.(event);
  worker.onerror = (event) => like.onerror?.(event);
  return like;
}

/** A worker that starts when its code is loaded; what it is sent before waits for that. */
function workerOfCode(): WorkerLike {
  const early: [message: WorkerRequest, transfer: ArrayBuffer[]][] = [];
  let worker: Worker | undefined;
  let isEnded = false;
  const like: WorkerLike = {
    postMessage(message, transfer = []) {
      if (worker === undefined) early.push([message, transfer]);
      else worker.postMessage(message, transfer);
    },
    terminate() {
      isEnded = true;
      worker?.terminate();
    },
    onmessage: null,
    onerror: null,
  };
  codeUrl().then((url) => {
    if (isEnded) return;
    worker = connected(new Worker(url, { type: "module" }), like);
    for (const [message, transfer] of early) {
      worker.postMessage(message, transfer);
    }
  }, (error) => {
    like.onerror?.({ message: String(error), preventDefault() {} });
  });
  return like;
}

/** Hands what the worker says on, but for its questions, which are answered here. */
function connected(worker: Worker, like: WorkerLike): Worker {
  worker.onmessage = ({ data }: MessageEvent<WorkerReply | PartWanted>) => {
    if (data.type !== "part_wanted") return like.onmessage?.({ data });
    void partFor(data).then((given) => worker.postMessage(given));
  };
  worker.onerror = (event) => like.onerror?.(event);
  return worker;
}

async function partFor({ name }: PartWanted): Promise<PartGiven> {
  const type = "part_given";
  try {
    return { type, name, content: await partNamed(name) };
  } catch (error) {
    return { type, name, failure: String(error) };
  }
}

let loadedCode: Promise<string> | undefined;

/** Where this process keeps the code: one copy, however often a worker is started. */
function codeUrl(): Promise<string> {
  return loadedCode ??= loadCode();
}

async function loadCode(): Promise<string> {
  const file = await import("./worker_code.json", { with: { type: "json" } });
  const type = "text/javascript";
  return URL.createObjectURL(new Blob([file.default.code], { type }));
}

/** Loads one part; its default export is the content of a JSON file. */
type LoadPart = () => Promise<{ readonly default: unknown }>;

/** By path below `src/`. Literal imports: the runtime loads them without a permission to read. */
const PARTS: Readonly<Record<string, LoadPart>> = {
  "tokens/ranks/o200k_base.json": () =>
    import("../tokens/ranks/o200k_base.json", { with: { type: "json" } }),
  "tokens/ranks/cl100k_base.json": () =>
    import("../tokens/ranks/cl100k_base.json", { with: { type: "json" } }),
};

/** Names of all parts. */
export const PART_NAMES: readonly string[] = Object.keys(PARTS);

/**
 * Loads one part; it stays in memory.
 *
 * @param name Path below `src/`.
 * @throws {Error} If there is no part of that name.
 */
export async function partNamed(name: string): Promise<unknown> {
  const load = Object.hasOwn(PARTS, name) ? PARTS[name] : undefined;
  if (load === undefined) {
    throw new Error(`Cannot load ${name}: no such part of the worker`);
  }
  return (await load()).default;
}
