/** A compressor that only shortens, and records what it was asked. */
import type {
  CompressMessages,
  CompressOptions,
  CompressResult,
} from "../../../src/sdk/compress_types.ts";

/** A compressor, and the options it was called with. */
export interface FakeCompress {
  readonly compress: CompressMessages;
  readonly asked: CompressOptions[];
}

/** Puts `{ short: true }` in the place of every message that says `long`. */
export function fakeCompress(): FakeCompress {
  const asked: CompressOptions[] = [];
  return {
    asked,
    compress: (messages, options = {}) => {
      asked.push(options);
      return Promise.resolve(result(messages, options));
    },
  };
}

function result<M>(
  messages: readonly M[],
  { headroomMode = "optimize" }: CompressOptions,
): CompressResult<M> {
  const shorter = headroomMode !== "optimize" ? [...messages] : messages.map(
    (message) =>
      JSON.stringify(message).includes("long") ? { short: true } as M : message,
  );
  return {
    messages: shorter,
    tokensBefore: 10,
    tokensAfter: 5,
    tokensSaved: 5,
    compressionRatio: 0.5,
    transformsApplied: [],
    transformsSummary: {},
    ccrHashes: [],
    compressed: true,
  };
}

/** A message that is shortened. */
export const LONG = { role: "user", content: "long" };

/** What becomes of it. */
export const SHORT = { short: true };
