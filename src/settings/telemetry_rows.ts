/** Settings of logs, of what is exported, and of what may leave the machine. @module */
import { parseHeaderList } from "./header_list.ts";
import { choiceRow, integerRow } from "./row_kinds.ts";
import {
  parseBaseUrl,
  parseFullUrl,
  parseSwitch,
  type SettingRow,
} from "./row.ts";
import type { HeaderField } from "../core/upstream.ts";

const logFile: SettingRow<string | undefined> = {
  env: "SVC_LOG_FILE",
  flag: "log-file",
  placeholder: "<path>",
  fallback: undefined,
  parse: (raw) => raw,
  doc: "Request log, one JSON line per request.",
};

const logMessages: SettingRow<boolean> = {
  env: "SVC_LOG_MESSAGES",
  flag: "log-messages",
  flagDoc: "Keep the texts of requests and responses too: in the request " +
    "log, and in memory for the live feed.",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_LOG_MESSAGES", raw),
  doc: "Keep message texts in memory and in the request log.",
};

const debug400: SettingRow<boolean> = {
  env: "SVC_DEBUG_400",
  flag: "debug-400",
  flagDoc: "Write requests that the upstream answers with 400 to " +
    "logs/debug_400 in the workspace, with every text masked.",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_DEBUG_400", raw),
  doc: "Write requests that get 400 to logs/debug_400, with masked texts.",
};

const otelEnabled: SettingRow<boolean> = {
  env: "SVC_OTEL_METRICS_ENABLED",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_OTEL_METRICS_ENABLED", raw),
  doc: "Export metrics over OTLP.",
};

const otelExporter = choiceRow({
  env: "SVC_OTEL_METRICS_EXPORTER",
  choices: ["otlp_http", "console"],
  fallback: "otlp_http",
  doc: "otlp_http sends metrics to a collector, console writes them to stderr.",
});

const otelEndpoint: SettingRow<string | undefined> = {
  env: "SVC_OTEL_METRICS_ENDPOINT",
  // Some collectors want a key in the query.
  secret: true,
  fallback: undefined,
  parse: (raw) => parseFullUrl("SVC_OTEL_METRICS_ENDPOINT", raw),
  doc: "Full URL for metrics; nothing is appended.",
};

const otelHeaders: SettingRow<readonly HeaderField[]> = {
  env: "SVC_OTEL_METRICS_HEADERS",
  secret: true,
  fallback: [],
  parse: (raw) => parseHeaderList("SVC_OTEL_METRICS_HEADERS", raw),
  doc: "Export headers, e.g. Authorization=<token>,x-team=a.",
};

const otelIntervalMs = integerRow({
  env: "SVC_OTEL_METRICS_EXPORT_INTERVAL_MS",
  fallback: 10_000,
  min: 100,
  max: 86_400_000,
  doc: "Milliseconds between exports.",
});

const otelServiceName: SettingRow<string> = {
  env: "SVC_OTEL_SERVICE_NAME",
  fallback: "svc-proxy",
  parse: (raw) => raw.trim(),
  doc: "Service name in metrics and traces.",
};

const otelResourceAttributes: SettingRow<readonly HeaderField[]> = {
  env: "SVC_OTEL_RESOURCE_ATTRIBUTES",
  fallback: [],
  parse: (raw) => parseHeaderList("SVC_OTEL_RESOURCE_ATTRIBUTES", raw),
  doc: "Additional attributes, e.g. deployment.environment=home,team=a.",
};

const offline: SettingRow<boolean> = {
  env: "SVC_OFFLINE",
  flag: "offline",
  flagDoc: "Reach no host but the configured upstreams; the runtime enforces " +
    "it. No beacon, no update check, no export of metrics or traces.",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_OFFLINE", raw),
  doc:
    "Contact only the configured upstreams: no beacon, update check or export; enforced by the runtime.",
};

const doNotTrack: SettingRow<boolean> = {
  env: "DO_NOT_TRACK",
  fallback: false,
  // Any other word than a plain no means it, as the users of this variable expect.
  parse: (raw) => !/^(0|false|no|off)$/i.test(raw.trim()),
  doc: "Disable the beacon.",
};

/** Words that switch the beacon off; any other leaves it on. */
const BEACON_OFF = /^(off|false|0|no|disable|disabled)$/i;

const beacon: SettingRow<boolean> = {
  env: "SVC_BEACON",
  fallback: true,
  parse: (raw) => !BEACON_OFF.test(raw.trim()),
  doc: "Report anonymous session totals to SVC_TELEMETRY_ENDPOINT.",
};

const telemetryEndpoint: SettingRow<string | undefined> = {
  env: "SVC_TELEMETRY_ENDPOINT",
  fallback: undefined,
  parse: (raw) => parseBaseUrl("SVC_TELEMETRY_ENDPOINT", raw),
  doc:
    "Base URL of beacon reports (/v1/logs is appended). `svc telemetry` shows a report.",
};

const telemetry: SettingRow<boolean> = {
  env: "SVC_TELEMETRY",
  fallback: false,
  // An unknown word leaves it off.
  parse: (raw) => /^(on|true|1|yes)$/i.test(raw.trim()),
  doc: "Keep local statistics of tools for /stats; they stay on this machine.",
};

const updateCheck: SettingRow<boolean> = {
  env: "SVC_UPDATE_CHECK",
  fallback: true,
  parse: (raw) => parseSwitch("SVC_UPDATE_CHECK", raw),
  doc: "Check SVC_UPDATE_INDEX_URL once a day.",
};

const updateIndexUrl: SettingRow<string | undefined> = {
  env: "SVC_UPDATE_INDEX_URL",
  // A private index may want a token in the query.
  secret: true,
  fallback: undefined,
  parse: (raw) => parseFullUrl("SVC_UPDATE_INDEX_URL", raw),
  doc: "URL whose JSON has the newest version in `latest` or `version`.",
};

/** Rows of the registry. */
export const TELEMETRY_ROWS = {
  logFile,
  logMessages,
  debug400,
  otelEnabled,
  otelExporter,
  otelEndpoint,
  otelHeaders,
  otelIntervalMs,
  otelServiceName,
  otelResourceAttributes,
  offline,
  doNotTrack,
  beacon,
  telemetryEndpoint,
  telemetry,
  updateCheck,
  updateIndexUrl,
} as const;
