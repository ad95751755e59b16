/** The worker that decides blocks and counts bodies: composition and message loop. @module */
import type { BlockJob } from "./core/decision.ts";
import type { CountPieces } from "./core/tokens.ts";
import { cutOriginal, openRouter } from "./compute/open_router.ts";
import { countPieces } from "./tokens/count_pieces.ts";
import type { WorkerReply, WorkerRequest } from "./pipeline/worker_messages.ts";

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

port.onmessage = ({ data }) => {
  if (data.type === "count") return void count(data.id, data.pieces);
  if (data.type === "cut") {
    const cut = cutOriginal(data.entry, data.wanted);
    return port.postMessage({ type: "cut", id: data.id, cut });
  }
  deciding = deciding.then(() => decideAll(data.id, data.jobs));
};

async function decideAll(id: number, jobs: readonly BlockJob[]): Promise<void> {
  const { decide } = await ready;
  const decisions = jobs.map(decide);
  port.postMessage({ type: "decided", id, decisions });
}

async function count(id: number, pieces: CountPieces): Promise<void> {
  const { counter } = await ready;
  await countPieces(
    counter,
    pieces,
    (from, tokens) => port.postMessage({ type: "counted", id, from, tokens }),
  );
  // Freed at once: it came for this count, and the next garbage collection may be far.
  const { buffer } = pieces.bytes;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
