/** Tells the user, once, that exported data did not arrive. @module */
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import type { Log } from "../core/log.ts";
import type { OtelIo, OtelOptions } from "./otel_contract.ts";
import { oneLine } from "./slug.ts";

/** What is exported. */
type Signal = "metrics" | "traces";

/** How the SDK says that an export has ended; `code` 0 is success. */
export interface ExportEnd {
  /** 0 for success. */
  readonly code: number;
  /** Why it failed. */
  readonly error?: Error;
}

/** What sends batches; any exporter of the SDK. */
interface Exporter<Batch> {
  export(batch: Batch, done: (result: ExportEnd) => void): void;
}

/** What a collector says that took not everything. */
interface PartialSuccess {
  /** A number, or its text: JSON writes it so. */
  readonly rejectedDataPoints?: number | string;
  /** See `rejectedDataPoints`. */
  readonly rejectedSpans?: number | string;
  /** For people. */
  readonly errorMessage?: string;
}

/** Longest text of a collector in a log record. */
const MAX_MESSAGE_CHARS = 200;

/** Follows the exports of one signal. Each change is logged once: fine, refused in part, failing. */
export class ExportWatch {
  readonly #signal: Signal;
  readonly #log: Log;
  /** What was logged last; empty when all is well. */
  #told = "";
  #hasFailed = false;
  #refusal: string | undefined;
  #rejected = 0;

  /** @param signal Named in the records. */
  constructor(signal: Signal, log: Log) {
    this.#signal = signal;
    this.#log = log;
  }

  /** What is wrong at present; `null` for nothing. */
  get error(): string | null {
    return this.#told === "" ? null : this.#told;
  }

  /** Data points or spans that were refused so far. */
  get rejected(): number {
    return this.#rejected;
  }

  /** Takes what the collector said of the export that is about to end. */
  answered(partial: PartialSuccess | null | undefined): void {
    const count = Number(
      partial?.rejectedDataPoints ?? partial?.rejectedSpans ?? 0,
    );
    const rejected = Number.isSafeInteger(count) && count > 0 ? count : 0;
    const message = typeof partial?.errorMessage === "string"
      ? oneLine(partial.errorMessage, MAX_MESSAGE_CHARS)
      : "";
    this.#rejected += rejected;
    // Without a count it is a warning: everything was taken.
    this.#refusal = rejected > 0 || message !== ""
      ? message || "no reason given"
      : undefined;
    if (this.#refusal === undefined) return;
    const told = rejected > 0
      ? `rejected: ${this.#refusal}`
      : `warned: ${this.#refusal}`;
    if (told === this.#told) return;
    this.#told = told;
    this.#hasFailed = false;
    this.#log("warn", "otel_points_rejected", {
      signal: this.#signal,
      rejected,
      reason: this.#refusal,
    });
  }

  /** Takes the end of an export. */
  ended({ code, error }: ExportEnd): void {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    if (code !== 0) return this.#failed(reasonOf(error));
    if (refusal !== undefined || this.#told === "") return;
    this.#told = "";
    this.#hasFailed = false;
    this.#log("info", "otel_export_recovered", { signal: this.#signal });
  }

  /** A collector that goes down fails in more than one way: told once, until it is back. */
  #failed(reason: string): void {
    this.#told = `failed: ${reason}`;
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log("warn", "otel_export_failed", { signal: this.#signal, reason });
  }
}

/** Has an exporter tell the watch how its exports end. */
export function watched<Batch, E extends Exporter<Batch>>(
  exporter: E & Exporter<Batch>,
  watch: ExportWatch,
): E {
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) =>
    send(batch, (result) => {
      watch.ended(result);
      done(result);
    });
  return exporter;
}

/** The kind of failure. Messages are not repeated: they may hold a URL with a password, or what a server sent. */
function reasonOf(error: Error | undefined): string {
  const code: unknown = error && Reflect.get(error, "code");
  if (typeof code === "number") return `HTTP ${code}`;
  if (typeof code === "string") return oneLine(code, MAX_MESSAGE_CHARS);
  return /timed out/i.test(error?.message ?? "")
    ? "no answer in time"
    : "error";
}

/** Name of the service unless the user sets another. */
const DEFAULT_NAME = "svc-proxy";

/**
 * Attributes of this process: those of the standard variables, then the user's for this program, which win. The name
 * that is set for this program wins over the standard one, its default does not.
 */
export function resourceOf(
  { serviceName, resourceAttributes }: Pick<
    OtelOptions,
    "serviceName" | "resourceAttributes"
  >,
  { env, instanceId, version }: Pick<OtelIo, "env" | "instanceId" | "version">,
): Resource {
  const name = serviceName === DEFAULT_NAME
    ? env.OTEL_SERVICE_NAME || serviceName
    : serviceName;
  return defaultResource()
    .merge(resourceFromAttributes({
      "service.version": version,
      "service.instance.id": instanceId,
    }))
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({
      ...Object.fromEntries(resourceAttributes),
      "service.name": name,
    }));
}
