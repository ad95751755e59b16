/** Settings of logs, of what is exported, and of what may leave the machine. @module */
import type { HeaderField } from "../core/upstream.ts";
import { parseHeaderList } from "./header_fields.ts";
import { parseBaseUrl, parseFullUrl } from "./row.ts";
import {
  choiceRow,
  integerRow,
  settingRow,
  switchRow,
  textRow,
} from "./row_kinds.ts";

/** Rows of the registry. */
export const TELEMETRY_ROWS = {
  logFile: textRow("Logging", {
    name: "SVC_LOG_FILE, --log-file <path>",
    tier: "basic",
    fallback: undefined,
    doc: "Request log, one JSON line per request.",
  }),
  logMessages: switchRow("Logging", {
    name: "SVC_LOG_MESSAGES, --log-messages",
    tier: "basic",
    fallback: false,
    doc: "Keep message texts in memory and in the request log.",
    flagDoc:
      "Keep the texts of requests and responses too: in the request log, and in memory for the live feed.",
  }),
  debug400: switchRow("Logging", {
    name: "SVC_DEBUG_400, --debug-400",
    fallback: false,
    doc: "Write requests that get 400 to logs/debug_400, with masked texts.",
    flagDoc:
      "Write requests that the upstream answers with 400 to logs/debug_400 in the workspace, with every text masked.",
  }),
  otelEnabled: switchRow("Export", {
    name: "SVC_OTEL_METRICS_ENABLED",
    fallback: false,
    doc: "Export metrics over OTLP.",
  }),
  otelExporter: choiceRow("Export", {
    name: "SVC_OTEL_METRICS_EXPORTER",
    choices: ["otlp_http", "console"],
    fallback: "otlp_http",
    doc:
      "otlp_http sends metrics to a collector, console writes them to stderr.",
  }),
  otelEndpoint: textRow("Export", {
    name: "SVC_OTEL_METRICS_ENDPOINT",
    // Some collectors want a key in the query.
    secret: true,
    fallback: undefined,
    parse: parseFullUrl,
    doc: "Full URL for metrics; nothing is appended.",
  }),
  otelHeaders: settingRow<readonly HeaderField[]>("Export", {
    type: "str",
    name: "SVC_OTEL_METRICS_HEADERS",
    secret: true,
    fallback: [],
    parse: parseHeaderList,
    doc: "Export headers, e.g. Authorization=<token>,x-team=a.",
  }),
  otelIntervalMs: integerRow("Export", {
    name: "SVC_OTEL_METRICS_EXPORT_INTERVAL_MS",
    min: 100,
    max: 86_400_000,
    fallback: 10_000,
    doc: "Milliseconds between exports.",
  }),
  otelServiceName: textRow("Export", {
    name: "SVC_OTEL_SERVICE_NAME",
    fallback: "svc-proxy",
    parse: (_, raw) => raw.trim(),
    doc: "Service name in metrics and traces.",
  }),
  otelResourceAttributes: settingRow<readonly HeaderField[]>("Export", {
    type: "str",
    name: "SVC_OTEL_RESOURCE_ATTRIBUTES",
    fallback: [],
    parse: parseHeaderList,
    doc: "Additional attributes, e.g. deployment.environment=home,team=a.",
  }),
  telemetryEndpoint: textRow("Export", {
    name: "SVC_TELEMETRY_ENDPOINT",
    fallback: undefined,
    parse: parseBaseUrl,
    doc:
      "Base URL of beacon reports (/v1/logs is appended). `svc telemetry` shows a report.",
  }),
  telemetry: switchRow("Export", {
    name: "SVC_TELEMETRY",
    fallback: false,
    // An unknown word leaves it off.
    parse: (_, raw) => /^(on|true|1|yes)$/i.test(raw.trim()),
    doc:
      "Keep local statistics of tools for /stats; they stay on this machine.",
  }),
  updateCheck: switchRow("Export", {
    name: "SVC_UPDATE_CHECK",
    fallback: true,
    doc: "Check SVC_UPDATE_INDEX_URL once a day.",
  }),
  updateIndexUrl: textRow("Export", {
    name: "SVC_UPDATE_INDEX_URL",
    // A private index may want a token in the query.
    secret: true,
    fallback: undefined,
    parse: parseFullUrl,
    doc: "URL whose JSON has the newest version in `latest` or `version`.",
  }),
  // Whether anything leaves the machine is said where it is started.
  offline: switchRow("Export", {
    name: "SVC_OFFLINE, --offline",
    persisted: false,
    fallback: false,
    doc:
      "Contact only the configured upstreams: no beacon, update check or export; enforced by the runtime.",
    flagDoc:
      "Contact only the configured upstreams; the runtime enforces it. No beacon, no update check, no export of metrics or traces.",
  }),
  doNotTrack: switchRow("Export", {
    name: "DO_NOT_TRACK",
    persisted: false,
    fallback: false,
    // Any other word than a plain no means it, as the users of this variable expect.
    parse: (_, raw) => !/^(0|false|no|off)$/i.test(raw.trim()),
    doc: "Disable the beacon.",
  }),
  beacon: switchRow("Export", {
    name: "SVC_BEACON",
    persisted: false,
    fallback: true,
    parse: (_, raw) => !/^(off|false|0|no|disable|disabled)$/i.test(raw.trim()),
    doc: "Report anonymous session totals to SVC_TELEMETRY_ENDPOINT.",
  }),
} as const;
