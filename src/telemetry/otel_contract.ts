/** Words and settings that the exports share. @module */
import type { Log } from "../core/log.ts";
import type { HeaderField } from "../core/upstream.ts";
import type { RecordFacts } from "./otel_instruments.ts";

/** What the user has set. */
export interface OtelOptions {
  /** Whether metrics are exported. */
  readonly enabled: boolean;
  /** `console` writes them to stderr. */
  readonly exporter: "otlp_http" | "console";
  /** Full URL; `undefined`: as the standard variables say, else the collector on this machine. */
  readonly endpoint: string | undefined;
  /** Secret. */
  readonly headers: readonly HeaderField[];
  /** Milliseconds between two exports. */
  readonly intervalMs: number;
  /** Name of this service. */
  readonly serviceName: string;
  /** Further attributes. */
  readonly resourceAttributes: readonly HeaderField[];
}

/** What an export needs from outside. */
export interface OtelIo extends RecordFacts {
  /** Takes records about the export itself. */
  readonly log: Log;
  /** Of this program. */
  readonly version: string;
  /** The standard variables. The SDK reads the process's own; these decide what is used at all. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether nothing may leave: a provider of the host is not used either. */
  readonly offline: boolean;
  /** Random, per process. */
  readonly instanceId: string;
  /** Writes what the console exporter says; to stderr. */
  readonly write: (text: string) => void;
}

/** State of the export, for `/stats`; without secrets. */
export interface OtelStatus {
  /** Whether metrics are recorded. */
  readonly enabled: boolean;
  /** `host`: into the meter provider that the program around us has set. */
  readonly exporter: "otlp_http" | "console" | "host" | null;
  /** Where they go, without credentials and query; `null` for nowhere. */
  readonly endpoint: string | null;
  /** Name of this service. */
  readonly service_name: string;
  /** Milliseconds between two exports. */
  readonly export_interval_ms: number;
  /** What is wrong at present; `null` for nothing. */
  readonly error: string | null;
  /** Data points that the collector has refused. */
  readonly rejected_points: number;
}

/** Name of the instrumentation scope. */
export const SCOPE = "svc";

/** Milliseconds that the last export may take. */
export const CLOSE_MS = 2000;

/** Whether the standard variable switches all of it off. */
export function isSdkDisabled(env: OtelIo["env"]): boolean {
  return env.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true";
}

/** URL that metrics are posted to. */
export function metricsUrl(
  { endpoint }: Pick<OtelOptions, "endpoint">,
  env: OtelIo["env"],
): string {
  return endpoint ?? otlpUrl("METRICS", env) ??
    "http://localhost:4318/v1/metrics";
}

/** URL that the standard variables name for a signal; `undefined` where they name none. */
export function otlpUrl(
  signal: "METRICS" | "TRACES",
  env: OtelIo["env"],
): string | undefined {
  const own = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]?.trim();
  if (own) return own;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim();
  if (!base) return undefined;
  return `${base.replace(/\/$/, "")}/v1/${signal.toLowerCase()}`;
}

/** A URL as reports may show it: without user, password, query and fragment. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return "?";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
