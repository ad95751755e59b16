/** Every setting, one row each. @module */
import { COMPRESSION_ROWS } from "./compression_rows.ts";
import { LIMIT_ROWS } from "./limit_rows.ts";
import { OUTPUT_ROWS } from "./output_rows.ts";
import { PLANNED_ROWS } from "./planned.ts";
import { PROFILE_ROWS } from "./profiles.ts";
import { ROLLOUT_ROWS } from "./rollout.ts";
import {
  parseBaseUrl,
  parseChoice,
  parseHost,
  refusal,
  type SettingRow,
} from "./row.ts";
import { integerRow, listRow, settingRow, textRow } from "./row_kinds.ts";
import { TELEMETRY_ROWS } from "./telemetry_rows.ts";
import { UPSTREAM_ROWS } from "./upstream_rows.ts";

const SWITCHED = ["enabled", "disabled"] as const;

/** Every setting that has a value of its own, by its name in the program. Paths are in `paths.ts`. */
export const SETTINGS = {
  host: textRow("Networking", {
    name: "SVC_HOST, --host <address>",
    fallback: "127.0.0.1",
    parse: parseHost,
    doc: "Address to listen on.",
  }),
  port: integerRow("Networking", {
    name: "SVC_PORT, --port <number>",
    min: 0,
    max: 65535,
    fallback: 8787,
    doc: "Port to listen on; 0 selects a free one.",
  }),
  ...PROFILE_ROWS,
  ...COMPRESSION_ROWS,
  ...OUTPUT_ROWS,
  ...LIMIT_ROWS,
  ...UPSTREAM_ROWS,
  stripInternalHeaders: settingRow("Endpoints", {
    name: "SVC_STRIP_INTERNAL_HEADERS",
    type: "enum",
    choices: SWITCHED,
    fallback: true,
    fallbackText: "enabled",
    parse: (env, raw) => parseChoice(env, raw, SWITCHED) === "enabled",
    doc: "enabled removes x-svc-* request headers; disabled forwards them.",
  }),
  proxyExtensions: listRow("Extensions", {
    name: "SVC_PROXY_EXTENSIONS, --proxy-extension <names>",
    parse: (_, raw) => raw.split(",").map((one) => one.trim()).filter(Boolean),
    doc:
      "Extensions that may edit requests: names of plugins, files (./a.ts) or packages (npm: or jsr:).",
  }),
  proxyUrl: textRow("Endpoints", {
    name: "SVC_PROXY_URL",
    label: "Proxy of the MCP server",
    persisted: false,
    fallback: "http://127.0.0.1:8787",
    parse: parseBaseUrl,
    doc: "Proxy that `svc mcp serve` contacts for originals.",
  }),
  largeModel: textRow("Endpoints", {
    name: "SVC_1M_MODEL",
    label: "Model of svc wrap --1m",
    persisted: false,
    fallback: "sonnet",
    parse(env, raw) {
      if (/^[^\s/]+(\/[^\s/]+)*$/.test(raw)) return raw;
      throw refusal(env, raw, "the name of a model");
    },
    doc:
      "Model that `svc wrap claude --1m` sets where neither `--model` nor `ANTHROPIC_MODEL` does; `[1m]` is added.",
  }),
  ...TELEMETRY_ROWS,
  ...ROLLOUT_ROWS,
} as const;

/** All of them, and those of features that this version does not have. */
export const ROWS: readonly SettingRow<unknown>[] = [
  ...Object.values(SETTINGS),
  ...PLANNED_ROWS,
];
