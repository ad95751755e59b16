/** Every setting, one row each. @module */
import { COMPRESSION_ROWS } from "./compression_rows.ts";
import { LIMIT_ROWS } from "./limit_rows.ts";
import { PLANNED_ROWS } from "./planned_rows.ts";
import { ROLLOUT_ROWS } from "./rollout_rows.ts";
import {
  parseBaseUrl,
  parseChoice,
  parseHost,
  refusal,
  type SettingRow,
} from "./row.ts";
import { integerRow, textRow } from "./row_kinds.ts";
import { TELEMETRY_ROWS } from "./telemetry_rows.ts";
import { UPSTREAM_ROWS } from "./upstream_rows.ts";

const host = textRow({
  env: "SVC_HOST",
  group: "Networking",
  flag: "host",
  placeholder: "<address>",
  fallback: "127.0.0.1",
  parse: (raw) => parseHost("SVC_HOST", raw),
  doc: "Address to listen on.",
});

const port = integerRow({
  env: "SVC_PORT",
  group: "Networking",
  flag: "port",
  placeholder: "<number>",
  fallback: 8787,
  min: 0,
  max: 65535,
  doc: "Port to listen on; 0 selects a free one.",
});

const stripInternalHeaders: SettingRow<boolean> = {
  env: "SVC_STRIP_INTERNAL_HEADERS",
  group: "Endpoints",
  type: "enum",
  choices: ["enabled", "disabled"],
  fallback: true,
  fallbackText: "enabled",
  parse: (raw) =>
    parseChoice("SVC_STRIP_INTERNAL_HEADERS", raw, ["enabled", "disabled"]) ===
      "enabled",
  doc: "enabled removes x-svc-* request headers; disabled forwards them.",
};

const proxyUrl = textRow({
  env: "SVC_PROXY_URL",
  label: "Proxy of the MCP server",
  group: "Endpoints",
  persisted: false,
  fallback: "http://127.0.0.1:8787",
  parse: (raw) => parseBaseUrl("SVC_PROXY_URL", raw),
  doc: "Proxy that `svc mcp serve` contacts for originals.",
});

const largeModel = textRow({
  env: "SVC_1M_MODEL",
  label: "Model of svc wrap --1m",
  group: "Endpoints",
  persisted: false,
  fallback: "sonnet",
  parse(raw) {
    if (/^[^\s/]+(\/[^\s/]+)*$/.test(raw)) return raw;
    throw refusal("SVC_1M_MODEL", raw, "the name of a model");
  },
  doc:
    "Model that `svc wrap claude --1m` sets where neither `--model` nor `ANTHROPIC_MODEL` does; `[1m]` is added.",
});

const { logFile, logMessages, debug400, ...exported } = TELEMETRY_ROWS;
const { offline, doNotTrack, beacon, ...stored } = exported;

/** Every setting that has a value of its own, by its name in the program. Paths are in `paths.ts`. */
export const SETTINGS = {
  host,
  port,
  ...COMPRESSION_ROWS,
  ...LIMIT_ROWS,
  ...UPSTREAM_ROWS,
  stripInternalHeaders,
  proxyUrl,
  largeModel,
  ...saying({ group: "Logging", tier: "basic" }, { logFile, logMessages }),
  ...saying({ group: "Logging" }, { debug400 }),
  ...saying({ group: "Export" }, stored),
  // Whether anything leaves the machine is said where it is started.
  ...saying(
    { group: "Export", persisted: false },
    { offline, doNotTrack, beacon },
  ),
  ...ROLLOUT_ROWS,
  ...PLANNED_ROWS,
} as const;

/** All of them. */
export const ROWS: readonly SettingRow<unknown>[] = Object.values(SETTINGS);

/** The same rows with further words. */
function saying<T extends Readonly<Record<string, SettingRow<unknown>>>>(
  words: Partial<SettingRow<unknown>>,
  rows: T,
): T {
  const entries = Object.entries(rows).map(([name, row]) =>
    [name, { ...row, ...words }] as const
  );
  return Object.fromEntries(entries) as unknown as T;
}
