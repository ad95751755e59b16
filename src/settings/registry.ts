/** Every setting, one row each. @module */
import type { NamedToolRule } from "../core/decision.ts";
import {
  parseBaseUrl,
  parseChoice,
  parseHost,
  parseInteger,
  parseSwitch,
  refusal,
  type SettingRow,
} from "./row.ts";
import { LIMIT_ROWS } from "./limit_rows.ts";
import { parseProtectedTools, parseToolRules } from "./tool_rules.ts";
import { UPSTREAM_ROWS } from "./upstream_rows.ts";

/** Modes that name ways to use the library; the proxy has no such mode. */
const LIBRARY_MODES = new Set(["audit", "optimize", "simulate"]);

/** Default lifetime of a stored original, in seconds. */
const CCR_TTL_SECONDS = 1800;

/** Default bound of a request body, decoded, in bytes. */
const REQUEST_BODY_MAX_BYTES = 100 * 1024 * 1024;

const host: SettingRow<string> = {
  env: "SVC_HOST",
  flag: "host",
  placeholder: "<address>",
  fallback: "127.0.0.1",
  parse: (raw) => parseHost("SVC_HOST", raw),
  doc: "Address to listen on.",
};

const port: SettingRow<number> = {
  env: "SVC_PORT",
  flag: "port",
  placeholder: "<number>",
  fallback: 8787,
  parse: (raw) => parseInteger("SVC_PORT", raw, { min: 0, max: 65535 }),
  doc: "Port to listen on, 0 to 65535; 0 takes any free port.",
};

const mode: SettingRow<"cache" | "token"> = {
  env: "SVC_MODE",
  flag: "mode",
  placeholder: "<cache|token>",
  fallback: "cache",
  parse(raw) {
    if (!LIBRARY_MODES.has(raw.trim())) {
      return parseChoice("SVC_MODE", raw, ["cache", "token"]);
    }
    const allowed = `cache or token; ${raw.trim()} is a mode of the library, ` +
      `not of the proxy`;
    throw refusal("SVC_MODE", raw, allowed);
  },
  doc: "cache compresses only what is new, so that the provider's prefix " +
    "cache stays valid; token also compresses older results, once the cache " +
    "is cold or the gain pays for it.",
};

const ccrBackend: SettingRow<"sqlite" | "memory"> = {
  env: "SVC_CCR_BACKEND",
  fallback: "sqlite",
  parse: (raw) => parseChoice("SVC_CCR_BACKEND", raw, ["sqlite", "memory"]),
  doc: "Where originals are kept: a local file, or memory only.",
};

const ccrTtlSeconds: SettingRow<number> = {
  env: "SVC_CCR_TTL_SECONDS",
  fallback: CCR_TTL_SECONDS,
  lenient: true,
  parse: (raw) => parseInteger("SVC_CCR_TTL_SECONDS", raw, { min: 1 }),
  doc: "Seconds an original is kept after a conversation last sent it.",
};

const stripInternalHeaders: SettingRow<boolean> = {
  env: "SVC_STRIP_INTERNAL_HEADERS",
  fallback: true,
  parse: (raw) =>
    parseChoice("SVC_STRIP_INTERNAL_HEADERS", raw, ["enabled", "disabled"]) ===
      "enabled",
  doc: "enabled removes x-svc-* request headers before a request leaves; " +
    "disabled forwards them.",
};

const requestBodyMaxBytes: SettingRow<number> = {
  env: "SVC_REQUEST_BODY_MAX_BYTES",
  fallback: REQUEST_BODY_MAX_BYTES,
  parse: (raw) => parseInteger("SVC_REQUEST_BODY_MAX_BYTES", raw, { min: 1 }),
  doc: "Largest request body in bytes, decoded; a larger one is answered " +
    "with 413.",
};

const compressionTimeoutSeconds: SettingRow<number> = {
  env: "SVC_COMPRESSION_TIMEOUT_SECONDS",
  fallback: 30,
  parse: (raw) =>
    parseInteger("SVC_COMPRESSION_TIMEOUT_SECONDS", raw, {
      min: 1,
      max: 3600,
    }),
  doc: "Seconds after which POST /v1/compress gives up with 503. Requests to " +
    "a provider have no such limit: their forms never depend on time.",
};

const proxyUrl: SettingRow<string> = {
  env: "SVC_PROXY_URL",
  fallback: "http://127.0.0.1:8787",
  parse: (raw) => parseBaseUrl("SVC_PROXY_URL", raw),
  doc: "Proxy that `svc mcp serve` asks for originals that the local store " +
    "does not have. The proxy itself does not read it.",
};

const lossless: SettingRow<boolean> = {
  env: "SVC_LOSSLESS",
  flag: "lossless",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_LOSSLESS", raw),
  doc: "Only use forms that can be turned back into the exact original; " +
    "no markers, no retrieval tool.",
};

const noCcr: SettingRow<boolean> = {
  env: "SVC_NO_CCR",
  flag: "no-ccr",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_NO_CCR", raw),
  doc: "Leave nothing out: no markers, no retrieval tool, reformatting only.",
};

const optimize: SettingRow<boolean> = {
  env: "SVC_OPTIMIZE",
  flag: "no-optimize",
  flagDoc: "Forward every request as it came, without compression.",
  fallback: true,
  parse: (raw) => parseSwitch("SVC_OPTIMIZE", raw),
  doc: "Whether requests are compressed; off forwards each one as it came.",
};

const codeAware: SettingRow<boolean> = {
  env: "SVC_CODE_AWARE_ENABLED",
  flag: "no-code-aware",
  flagDoc: "Leave source code alone.",
  fallback: true,
  parse: (raw) => parseSwitch("SVC_CODE_AWARE_ENABLED", raw),
  doc: "Whether source code that tools print is shown as an outline; file " +
    "reads stay exact either way.",
};

const losslessCompaction: SettingRow<boolean> = {
  env: "SVC_LOSSLESS_COMPACTION",
  fallback: true,
  parse: (raw) => parseSwitch("SVC_LOSSLESS_COMPACTION", raw),
  doc: "Whether forms that lose nothing may be used: tables, factored " +
    "repetitions, line numbers on every tenth line.",
};

const toolPolicy: SettingRow<readonly NamedToolRule[]> = {
  env: "SVC_TOOL_POLICY",
  flag: "tool-policy",
  placeholder: "<rules>",
  fallback: [],
  parse: (raw) => parseToolRules("SVC_TOOL_POLICY", raw),
  doc: "What happens to results of tools by name, e.g. " +
    "mcp__db__*=lossless,Fetch=never,Read=normal; the first rule that fits " +
    "wins; * and ? are wildcards.",
};

const protectToolResults: SettingRow<readonly NamedToolRule[]> = {
  env: "SVC_PROTECT_TOOL_RESULTS",
  flag: "protect-tool-results",
  placeholder: "<names>",
  fallback: [],
  parse: (raw) => parseProtectedTools(raw),
  doc: "Tools whose results never lose a part, by name, e.g. Bash,WebFetch; " +
    "asked after SVC_TOOL_POLICY.",
};

const stateless: SettingRow<boolean> = {
  env: "SVC_STATELESS",
  flag: "stateless",
  fallback: false,
  parse: (raw) => parseSwitch("SVC_STATELESS", raw),
  doc: "Write no files; keep originals in memory only, until the proxy stops.",
};

/** Every setting that has a value of its own, by its name in the program. Paths are in `paths.ts`. */
export const SETTINGS = {
  host,
  port,
  mode,
  ...UPSTREAM_ROWS,
  ccrBackend,
  ccrTtlSeconds,
  stripInternalHeaders,
  requestBodyMaxBytes,
  compressionTimeoutSeconds,
  proxyUrl,
  lossless,
  noCcr,
  optimize,
  codeAware,
  losslessCompaction,
  toolPolicy,
  protectToolResults,
  stateless,
  ...LIMIT_ROWS,
} as const;
