/** What looks at a response beside the client. @module */
import type { ProviderFormat } from "../core/format.ts";
import type { UsageTap } from "../core/usage.ts";
import type { Meter } from "./meter.ts";

/** For a response whose usage is observed elsewhere. */
export const NO_USAGE: UsageTap = { push() {}, finish: () => ({}) };

/** One tap after the other; the first one's usage counts. */
export function withTaps(
  first: UsageTap,
  ...others: readonly (Pick<UsageTap, "push"> | undefined)[]
): UsageTap {
  const more = others.filter((tap) => tap !== undefined);
  if (more.length === 0) return first;
  return {
    push(chunk) {
      first.push(chunk);
      for (const tap of more) tap.push(chunk);
    },
    finish: () => first.finish(),
  };
}

/** Tells the meter of the first chunk. */
export function firstByteTap(
  meter: Pick<Meter, "answering">,
  tap: UsageTap,
): UsageTap {
  return {
    push(chunk) {
      meter.answering();
      tap.push(chunk);
    },
    finish: () => tap.finish(),
  };
}

/** Bytes in which the id of a response stands, if it has one. */
const HEAD_BYTES = 4096;

/** Who looks for an id. */
export interface IdTapParts {
  /** See {@linkcode ProviderFormat.responseIdIn}. */
  readonly responseIdIn: ProviderFormat["responseIdIn"];
  /** Told of it at once: a client may continue it. */
  readonly onId: (id: string) => void;
}

/** Looks for the id of the response that the client sees, beside `tap`. */
export function withIdTap(
  tap: UsageTap,
  { responseIdIn, onId }: IdTapParts,
): UsageTap {
  const decoder = new TextDecoder();
  let head = "";
  let isDone = false;
  return {
    push(chunk) {
      tap.push(chunk);
      if (isDone) return;
      head += decoder.decode(chunk.subarray(0, HEAD_BYTES), { stream: true });
      const id = responseIdIn?.(head);
      if (id !== undefined) onId(id);
      isDone = id !== undefined || head.length >= HEAD_BYTES;
    },
    finish: () => tap.finish(),
  };
}
