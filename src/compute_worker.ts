/** The worker that decides blocks and counts bodies: composition and message loop. @module */
import type { BlockJob } from "./core/decision.ts";
import type { CountPieces } from "./core/tokens.ts";
import { cutOriginal, openRouter } from "./open_router.ts";
import type { WorkerReply, WorkerRequest } from "./pipeline/worker_pool.ts";
import { pieceSpans } from "./tokens/body_counter.ts";
import { spanText } from "./tokens/span_text.ts";
import { warmUp } from "./pipeline/warm_up.ts";

/** The worker's side of its own port. */
interface Port {
  onmessage: ((event: { readonly data: WorkerRequest }) => void) | null;
  postMessage(reply: WorkerReply): void;
}

const port = globalThis as unknown as Port;
// Messages that come before the rank tables are there wait for this promise.
const ready = openRouter();

/** Blocks are decided in the order in which they were asked for: the pool takes the oldest for the one that hangs. */
let deciding: Promise<void> = Promise.resolve();

/** Milliseconds without work after which the warm-up goes on: it takes no processor from a request. */
const IDLE_MS = 50;
let lastWorkAt = -Infinity;

port.onmessage = ({ data }) => {
  if (!isEmpty(data)) lastWorkAt = performance.now();
  if (data.type === "count") return void count(data.id, data.pieces);
  if (data.type === "cut") {
    const cut = cutOriginal(data.entry, data.wanted);
    return port.postMessage({ type: "cut", id: data.id, cut });
  }
  deciding = deciding.then(() => decideAll(data.id, data.jobs));
};

/** What the pool sends when it starts the worker. */
function isEmpty(request: WorkerRequest): boolean {
  return request.type === "decide" && request.jobs.length === 0;
}

async function decideAll(id: number, jobs: readonly BlockJob[]): Promise<void> {
  const { decide } = await ready;
  const decisions = jobs.map(decide);
  if (jobs.length > 0) lastWorkAt = performance.now();
  port.postMessage({ type: "decided", id, decisions });
}

/** Bytes counted between two looks at the message queue: about a millisecond. */
const SLICE_BYTES = 32 * 1024;

/** Counts in slices, so that a block to decide never waits for a whole body. */
async function count(id: number, pieces: CountPieces): Promise<void> {
  const { counter } = await ready;
  const { bytes, ends, model } = pieces;
  let from = 0;
  let sliceStart = 0;
  let tokens: number[] = [];
  for (const span of pieceSpans(ends)) {
    tokens.push(counter.count(spanText(bytes, span), model));
    const isLast = from + tokens.length === ends.length;
    if (span.end - sliceStart < SLICE_BYTES && !isLast) continue;
    port.postMessage({ type: "counted", id, from, tokens });
    from += tokens.length;
    tokens = [];
    sliceStart = span.end;
    if (!isLast) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  // Freed at once: it came for this count, and the next garbage collection may be far.
  if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
}

/** Lets messages in, and waits while there is work. No decision depends on time, only when the warm-up goes on. */
async function idle(): Promise<void> {
  for (let ms = 0; ms >= 0; ms = lastWorkAt + IDLE_MS - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

const { decide } = await ready;
await warmUp({ decide, idle });
