/**
 * The parts of svc that can be used without the proxy.
 *
 * @example Replace one string of a request body and leave every other byte alone
 * ```ts
 * import { splice } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const body = new TextEncoder().encode('{"a":"long","b":1.0}');
 * const replacement = new TextEncoder().encode('"s"');
 * const out = splice(body, [{ span: { start: 5, end: 11 }, replacement }]);
 * assert.equal(new TextDecoder().decode(out), '{"a":"s","b":1.0}');
 * ```
 *
 * @module
 */
export { splice } from "./src/bytes/splice.ts";
export type { ByteSpan, Edit } from "./src/core/block.ts";
export type {
  CompressContext,
  Compressor,
  CompressOutcome,
  Omitted,
  PartHint,
} from "./src/core/compressor.ts";
export type { ContentKind } from "./src/core/detector.ts";
export type { CompressionMode } from "./src/core/mode.ts";
export { prefixDrift } from "./src/pipeline/prefix_drift.ts";
export type {
  DriftMessage,
  PrefixDriftInput,
  PrefixDriftReport,
  PrefixMetrics,
} from "./src/pipeline/prefix_drift.ts";
export { VERSION } from "./src/version.ts";
