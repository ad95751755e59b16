/** Code of the caller's that runs before and after a compression. @module */
import type { MessageFormat } from "./shape.ts";

/** What is known before a compression. */
export interface HookContext {
  /** Model that the messages are for. */
  readonly model: string;
  /** The last text of the user's; empty when there is none. */
  readonly userQuery: string;
  /** Messages in which the user says something. */
  readonly turnNumber: number;
  /** Names of the tools that were called, in order. */
  readonly toolCalls: readonly string[];
  /** How the messages are written. */
  readonly format: MessageFormat;
}

/** What a compression did. */
export interface CompressEvent extends HookContext {
  /** Tokens before. */
  readonly tokensBefore: number;
  /** Tokens after. */
  readonly tokensAfter: number;
  /** Difference of the two. */
  readonly tokensSaved: number;
  /** What is left, as a share: 1 where nothing was saved. */
  readonly compressionRatio: number;
  /** What was done, each once. */
  readonly transformsApplied: readonly string[];
  /** Keys of the originals of which something was left out. */
  readonly ccrHashes: readonly string[];
  /** False where compression failed and the messages came back as they were. */
  readonly compressed: boolean;
  /** Tokens that the model takes; absent where that is unknown. */
  readonly contextLimit?: number;
  /** What of them the messages may have; absent with it. */
  readonly contextBudget?: number;
  /** Whether the messages fit into it; absent with it. */
  readonly withinContext?: boolean;
  /** Why they did; absent where `compressed` is true. */
  readonly reason?: string;
}

/**
 * Functions that are told of each compression. An object literal will do, or a class that extends this one. What a
 * hook throws is reported once and never fails the compression.
 *
 * @example Counting what was saved
 * ```ts
 * import { compress, type CompressionHooks } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const calls: string[] = [];
 * const hooks: CompressionHooks = {
 *   preCompress: (_messages, { userQuery }) => void calls.push(userQuery),
 *   postCompress: ({ tokensSaved }) => void calls.push(`${tokensSaved}`),
 * };
 * await compress([{ role: "user", content: "Hello" }], { hooks });
 * assert.deepEqual(calls, ["Hello", "0"]);
 * ```
 */
export class CompressionHooks {
  /** Called before; what it returns is compressed in place of the messages, unless it is nothing. */
  preCompress?(
    messages: readonly unknown[],
    context: HookContext,
  ): HookMessages | Promise<HookMessages>;
  /** Called after. */
  postCompress?(event: CompressEvent): void | Promise<void>;
}

/** Messages to compress instead, or nothing. */
export type HookMessages = readonly unknown[] | void;
