/** Settings of what is compressed, and what is kept of it. @module */
import { parseChoice, refusal, type SettingRow } from "./row.ts";
import { choiceRow, integerRow, listRow, switchRow } from "./row_kinds.ts";
import { parseProtectedTools, parseToolRules } from "./tool_rules.ts";

/** Modes that name ways to use the library; the proxy has no such mode. */
const LIBRARY_MODES = new Set(["audit", "optimize", "simulate"]);

/** Default lifetime of a stored original, in seconds. */
const CCR_TTL_SECONDS = 1800;

const mode: SettingRow<"cache" | "token"> = {
  env: "SVC_MODE",
  group: "Compression",
  tier: "basic",
  type: "enum",
  choices: ["cache", "token"],
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
  doc:
    "cache compresses only new results and keeps the provider's prefix cache valid; token also compresses older results when the cache is cold or the gain pays for it.",
};

const lossless = switchRow({
  env: "SVC_LOSSLESS",
  group: "Compression",
  tier: "basic",
  flag: "lossless",
  fallback: false,
  doc:
    "Use only rewrites that can be reversed exactly; no markers, no retrieval tool.",
});

const codeAware = switchRow({
  env: "SVC_CODE_AWARE_ENABLED",
  label: "Outlines of source code",
  group: "Compression",
  tier: "basic",
  flag: "no-code-aware",
  flagAliases: ["code-aware"],
  flagDoc: "Leave source code alone.",
  fallback: true,
  doc: "Outline source code that a tool prints; file reads stay exact.",
});

const protectToolResults = listRow({
  env: "SVC_PROTECT_TOOL_RESULTS",
  group: "Compression",
  flag: "protect-tool-results",
  placeholder: "<names>",
  parse: (raw) => parseProtectedTools(raw),
  doc:
    "Tools whose results are never shortened, e.g. Bash,WebFetch; SVC_TOOL_POLICY has priority.",
});

const noCcr = switchRow({
  env: "SVC_NO_CCR",
  label: "Leave nothing out",
  group: "Compression",
  tier: "basic",
  flag: "no-ccr",
  fallback: false,
  doc:
    "Leave nothing out: lossless rewrites only, no markers, no retrieval tool.",
});

const optimize = switchRow({
  env: "SVC_OPTIMIZE",
  label: "Compression",
  group: "Compression",
  tier: "basic",
  flag: "no-optimize",
  flagDoc: "Forward every request as it came, without compression.",
  fallback: true,
  doc: "Compress requests; off forwards them unchanged.",
});

const losslessCompaction = switchRow({
  env: "SVC_LOSSLESS_COMPACTION",
  group: "Compression",
  fallback: true,
  doc:
    "Use lossless rewrites: tables, merged repetitions, line numbers on every tenth line.",
});

const toolPolicy = listRow({
  env: "SVC_TOOL_POLICY",
  group: "Compression",
  flag: "tool-policy",
  placeholder: "<rules>",
  parse: (raw) => parseToolRules("SVC_TOOL_POLICY", raw),
  doc:
    "Rules for tool results by tool name, e.g. mcp__db__*=lossless,Fetch=never,Read=normal; the first match wins; * and ? are wildcards.",
});

const ccrBackend = choiceRow({
  env: "SVC_CCR_BACKEND",
  label: "Place of originals",
  group: "CCR",
  persisted: false,
  fallback: "sqlite",
  choices: ["sqlite", "memory"],
  doc: "Where originals are stored: sqlite or memory.",
});

const ccrTtlSeconds = integerRow({
  env: "SVC_CCR_TTL_SECONDS",
  label: "Lifetime of originals",
  group: "CCR",
  fallback: CCR_TTL_SECONDS,
  lenient: true,
  min: 1,
  doc: "Seconds an original is kept after its last use.",
});

const stateless = switchRow({
  env: "SVC_STATELESS",
  group: "CCR",
  flag: "stateless",
  fallback: false,
  doc: "Write no files except the log; keep originals in memory.",
});

/** Rows of the registry. */
export const COMPRESSION_ROWS = {
  mode,
  lossless,
  codeAware,
  protectToolResults,
  noCcr,
  optimize,
  losslessCompaction,
  toolPolicy,
  ccrBackend,
  ccrTtlSeconds,
  stateless,
} as const;
