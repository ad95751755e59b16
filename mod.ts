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
export type {
  Looked,
  LookedPart,
  NamedToolRule,
  ToolRule,
} from "./src/core/decision.ts";
export type {
  ContentHint,
  ContentKind,
  Recognise,
} from "./src/core/detector.ts";
export type { CompressionMode } from "./src/core/mode.ts";
export type { AnsweredRetrieval } from "./src/core/retrieval.ts";
export type {
  AskedShape,
  BlockKey,
  CcrBatch,
  CcrEntry,
  CcrEntrySummary,
  CcrKey,
  CcrMiss,
  CcrStats as CcrStoreStats,
  CcrStore,
  CcrWritten,
  Conversation,
  ConversationKey,
  FormNeed,
  FrozenForm,
  RetrievalEvent,
} from "./src/core/store.ts";
export type {
  PipelineAnswer,
  PipelineEdit,
  PipelineEvent,
  PipelineExtension,
  PipelineMessage,
} from "./src/core/pipeline_event.ts";
export { prefixDrift } from "./src/reports/prefix_drift.ts";
export type {
  DriftMessage,
  PrefixDriftInput,
  PrefixDriftReport,
  PrefixMetrics,
} from "./src/reports/prefix_drift.ts";
export { svcMiddleware } from "./src/sdk/adapters/vercel.ts";
export type {
  SvcMiddleware,
  SvcMiddlewareOptions,
} from "./src/sdk/adapters/vercel.ts";
export type { WithSvcOptions } from "./src/sdk/adapters/compress_request.ts";
export { withSvc } from "./src/sdk/adapters/with_svc.ts";
export { answerRetrieval } from "./src/sdk/answer_retrieval.ts";
export type {
  RetrievalAnswerMessage,
  RetrievalSource,
} from "./src/sdk/answer_retrieval.ts";
export { CacheAligner } from "./src/sdk/cache_aligner.ts";
export type {
  Chat,
  ClientOriginal,
  MetricsQuery,
  SetupReport,
  StatsHistoryQuery,
  ToolCallAnswer,
  ToolCallRequest,
} from "./src/sdk/client/answers.ts";
export {
  SvcClient,
  SvcClient as HeadroomClient,
} from "./src/sdk/client/client.ts";
export type { ClientCompressOptions } from "./src/sdk/client/compress_call.ts";
export type {
  ClientFetch,
  CompressConfig,
  SvcClientOptions,
} from "./src/sdk/client/options.ts";
export type {
  CallOptions,
  MessageCalls,
  ModelCalls,
  ProviderRequest,
  ProviderStream,
} from "./src/sdk/client/provider_calls.ts";
export type {
  CcrStats,
  Durations,
  HealthConfig,
  HealthPart,
  HealthStatus,
  MetricsSummary,
  ProxyStats,
  RequestCounts,
  RequestMetrics,
  TokenCounts,
} from "./src/sdk/client/reports.ts";
export type {
  CompressMessages,
  CompressOptions,
  CompressResult,
  HeadroomMode,
  NothingRetrieved,
  RetrievedOriginal,
  RetrievePart,
  RetrieveResult,
  SimulationResult,
} from "./src/sdk/compress_types.ts";
export {
  countTurns,
  extractToolCalls,
  extractUserQuery,
} from "./src/sdk/conversation_facts.ts";
export { fromOpenAI, sendable, toOpenAI } from "./src/sdk/convert/openai.ts";
export type {
  ConvertibleFormat,
  OpenAIContentPart,
  OpenAIMessage,
  OpenAIToolCall,
} from "./src/sdk/convert/openai.ts";
export {
  CacheError,
  ConfigurationError,
  mapProxyError,
  ProviderError,
  StorageError,
  SvcAuthError,
  SvcAuthError as HeadroomAuthError,
  SvcCompressError,
  SvcCompressError as HeadroomCompressError,
  SvcConnectionError,
  SvcConnectionError as HeadroomConnectionError,
  SvcError,
  SvcError as HeadroomError,
  TokenizationError,
  TransformError,
  ValidationError,
} from "./src/sdk/errors.ts";
export type { ErrorDetails } from "./src/sdk/errors.ts";
export { CompressionHooks } from "./src/sdk/hooks.ts";
export type {
  CompressEvent,
  HookContext,
  HookMessages,
} from "./src/sdk/hooks.ts";
export type {
  CompressedText,
  CompressTextOptions,
} from "./src/core/compress_text.ts";
export { openCcrStore } from "./src/sdk/open_store.ts";
export type { RequestMode, RequestOverrides } from "./src/sdk/overrides.ts";
export type { OwnCompressor } from "./src/sdk/svc_types.ts";
export type { Problem } from "./src/sdk/failures.ts";
export { retrieveTool, vercelRetrieveTool } from "./src/sdk/retrieve_tools.ts";
export type {
  RetrieveInput,
  RetrieveTools,
  RetrieveToolSchema,
  VercelRetrieveSchema,
  VercelRetrieveTool,
} from "./src/sdk/retrieve_tools.ts";
export { createRouter } from "./src/sdk/router.ts";
export type {
  RoutedCompressor,
  RouterOptions,
  TextRouter,
} from "./src/sdk/svc_types.ts";
export { collectStream, parseSSE } from "./src/sdk/sse.ts";
export type { MessageFormat } from "./src/sdk/shape.ts";
export { detectFormat } from "./src/sdk/shapes/registry.ts";
export { SharedContext } from "./src/sdk/shared_context.ts";
export type {
  ContextEntry,
  GetOptions,
  PutOptions,
  SharedContextOptions,
  SharedContextStats,
} from "./src/sdk/shared_context.ts";
export type { CcrStoreOptions } from "./src/sdk/svc_types.ts";
export { compress, createSvc, retrieve, simulate } from "./src/sdk/svc.ts";
export type { Svc, SvcOptions } from "./src/sdk/svc_types.ts";
export { VERSION } from "./src/version.ts";
