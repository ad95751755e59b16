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
  doc: "File that gets one line of JSON per request; without it there is no " +
    "request log.",
};

const logMessages: SettingRow<boolean> = {
  env: "SVC_LOG_MESSAGES",
  flag: "log-messages",
  flagDoc: "Keep the texts of requests and responses too: in the request " +
    "log, and in memory for the live feed.",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_LOG_MESSAGES", raw),
  doc: "Whether the texts of requests and responses are kept too: in the " +
    "request log, and in memory for the live feed.",
};

const debug400: SettingRow<boolean> = {
  env: "SVC_DEBUG_400",
  flag: "debug-400",
  flagDoc: "Write requests that the upstream answers with 400 to " +
    "logs/debug_400 in the workspace, with every text masked.",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_DEBUG_400", raw),
  doc: "Whether requests that the upstream answers with 400 are written to " +
    "logs/debug_400 in the workspace, with every text masked.",
};

const otelEnabled: SettingRow<boolean> = {
  env: "SVC_OTEL_METRICS_ENABLED",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_OTEL_METRICS_ENABLED", raw),
  doc: "Whether metrics are exported over OTLP.",
};

const otelExporter = choiceRow({
  env: "SVC_OTEL_METRICS_EXPORTER",
  choices: ["otlp_http", "console"],
  fallback: "otlp_http",
  doc:
    "Where metrics go: otlp_http sends them to a collector, console writes " +
    "them to stderr.",
});

const otelEndpoint: SettingRow<string | undefined> = {
  env: "SVC_OTEL_METRICS_ENDPOINT",
  // Some collectors want a key in the query.
  secret: true,
  fallback: undefined,
  parse: (raw) => parseFullUrl("SVC_OTEL_METRICS_ENDPOINT", raw),
  doc: "Full URL that metrics are posted to; nothing is appended to it.",
};

const otelHeaders: SettingRow<readonly HeaderField[]> = {
  env: "SVC_OTEL_METRICS_HEADERS",
  secret: true,
  fallback: [],
  parse: (raw) => parseHeaderList("SVC_OTEL_METRICS_HEADERS", raw),
  doc: "Header fields of the export, e.g. Authorization=<token>,x-team=a.",
};

const otelIntervalMs = integerRow({
  env: "SVC_OTEL_METRICS_EXPORT_INTERVAL_MS",
  fallback: 10_000,
  min: 100,
  max: 86_400_000,
  doc: "Milliseconds between two exports.",
});

const otelServiceName: SettingRow<string> = {
  env: "SVC_OTEL_SERVICE_NAME",
  fallback: "svc-proxy",
  parse: (raw) => raw.trim(),
  doc: "Name of this service in exported metrics and traces.",
};

const otelResourceAttributes: SettingRow<readonly HeaderField[]> = {
  env: "SVC_OTEL_RESOURCE_ATTRIBUTES",
  fallback: [],
  parse: (raw) => parseHeaderList("SVC_OTEL_RESOURCE_ATTRIBUTES", raw),
  doc: "Further attributes of exported metrics and traces, e.g. " +
    "deployment.environment=home,team=a.",
};

const offline: SettingRow<boolean> = {
  env: "SVC_OFFLINE",
  flag: "offline",
  flagDoc: "Reach no host but the configured upstreams; the runtime enforces " +
    "it. No beacon, no update check, no export of metrics or traces.",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_OFFLINE", raw),
  doc: "Whether nothing but clients' requests to the configured upstreams " +
    "leaves the machine: no beacon, no update check, no export; for the " +
    "proxy, the runtime enforces it.",
};

const doNotTrack: SettingRow<boolean> = {
  env: "DO_NOT_TRACK",
  fallback: false,
  // Any other word than a plain no means it, as the users of this variable expect.
  parse: (raw) => !/^(0|false|no|off)$/i.test(raw.trim()),
  doc: "Whether the beacon is off.",
};

/** Words that switch the beacon off; any other leaves it on. */
const BEACON_OFF = /^(off|false|0|no|disable|disabled)$/i;

const beacon: SettingRow<boolean> = {
  env: "SVC_BEACON",
  fallback: true,
  parse: (raw) => !BEACON_OFF.test(raw.trim()),
  doc: "Whether anonymous counts of a session are reported to " +
    "SVC_TELEMETRY_ENDPOINT: off, false, 0, no, disable or disabled turns it off.",
};

const telemetryEndpoint: SettingRow<string | undefined> = {
  env: "SVC_TELEMETRY_ENDPOINT",
  fallback: undefined,
  parse: (raw) => parseBaseUrl("SVC_TELEMETRY_ENDPOINT", raw),
  doc:
    "Base URL that the beacon reports to, /v1/logs is appended; without it " +
    "nothing is reported. `svc telemetry` shows what would be.",
};

const telemetry: SettingRow<boolean> = {
  env: "SVC_TELEMETRY",
  fallback: false,
  // An unknown word leaves it off.
  parse: (raw) => /^(on|true|1|yes)$/i.test(raw.trim()),
  doc: "Whether local statistics of tools are kept for /stats; nothing of " +
    "them leaves the machine.",
};

const updateCheck: SettingRow<boolean> = {
  env: "SVC_UPDATE_CHECK",
  fallback: true,
  parse: (raw) => parseSwitch("SVC_UPDATE_CHECK", raw),
  doc: "Whether SVC_UPDATE_INDEX_URL is asked for a newer version once a day.",
};

const updateIndexUrl: SettingRow<string | undefined> = {
  env: "SVC_UPDATE_INDEX_URL",
  // A private index may want a token in the query.
  secret: true,
  fallback: undefined,
  parse: (raw) => parseFullUrl("SVC_UPDATE_INDEX_URL", raw),
  doc:
    "Package index that is asked for a newer version: a URL whose JSON has " +
    "the field `latest` or `version`; without it nothing is asked.",
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
