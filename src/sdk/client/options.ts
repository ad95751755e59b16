/** How the client of a running proxy is set up. @module */
import { isLimits } from "../arguments.ts";
import { ConfigurationError } from "../errors.ts";
import type { RequestMode } from "../overrides.ts";

/** `fetch`, as far as the client needs it. */
export type ClientFetch = (
  url: string,
  init: RequestInit,
) => Promise<Response>;

/** How `POST /v1/compress` compresses. Members that are not named here are sent as they are. */
export interface CompressConfig {
  /** Only forms that can be turned back exactly; default that of the proxy. */
  readonly lossless?: boolean;
  /** Messages, counted from the end, whose source code stays whole; default 0. */
  readonly protectRecent?: number;
  /** Whether source code stays whole where the user asks to have something looked into; default false. */
  readonly protectAnalysisContext?: boolean;
  /** Tokens below which a text stays as it is; default 0. */
  readonly minTokensToCompress?: number;
  /** Whether logs, JSON, tables, diffs and the like that users have pasted are shortened; default that of the proxy. */
  readonly compressUserMessages?: boolean;
  /** `audit` and `simulate` only report; default `optimize`. */
  readonly defaultMode?: "optimize" | "audit" | "simulate";
  /** Whether a simulation lists what each transform would do; default false. */
  readonly generateDiffArtifact?: boolean;
  /** Whatever else the proxy is to be told, in its own names. */
  readonly [name: string]: unknown;
}

/** Options of the client; later sources win: defaults, environment, these, those of a single call. */
export interface SvcClientOptions {
  /** Where the proxy is; else SVC_BASE_URL, else `http://localhost:8787`. Slashes at the end do not matter. */
  readonly baseUrl?: string;
  /** Key for the proxy, sent as `Authorization: Bearer`; else SVC_API_KEY. Where a provider's key is sent, that one goes instead. */
  readonly apiKey?: string;
  /** The proxy's own token, for a proxy on another machine, sent as `x-svc-proxy-token`; else SVC_PROXY_TOKEN. */
  readonly proxyToken?: string;
  /** Milliseconds to wait for an answer of the proxy; default 30000. */
  readonly timeout?: number;
  /** Milliseconds to wait for a provider to begin its answer, and between two chunks of a stream; default `timeout` where it is given, else 600000. */
  readonly providerTimeout?: number;
  /** Whether `compress` gives the messages back as they are when the proxy cannot compress them; default true. */
  readonly fallback?: boolean;
  /** Further tries of `compress` after a failed connection or a 5xx answer; default 1. */
  readonly retries?: number;
  /** Name of the software that calls, for the proxy's statistics, sent as `x-svc-stack`. */
  readonly stack?: string;
  /** Key for the provider; else OPENAI_API_KEY or ANTHROPIC_API_KEY, by the route. */
  readonly providerApiKey?: string;
  /** What is done with requests that do not say; default what the proxy is set to. */
  readonly defaultMode?: RequestMode;
  /** How `compress` compresses, unless a call says otherwise. */
  readonly config?: CompressConfig;
  /** Tokens that models take, by their names as in requests; wins over what the proxy knows. Reported only. */
  readonly modelContextLimits?: Readonly<Record<string, number>>;
  /** Sends requests; default the global `fetch`. */
  readonly fetch?: ClientFetch;
}

/** Options without a default: they stay `undefined` where they are not given, and nothing is sent for them. */
type Optional =
  | "apiKey"
  | "config"
  | "defaultMode"
  | "providerApiKey"
  | "proxyToken"
  | "stack";

/** Options with everything filled in. */
export type ClientSettings =
  & Required<Omit<SvcClientOptions, Optional>>
  & { readonly [Name in Optional]: SvcClientOptions[Name] | undefined };

const BASE_URL = "http://localhost:8787";
const TIMEOUT_MS = 30_000;
/** A model may think for minutes before it says a word. */
const PROVIDER_TIMEOUT_MS = 600_000;

/**
 * Fills in what is not given.
 *
 * @throws {ConfigurationError} If an option cannot be used; the message names it, and its value unless it is a secret.
 */
export function clientSettings(
  options: SvcClientOptions,
  env: (name: string) => string | undefined = environmentVariable,
): ClientSettings {
  const { timeout = TIMEOUT_MS, retries = 1 } = options;
  const providerTimeout = options.providerTimeout ?? options.timeout ??
    PROVIDER_TIMEOUT_MS;
  const apiKey = options.apiKey ?? env("SVC_API_KEY");
  const proxyToken = options.proxyToken ?? env("SVC_PROXY_TOKEN");
  const { stack, providerApiKey, defaultMode, config } = options;
  const { modelContextLimits = {} } = options;
  requireNumbers({ timeout, providerTimeout, retries, modelContextLimits });
  const fields = { apiKey, proxyToken, stack, providerApiKey, defaultMode };
  for (const [name, value] of Object.entries(fields)) {
    requireHeaderValue(name, value);
  }
  return {
    baseUrl: usableBase(options.baseUrl ?? env("SVC_BASE_URL") ?? BASE_URL),
    apiKey,
    proxyToken,
    timeout,
    providerTimeout,
    fallback: options.fallback ?? true,
    retries,
    stack,
    providerApiKey,
    defaultMode,
    config,
    modelContextLimits,
    // Called as a function of nothing: some runtimes refuse another `this`.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  };
}

function usableBase(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) &&
    url.search === "" && url.hash === "";
  if (!isUsable) {
    // It may hold a password.
    const shown = value.includes("@") ? "…" : value;
    throw unusable("baseUrl", shown, "must be an http or https URL");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError(
      "Cannot use a baseUrl with a user name or password: give the proxy's token as proxyToken",
      { option: "baseUrl" },
    );
  }
  return value.trim().replace(/\/+$/, "");
}

/** @throws {ConfigurationError} If one of them cannot be used. */
function requireNumbers(
  { timeout, providerTimeout, retries, modelContextLimits }: Pick<
    SvcClientOptions,
    "timeout" | "providerTimeout" | "retries" | "modelContextLimits"
  >,
): void {
  requireMilliseconds("timeout", timeout);
  requireMilliseconds("providerTimeout", providerTimeout);
  if (!Number.isSafeInteger(retries) || Number(retries) < 0) {
    throw unusable("retries", retries, "must be a whole number from 0");
  }
  if (isLimits(modelContextLimits)) return;
  throw unusable(
    "modelContextLimits",
    modelContextLimits,
    "must hold a whole number of tokens, at least 1, by the name of each model",
  );
}

function requireMilliseconds(name: string, value: unknown): void {
  if (typeof value === "number" && value > 0) return;
  throw unusable(name, value, "must be a number of milliseconds above 0");
}

function unusable(
  option: string,
  value: unknown,
  must: string,
): ConfigurationError {
  return new ConfigurationError(
    `Cannot use ${option}=${JSON.stringify(value)}: ${must}`,
    { option },
  );
}

/**
 * Checks what is to be sent in a header: the runtime's own errors repeat it, and it may be a key.
 *
 * @param option What holds it, for the error.
 * @throws {ConfigurationError} If no header may hold it.
 */
export function requireHeaderValue(
  option: string,
  value: string | undefined,
): void {
  if (value === undefined) return;
  try {
    new Headers().set("x", value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConfigurationError(
      `Cannot use ${option}: it holds a character that no HTTP header may hold`,
      { option },
    );
  }
}

/**
 * Fields that say what the context of one request may have.
 *
 * @param model As in the request. @param outputBuffer Tokens that stay free for the answer.
 */
export function contextFields(
  { modelContextLimits }: ClientSettings,
  model: unknown,
  outputBuffer: number | undefined,
): Readonly<Record<string, string>> {
  const limit = typeof model === "string" &&
      Object.hasOwn(modelContextLimits, model)
    ? modelContextLimits[model]
    : undefined;
  return {
    ...limit === undefined ? {} : { "x-svc-tokens-limit": `${limit}` },
    ...outputBuffer === undefined
      ? {}
      : { "x-svc-output-buffer-tokens": `${outputBuffer}` },
  };
}

const WIRE_NAMES: Readonly<Record<string, string>> = {
  protectRecent: "protect_recent",
  protectAnalysisContext: "protect_analysis_context",
  minTokensToCompress: "min_tokens_to_compress",
  compressUserMessages: "compress_user_messages",
  targetRatio: "target_ratio",
  defaultMode: "default_mode",
  generateDiffArtifact: "generate_diff_artifact",
};

/** A config in the names of the wire; members that are not known stay as they are. */
export function wireConfig(config: CompressConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [WIRE_NAMES[name] ?? name, value]),
  );
}

/** What runtimes with an environment have. */
interface Runtime {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
  };
}

/**
 * Reads a variable in Deno, Node and Bun.
 *
 * @param name Its name.
 * @returns `undefined` where it is not set or empty, where there is no environment, or where it may not be read.
 */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name] || undefined;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** Whether the runtime's permissions forbid it. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error &&
    (error.name === "NotCapable" || error.name === "PermissionDenied");
}
