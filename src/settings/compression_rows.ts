/** Settings of what is compressed, and what is kept of it. @module */
import type { NamedToolRule } from "../core/decision.ts";
import { parseChoice, refusal } from "./row.ts";
import { choiceRow, integerRow, listRow, switchRow } from "./row_kinds.ts";

/** Default lifetime of a stored original, in seconds. */
const CCR_TTL_SECONDS = 1800;

/** Rows of the registry. */
export const COMPRESSION_ROWS = {
  mode: choiceRow("Compression", {
    name: "SVC_MODE, --mode <cache|token>",
    tier: "basic",
    choices: ["cache", "token"],
    parse: parseMode,
    fallback: "cache",
    doc:
      "cache compresses only new results, so the provider's cache stays valid; token also older ones when the cache is cold or the gain pays for it.",
  }),
  lossless: switchRow("Compression", {
    name: "SVC_LOSSLESS, --lossless",
    tier: "basic",
    fallback: false,
    doc:
      "Use only rewrites that can be reversed exactly; no markers, no retrieval tool.",
  }),
  codeAware: switchRow("Compression", {
    name: "SVC_CODE_AWARE_ENABLED, --no-code-aware, --code-aware",
    label: "Outlines of source code",
    tier: "basic",
    fallback: true,
    doc: "Outline source code that a tool prints; file reads stay exact.",
    flagDoc: "Leave source code alone.",
  }),
  compressUserMessages: switchRow("Compression", {
    name: "SVC_COMPRESS_USER_MESSAGES",
    label: "Pasted logs and data",
    tier: "basic",
    fallback: true,
    doc:
      "Shorten logs, JSON, tables, diffs, search results and web pages above 500 tokens that a user pastes; words and code stay.",
  }),
  interceptToolResults: switchRow("Compression", {
    name: "SVC_INTERCEPT_TOOL_RESULTS, --intercept-tool-results",
    label: "Outlines of files read",
    fallback: false,
    doc:
      "Show a source file that is read whole as an outline, once; a second read or a read of a range gets the file. Needs SVC_ROLLOUT_CHANNEL=canary.",
  }),
  interceptReadMinChars: integerRow("Compression", {
    name: "SVC_INTERCEPT_READ_MIN_CHARS",
    label: "Shortest file to outline",
    min: 0,
    fallback: 500,
    doc: "Least length of a file that is shown as an outline, in characters.",
  }),
  protectToolResults: listRow("Compression", {
    name: "SVC_PROTECT_TOOL_RESULTS, --protect-tool-results <names>",
    parse: parseProtectedTools,
    doc:
      "Tools whose results are never shortened, e.g. Bash,WebFetch; SVC_TOOL_POLICY has priority.",
  }),
  noCcr: switchRow("Compression", {
    name: "SVC_NO_CCR, --no-ccr",
    label: "Leave nothing out",
    tier: "basic",
    fallback: false,
    doc:
      "Leave nothing out: lossless rewrites only, no markers, no retrieval tool.",
  }),
  optimize: switchRow("Compression", {
    name: "SVC_OPTIMIZE, --no-optimize",
    label: "Compression",
    tier: "basic",
    fallback: true,
    doc: "Compress requests; off forwards them unchanged.",
    flagDoc: "Forward every request unchanged, without compression.",
  }),
  losslessCompaction: switchRow("Compression", {
    name: "SVC_LOSSLESS_COMPACTION",
    fallback: true,
    doc:
      "Use lossless rewrites: tables, merged repetitions, line numbers on every tenth line.",
  }),
  toolPolicy: listRow("Compression", {
    name: "SVC_TOOL_POLICY, --tool-policy <rules>",
    parse: parseToolRules,
    doc:
      "Rules for tool results by tool name, e.g. mcp__db__*=lossless,Fetch=never,Read=normal; the first match wins; * and ? are wildcards.",
  }),
  toolDeferral: choiceRow("Compression", {
    name: "SVC_TOOL_DEFERRAL, --tool-deferral <auto|on|off>",
    label: "Tool definitions on demand",
    tier: "basic",
    choices: ["auto", "on", "off"],
    fallback: "auto",
    doc:
      "Load definitions of tools that a conversation will hardly use on demand: auto where the provider is known to support it, on everywhere on the messages and responses APIs.",
  }),
  autoCache: switchRow("Compression", {
    name: "SVC_AUTO_CACHE",
    label: "Cache breakpoints",
    tier: "basic",
    fallback: true,
    doc:
      "Set the breakpoints of the prompt cache for clients that set none, from the second request of a conversation on; messages traffic only.",
  }),
  cacheTtlLearn: switchRow("Compression", {
    name: "SVC_CACHE_TTL_LEARN",
    label: "Learn cache lifetimes",
    fallback: false,
    doc:
      "Record what requests find in the provider's prompt cache after a pause, and assume no shorter lifetime than was seen.",
  }),
  coldRecompact: switchRow("Compression", {
    name: "SVC_COLD_RECOMPACT",
    label: "Decide anew after a long pause",
    fallback: false,
    doc:
      "Compress all results of a conversation again after a pause in which the provider's prompt cache has expired.",
  }),
  thinkingCompact: switchRow("Compression", {
    name: "SVC_THINKING_COMPACT",
    label: "Leave out old reasoning",
    fallback: false,
    doc:
      "Leave out plain reasoning that clients send back, once it is no longer in the provider's prompt cache; signed or encrypted reasoning stays.",
  }),
  thinkingCompactKeepLast: integerRow("Compression", {
    name: "SVC_THINKING_COMPACT_KEEP_LAST",
    min: 0,
    fallback: 1,
    doc:
      "Newest answers that keep their reasoning; with 0, new reasoning is shortened at once.",
  }),
  dedupe: switchRow("Compression", {
    name: "SVC_DEDUPE",
    label: "References to repeated text",
    tier: "basic",
    fallback: false,
    doc:
      "Leave lines out of new results that are in the conversation already, and say where; on in the profiles balanced and max.",
  }),
  ccrBackend: choiceRow("CCR", {
    name: "SVC_CCR_BACKEND",
    label: "Place of originals",
    persisted: false,
    choices: ["sqlite", "memory"],
    fallback: "sqlite",
    doc: "Where originals are stored: sqlite or memory.",
  }),
  ccrTtlSeconds: integerRow("CCR", {
    name: "SVC_CCR_TTL_SECONDS",
    label: "Lifetime of originals",
    lenient: true,
    min: 1,
    fallback: CCR_TTL_SECONDS,
    doc: "Seconds an original is kept after its last use.",
  }),
  stateless: switchRow("CCR", {
    name: "SVC_STATELESS, --stateless",
    fallback: false,
    doc: "Write no files except the log; keep originals in memory.",
  }),
} as const;

/** Modes that name ways to use the library; the proxy has no such mode. */
const LIBRARY_MODES = new Set(["audit", "optimize", "simulate"]);

function parseMode(env: string, raw: string): "cache" | "token" {
  if (!LIBRARY_MODES.has(raw.trim())) {
    return parseChoice(env, raw, ["cache", "token"]);
  }
  const allowed = `cache or token; ${raw.trim()} is a mode of the library, ` +
    `not of the proxy`;
  throw refusal(env, raw, allowed);
}

const RULES: readonly NamedToolRule["rule"][] = ["never", "lossless", "normal"];

/** A tool's name as clients send it, with wildcards. */
const PATTERN = /^(?=.*[\w*])[\w.:/*?-]+$/;

/**
 * Reads `name=rule` pairs, separated by commas or white space; names lose their capitals.
 *
 * @throws {RangeError} If a pair has no known rule or a name that no tool can have.
 */
function parseToolRules(
  env: string,
  raw: string,
): readonly NamedToolRule[] {
  return itemsOf(raw.replace(/\s*=\s*/g, "=")).map((item) => {
    const [pattern = "", word, ...rest] = item.split("=");
    const rule = RULES.find((known) => known === word?.toLowerCase());
    if (rule === undefined || rest.length > 0 || !PATTERN.test(pattern)) {
      throw refusal(
        env,
        raw,
        "name=never, name=lossless or name=normal, separated by commas",
      );
    }
    return { pattern: pattern.toLowerCase(), rule };
  });
}

/**
 * Reads names of tools, separated by commas or white space, as `lossless` rules.
 *
 * @throws {RangeError} If a name is none that a tool can have.
 */
function parseProtectedTools(
  env: string,
  raw: string,
): readonly NamedToolRule[] {
  return itemsOf(raw).map((pattern) => {
    if (!PATTERN.test(pattern)) {
      throw refusal(
        env,
        raw,
        "names of tools, separated by commas",
      );
    }
    return { pattern: pattern.toLowerCase(), rule: "lossless" };
  });
}

function itemsOf(raw: string): readonly string[] {
  return raw.split(/[\s,]+/).filter((item) => item !== "");
}
