/** The client of a running proxy. @module */
import { makeAttempt } from "../../pipeline/attempt.ts";
import { absorbing, logOf } from "../failures.ts";
import type {
  CompressResult,
  RetrievePart,
  SimulationResult,
} from "../compress_types.ts";
import {
  type Chat,
  type ClientOriginal,
  clientOriginal,
  type MetricsQuery,
  type SetupReport,
  setupReport,
  type StatsHistoryQuery,
  type ToolCallAnswer,
  toolCallAnswer,
  type ToolCallRequest,
} from "./answers.ts";
import {
  type ClientCompressOptions,
  compressByProxy,
  type CompressCallParts,
  simulateByProxy,
} from "./compress_call.ts";
import { clientSettings, type SvcClientOptions } from "./options.ts";
import {
  chatCalls,
  type MessageCalls,
  messageCalls,
  type ModelCalls,
  responsesCalls,
} from "./provider_calls.ts";
import {
  type CcrStats,
  ccrStats,
  type HealthStatus,
  healthStatus,
  type MetricsSummary,
  metricsSummary,
  type ProxyStats,
  proxyStats,
  type RequestMetrics,
} from "./reports.ts";
import { jsonText, Transport } from "./transport.ts";

/**
 * Talks to a proxy that runs: compresses messages, asks models through it, and reads its reports.
 *
 * Nothing is opened and nothing has to be closed: a client is options and a `fetch`.
 *
 * @example Compressing messages; without a proxy they come back as they are
 * ```ts
 * import { SvcClient } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const client = new SvcClient({
 *   baseUrl: "http://localhost:8787",
 *   fetch: () => Promise.reject(new TypeError("connection refused")),
 * });
 * const messages = [{ role: "user", content: "Hello" }];
 * const result = await client.compress(messages, { model: "gpt-4o" });
 * assert.equal(result.compressed, false);
 * assert.deepEqual(result.messages, messages);
 * ```
 *
 * @example Asking a model, and reading the stream
 * ```ts
 * import { SvcClient } from "@svc/svc";
 * import assert from "node:assert/strict";
 *
 * const client = new SvcClient({
 *   fetch: () => Promise.resolve(new Response('data: {"delta":"Hi"}\n\ndata: [DONE]\n\n')),
 * });
 * const stream = await client.chat.completions.create({
 *   model: "gpt-4o",
 *   messages: [{ role: "user", content: "Hello" }],
 *   stream: true,
 *   headroomMode: "passthrough",
 * });
 * for await (const event of stream) assert.deepEqual(event, { delta: "Hi" });
 * ```
 */
export class SvcClient {
  /** Chat completions. */
  readonly chat: Chat;
  /** Messages of content blocks. */
  readonly messages: MessageCalls;
  /** Responses. */
  readonly responses: ModelCalls;
  readonly #parts: CompressCallParts;

  /**
   * Makes a client; sends nothing.
   *
   * @param options See {@linkcode SvcClientOptions}; default: a proxy on this machine.
   * @throws {ConfigurationError} If an option cannot be used.
   */
  constructor(options: SvcClientOptions = {}) {
    const settings = clientSettings(options);
    const transport = new Transport(settings);
    const parts = {
      settings,
      transport,
      absorb: absorbing(makeAttempt(logOf())),
    };
    this.#parts = parts;
    this.chat = { completions: chatCalls(parts) };
    this.messages = messageCalls(parts);
    this.responses = responsesCalls(parts);
    // So that `{ compress: client.compress }` works.
    this.compress = this.compress.bind(this);
    this.simulate = this.simulate.bind(this);
    this.retrieve = this.retrieve.bind(this);
  }

  /** Where the proxy is, without a slash at the end. */
  get baseUrl(): string {
    return this.#parts.settings.baseUrl;
  }

  /**
   * Makes messages smaller. Only results of tools change; an unchanged message is the same object.
   *
   * @param messages Messages of one conversation, oldest first; never modified.
   * @param options How.
   * @returns With `compressed: false`, zeros and a `reason` where the proxy could not be reached or failed, unless the
   * client was made with `fallback: false`.
   * @throws {SvcAuthError} If the proxy refuses the key.
   * @throws {SvcError} The error of its kind, if it refuses the request; with `fallback: false` also where it fails.
   * @throws What the signal was aborted with, if it was.
   */
  compress<M>(
    messages: readonly M[],
    options: ClientCompressOptions = {},
  ): Promise<CompressResult<M>> {
    return compressByProxy(this.#parts, messages, options);
  }

  /**
   * Says what `compress` would do; nothing is stored.
   *
   * @param messages Messages of one conversation, oldest first; never modified.
   * @param options How.
   * @throws {SvcError} The error of its kind, for an answer that is no success, or none at all.
   */
  simulate<M>(
    messages: readonly M[],
    options: ClientCompressOptions = {},
  ): Promise<SimulationResult<M>> {
    return simulateByProxy(this.#parts, messages, options);
  }

  /**
   * Sends a body to `/v1/compress` as it is, and gives the answer in the names of the wire.
   *
   * @param body Members `messages`, `model` and others.
   * @throws {SvcError} Like `simulate`.
   */
  async compressRaw(
    body: Readonly<Record<string, unknown>>,
  ): Promise<Record<string, unknown>> {
    return await this.#post("/v1/compress", body);
  }

  /** Says how the proxy is; throws like `simulate`. */
  async health(): Promise<HealthStatus> {
    return healthStatus(await this.#get("/health"));
  }

  /** Says whether the proxy can be used; also when it cannot be reached. */
  async validateSetup(): Promise<SetupReport> {
    return await setupReport(this.health());
  }

  /** Gets the statistics of this run; throws like `simulate`. */
  async proxyStats(): Promise<ProxyStats> {
    return proxyStats(await this.#get("/stats"));
  }

  /** Gets the statistics that survive restarts, in the names of the wire; throws like `simulate`. */
  async statsLifetime(): Promise<Record<string, unknown>> {
    return await this.#get("/stats-lifetime");
  }

  /**
   * Gets the history.
   *
   * @returns For `csv` a text, else the report in the names of the wire.
   * @throws {SvcError} Like `simulate`.
   */
  statsHistory(
    query: StatsHistoryQuery & { readonly format: "csv" },
  ): Promise<string>;
  /** Gets it as JSON. */
  statsHistory(query?: StatsHistoryQuery): Promise<Record<string, unknown>>;
  async statsHistory(
    { format, series }: StatsHistoryQuery = {},
  ): Promise<string | Record<string, unknown>> {
    const wanted = new URLSearchParams({
      ...format && { format },
      ...series && { series },
    });
    const path = wanted.size === 0
      ? "/stats-history"
      : `/stats-history?${wanted}`;
    return format === "csv"
      ? await this.#parts.transport.text({ method: "GET", path })
      : await this.#get(path);
  }

  /** Gets the metrics in the text format of scrapers; throws like `simulate`. */
  async prometheusMetrics(): Promise<string> {
    return await this.#parts.transport.text({
      method: "GET",
      path: "/metrics",
    });
  }

  /** Lists the last requests, newest first; empty for callers that are not trusted. Throws like `simulate`. */
  async getMetrics(
    { model, project, limit = Infinity }: MetricsQuery = {},
  ): Promise<readonly RequestMetrics[]> {
    const { recentRequests = [] } = await this.proxyStats();
    return recentRequests
      .filter((one) => model === undefined || one.model === model)
      .filter((one) => project === undefined || one.project === project)
      .slice(0, limit);
  }

  /** Gets a few figures of this run; throws like `simulate`. */
  async getSummary(): Promise<MetricsSummary> {
    return metricsSummary(await this.proxyStats());
  }

  /** As `getSummary`. */
  async getStats(): Promise<MetricsSummary> {
    return await this.getSummary();
  }

  /** Empties the cache of answers; `cache disabled` where there is none. Throws like `simulate`. */
  async clearCache(): Promise<{ readonly status: string }> {
    return await this.#post("/cache/clear", undefined);
  }

  /** Starts the counts of this run anew; throws like `simulate`. */
  async resetStats(): Promise<{ readonly status: string }> {
    return await this.#post("/stats/reset", undefined);
  }

  /**
   * Gives back an original, or a part of it.
   *
   * @param hash Key of the original, as its marker names it.
   * @param part Which part; default all of it.
   * @throws {SvcCompressError} With `statusCode` 404 where it is not there, or no more; 400 where the part is not.
   */
  async retrieve(
    hash: string,
    part: RetrievePart = {},
  ): Promise<ClientOriginal> {
    const { lines, query, path } = part;
    const wanted = { hash, lines, query, path };
    return clientOriginal(await this.#post("/v1/retrieve", wanted));
  }

  /** Gets the figures of the store of originals; throws like `simulate`. */
  async getCCRStats(): Promise<CcrStats> {
    return ccrStats(await this.#get("/v1/retrieve/stats"));
  }

  /**
   * Answers a model that called the retrieval tool.
   *
   * @throws {SvcCompressError} With `statusCode` 400, if it is no call of that tool.
   */
  async handleToolCall(
    { toolCall, provider }: ToolCallRequest,
  ): Promise<ToolCallAnswer> {
    const body = { tool_call: toolCall, provider };
    return toolCallAnswer(await this.#post("/v1/retrieve/tool_call", body));
  }

  /** Does nothing: a client holds nothing open. */
  close(): void {}

  async #get<Answer>(path: string): Promise<Answer> {
    return await this.#parts.transport.json({ method: "GET", path });
  }

  async #post<Answer>(path: string, body: unknown): Promise<Answer> {
    return await this.#parts.transport.json({
      method: "POST",
      path,
      ...body === undefined ? {} : { json: jsonText(body) },
    });
  }
}
