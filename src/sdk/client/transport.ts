/** Requests to a running proxy, and its errors as exceptions. @module */
import { isJsonObject, objectOr, parseJson } from "../../bytes/json_parts.ts";
import {
  ConfigurationError,
  mapProxyError,
  SvcConnectionError,
  SvcError,
  ValidationError,
} from "../errors.ts";
import { parseSSE } from "../sse.ts";
import { type ClientSettings, requireHeaderValue } from "./options.ts";
import { TimedOut, within } from "./time_limit.ts";

/** One request. */
export interface Outgoing {
  /** HTTP method. */
  readonly method: "GET" | "POST";
  /** Path and query, with a slash in front. */
  readonly path: string;
  /** JSON text to send, see {@linkcode jsonText}; absent: no body. */
  readonly json?: string;
  /** Further header fields. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The caller's; aborting it rejects the call with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the answer, and between the chunks of a stream; default the client's `timeout`. */
  readonly timeout?: number;
}

/** Fields that carry a key for a provider. */
const PROVIDER_KEYS = [
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
];

/** Sends requests to one proxy. */
export class Transport {
  readonly #settings: ClientSettings;

  /** Sends as the settings say. */
  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  /**
   * Gets a JSON answer, an object.
   *
   * @throws {SvcError} The error of its kind, for an answer that is no success, or none at all.
   */
  async json<Answer>(outgoing: Outgoing): Promise<Answer> {
    const answer = parseJson(await this.text(outgoing));
    if (isJsonObject(answer)) return answer as Answer;
    const found = answer === undefined ? "JSON" : "a JSON object";
    throw new SvcConnectionError(
      `Cannot use what ${
        this.#place(outgoing)
      } answered: it is not ${found}; does something else than svc listen there?`,
      this.#details(outgoing),
    );
  }

  /** Gets an answer as text; throws like {@linkcode Transport.json}. */
  async text(outgoing: Outgoing): Promise<string> {
    return await this.#guarded(
      outgoing,
      (signal) => this.#send(outgoing, signal).then((answer) => answer.text()),
    );
  }

  /** Gets the events of a streamed answer, as they arrive; throws like {@linkcode Transport.json}, also while they are read. */
  async events<Event>(
    outgoing: Outgoing,
  ): Promise<AsyncGenerator<Event, void, undefined>> {
    const hangUp = new AbortController();
    const { signal = hangUp.signal } = outgoing;
    // The connection outlives the wait for its first byte.
    const both = AbortSignal.any([signal, hangUp.signal]);
    const answer = await this.#guarded(outgoing, (late) => {
      late.addEventListener("abort", () => hangUp.abort(late.reason));
      return this.#send(outgoing, both);
    });
    return this.#read<Event>(outgoing, answer, hangUp);
  }

  async *#read<Event>(
    outgoing: Outgoing,
    answer: Response,
    hangUp: AbortController,
  ): AsyncGenerator<Event, void, undefined> {
    const events = parseSSE<Event>(answer);
    try {
      for (;;) {
        const next = await this.#guarded(outgoing, () => events.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      hangUp.abort();
      void Promise.allSettled([events.return()]);
    }
  }

  /** Runs a step of a call in its time; what breaks it is told as an error of the connection. */
  async #guarded<T>(
    outgoing: Outgoing,
    step: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { signal, timeout: ms = this.#settings.timeout } = outgoing;
    try {
      return await within({ ms, signal }, step);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      if (signal?.aborted) throw signal.reason;
      throw this.#unreachable(outgoing, error);
    }
  }

  #unreachable(outgoing: Outgoing, cause: unknown): SvcConnectionError {
    const place = this.#place(outgoing);
    const details = this.#details(outgoing);
    if (cause instanceof TimedOut) {
      return new SvcConnectionError(
        `Cannot wait longer for ${place}: no answer in ${cause.ms} ms`,
        { ...details, timeoutMs: cause.ms },
        { cause },
      );
    }
    return new SvcConnectionError(
      `Cannot reach ${place}: ${
        reasonOf(cause)
      }; start it with "svc proxy", or set baseUrl or SVC_BASE_URL`,
      details,
      { cause },
    );
  }

  async #send(outgoing: Outgoing, signal: AbortSignal): Promise<Response> {
    const { method, path, json } = outgoing;
    const init = {
      method,
      headers: this.#headers(outgoing),
      ...json === undefined ? {} : { body: json },
      signal,
      // A redirection would carry the keys to another host.
      redirect: "manual" as const,
    };
    const answer = await this.#settings.fetch(
      this.#settings.baseUrl + path,
      init,
    );
    if (answer.ok) return answer;
    throw failure(answer, await answer.text(), path);
  }

  #headers({ json, headers = {} }: Outgoing): Record<string, string> {
    const { apiKey, proxyToken, stack } = this.#settings;
    const given = new Map<string, string>();
    if (json !== undefined) given.set("content-type", "application/json");
    if (stack !== undefined) given.set("x-svc-stack", stack);
    if (proxyToken !== undefined) given.set("x-svc-proxy-token", proxyToken);
    for (const [name, value] of Object.entries(headers)) {
      requireHeaderValue(`the header ${name}`, value);
      given.set(name.toLowerCase(), value);
    }
    if (
      apiKey !== undefined && !PROVIDER_KEYS.some((name) => given.has(name))
    ) {
      given.set("authorization", `Bearer ${apiKey}`);
    }
    return Object.fromEntries(given);
  }

  #place({ path }: Outgoing): string {
    return `svc at ${this.#settings.baseUrl}${withoutQuery(path)}`;
  }

  #details({ path }: Outgoing) {
    return { baseUrl: this.#settings.baseUrl, path: withoutQuery(path) };
  }
}

/** A query may hold words of a conversation. */
function withoutQuery(path: string): string {
  return path.replace(/\?.*$/s, "");
}

/** What is said of a failure: `fetch` tells the reason in the cause, if at all. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const inner = cause instanceof Error ? `: ${cause.message}` : "";
  return message + inner;
}

/**
 * Writes the body of a request. A bigint becomes a string.
 *
 * @throws {ValidationError} If it holds what JSON cannot carry.
 */
export function jsonText(body: unknown): string {
  try {
    // No number of JSON: what it stood for is put back where the caller's own messages are given back.
    return JSON.stringify(
      body,
      (_, value) => typeof value === "bigint" ? `${value}` : value,
    );
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ValidationError(
      "Cannot send this request: it holds a value that JSON cannot carry, e.g. one that contains itself",
      {},
      { cause: error },
    );
  }
}

/** The error that an answer tells: of the proxy, or relayed from a provider. */
function failure(answer: Response, text: string, path: string): SvcError {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    return new ConfigurationError(
      `Cannot follow the redirection of ${
        withoutQuery(path)
      }: set baseUrl to where svc is`,
      { statusCode: status },
    );
  }
  const { type, message, facts } = readError(text);
  const requestId = headers.get("request-id") ?? headers.get("x-request-id");
  const retryAfter = headers.get("retry-after");
  return mapProxyError(
    status,
    type ?? "unknown",
    message ?? `HTTP ${status}`,
    {
      ...facts,
      path: withoutQuery(path),
      ...requestId === null ? {} : { requestId },
      ...retryAfter === null ? {} : { retryAfter },
    },
  );
}

/** What an error body says. */
interface ErrorWords {
  readonly type?: string;
  readonly message?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** Reads the shapes in which svc and providers tell errors. */
function readError(text: string): ErrorWords {
  const { error, detail, message } = objectOr(parseJson(text));
  if (typeof error === "string") return { message: error };
  if (typeof error === "object" && error !== null) {
    const { type, message, code, param, details } = Object(error);
    return {
      ...typeof type === "string" ? { type } : {},
      ...typeof message === "string" ? { message } : {},
      facts: {
        ...typeof details === "object" ? details : {},
        ...code === undefined || code === null ? {} : { code },
        ...typeof param === "string" ? { param } : {},
      },
    };
  }
  const said = detail ?? message;
  return typeof said === "string"
    ? { message: said }
    : Array.isArray(said) && typeof said[0]?.msg === "string"
    ? { message: said[0].msg, facts: { detail: said.map(withoutInput) } }
    : {};
}

/** Some servers repeat what they refuse, which may be a text of the messages. */
function withoutInput(fault: unknown): object {
  const { type, loc, msg } = Object(fault);
  return { type, loc, msg };
}
