/** The worker that decides blocks and counts bodies: composition and message loop. @module */
import type { ByteSpan } from "./core/block.ts";
import { openRouter } from "./open_router.ts";
import type { WorkerReply, WorkerRequest } from "./pipeline/worker_pool.ts";
import { makeCountMemo } from "./tokens/memo.ts";

/** The worker's side of its own port. */
interface Port {
  onmessage: ((event: { readonly data: WorkerRequest }) => void) | null;
  postMessage(reply: WorkerReply): void;
}

const port = globalThis as unknown as Port;
// Messages that come before the rank tables are there wait for this promise.
const ready = openRouter().then((router) => ({
  ...router,
  memo: makeCountMemo(router.counter),
}));

port.onmessage = async ({ data }) => {
  const { decide } = await ready;
  if (data.type === "decide") {
    const decisions = data.jobs.map(decide);
    port.postMessage({ type: "decided", id: data.id, decisions });
  } else await count(data);
};

/** Bytes counted between two looks at the message queue: about a millisecond. */
const SLICE_BYTES = 32 * 1024;

/** Counts in slices, so that a block to decide never waits for a whole body. */
async function count(
  request: Extract<WorkerRequest, { type: "count" }>,
): Promise<void> {
  const { id, body, model } = request;
  const { counter, memo } = await ready;
  const extraTokens = counter.count(request.extra, model);
  const spans = spansOf(request.spans);
  const known = spans.map((span) => memo.known(body, span, model));
  let tokens = known.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  const unknown = spans.filter((_, i) => known[i] === undefined);
  let pendingBytes = unknown.reduce((sum, s) => sum + s.end - s.start, 0);
  const reply = () =>
    port.postMessage({
      type: "counted",
      id,
      tokens,
      pendingBytes,
      extraTokens,
    });
  reply();
  let slice = 0;
  for (const span of unknown) {
    const bytes = span.end - span.start;
    if ((slice += bytes) > SLICE_BYTES) {
      slice = bytes;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    tokens += memo.countSpan(body, span, model);
    pendingBytes -= bytes;
  }
  if (unknown.length > 0) reply();
}

function spansOf(flat: Uint32Array): readonly ByteSpan[] {
  return Array.from(
    { length: flat.length / 2 },
    (_, i) => ({ start: flat[2 * i]!, end: flat[2 * i + 1]! }),
  );
}
