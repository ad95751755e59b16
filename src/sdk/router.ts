/** Compressors for people who write their own. @module */
import type { RouterOptions, TextRouter } from "./svc_types.ts";

/**
 * Opens svc's compressors for single texts, with compressors of your own before them.
 *
 * @param options Which compressors come first, and who keeps originals.
 *
 * @example A compressor that drops the lines of a progress report
 * ```ts
 * import { createRouter, type OwnCompressor } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const progress: OwnCompressor = {
 *   recognise: (text) => text.startsWith("PROGRESS") ? 1 : 0,
 *   compressor: {
 *     id: "progress",
 *     compress(text, { mayElide }) {
 *       const lines = text.split("\n");
 *       if (!mayElide) return { type: "unchanged", reason: "only_leaves_out" };
 *       const omitted = { count: lines.length - 1, total: lines.length, unit: "lines" };
 *       return { type: "elided", text: lines[0]!, omitted };
 *     },
 *   },
 * };
 * const router = await createRouter({ compressors: [progress], keep: async () => {} });
 * const text = "PROGRESS\n" + "building the next part\n".repeat(200);
 * assert.equal(router.detect(text), "progress");
 * const { strategy, tokensAfter } = await router.compressText(text);
 * assert.equal(strategy, "progress");
 * assert(tokensAfter < 60);
 * ```
 */
export async function createRouter(
  options: RouterOptions = {},
): Promise<TextRouter> {
  const { openTextRouter } = await import("./open.ts");
  return await openTextRouter(options);
}
