/** Compression with the instance that all of a process share. @module */
import type {
  CompressOptions,
  CompressResult,
  RetrievePart,
  RetrieveResult,
  SimulationResult,
} from "./compress_types.ts";
import { createSvc } from "./svc.ts";
import type { Svc } from "./svc_types.ts";

let shared: Svc | undefined;

function sharedSvc(): Svc {
  return shared ??= createSvc();
}

/**
 * Makes the results of tools in a conversation smaller, in this process. Messages may be written for any provider; they
 * come back as they were written, and those in which nothing changed are the same objects. Originals are kept in memory
 * for 30 minutes after their last use. For other settings see `createSvc`.
 *
 * Call it with the whole conversation each time: what was decided for a result stays, so that providers' caches go on
 * finding the beginning of the prompt.
 *
 * @param messages Messages of one conversation, oldest first; never modified.
 * @param options How; default everything that pays, for `gpt-4o`.
 * @returns The messages and what was saved. `compressionRatio` is what is left as a share: 1 where nothing was saved.
 * @throws {ValidationError} If an argument is of the wrong type. What messages contain never makes it throw.
 *
 * @example
 * ```ts
 * import { compress } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const rows = Array.from({ length: 200 }, (_, id) => ({ id, state: "done" }));
 * const call = { id: "c1", type: "function", function: { name: "list_jobs", arguments: "{}" } };
 * const messages = [
 *   { role: "user", content: "Which jobs failed?" },
 *   { role: "assistant", content: null, tool_calls: [call] },
 *   { role: "tool", tool_call_id: "c1", content: JSON.stringify(rows) },
 * ];
 * const { messages: smaller, compressionRatio } = await compress(messages);
 * assert(compressionRatio < 0.5);
 * assert.equal(smaller[1], messages[1]);
 * assert.notEqual(smaller[2], messages[2]);
 * ```
 */
export function compress<M>(
  messages: readonly M[],
  options?: CompressOptions,
): Promise<CompressResult<M>> {
  return sharedSvc().compress(messages, options);
}

/**
 * Says what `compress` would do with messages, and what of them looks like waste. Stores nothing and asks no model.
 *
 * @param messages Messages of one conversation, oldest first; never modified.
 * @param options As for `compress`.
 * @throws {ValidationError} If an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { simulate } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const { tokensBefore, tokensSaved } = await simulate([{ role: "user", content: "Hello" }]);
 * assert(tokensBefore > 0);
 * assert.equal(tokensSaved, 0);
 * ```
 */
export function simulate<M>(
  messages: readonly M[],
  options?: CompressOptions,
): Promise<SimulationResult<M>> {
  return sharedSvc().simulate(messages, options);
}

/**
 * Gives back an original of which `compress` left something out, or a part of it.
 *
 * @param hash Key of the original, as its marker in the messages names it.
 * @param part Which part; default all of it.
 * @returns Why there is nothing, where there is nothing.
 * @throws {ValidationError} If an argument is of the wrong type.
 *
 * @example
 * ```ts
 * import { retrieve } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const result = await retrieve("0123456789abcdef01234567");
 * assert.equal(result.success, false);
 * ```
 */
export function retrieve(
  hash: string,
  part?: RetrievePart,
): Promise<RetrieveResult> {
  return sharedSvc().retrieve(hash, part);
}
