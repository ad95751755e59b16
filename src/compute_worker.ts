/** The worker that decides blocks and counts bodies: composition and message loop. @module */
import type { CountPieces } from "./core/tokens.ts";
import { openRouter } from "./open_router.ts";
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

port.onmessage = async ({ data }) => {
  const { decide } = await ready;
  if (data.type === "decide") {
    const decisions = data.jobs.map(decide);
    port.postMessage({ type: "decided", id: data.id, decisions });
  } else await count(data.id, data.pieces);
};

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
}

const { decide } = await ready;
await warmUp(decide);
