/** Hosts of well-known providers: the default ones, and names for reports. @module */
import ipaddr from "ipaddr.js";
import type { GenAiCall } from "../core/gen_ai.ts";

/** Origins of the providers that are used when nothing is configured. */
export const DEFAULT_ORIGINS: readonly string[] = [
  "https://api.anthropic.com",
  "https://api.openai.com",
];

/** Where requests go that name Google's own API. */
export const GOOGLE_ORIGIN = "https://generativelanguage.googleapis.com";

/** Names by domain; a row stands for the domain and everything below it. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["anthropic.com", "Anthropic"],
  ["claude.com", "Anthropic"],
  ["openai.com", "OpenAI"],
  ["chatgpt.com", "ChatGPT"],
  ["openai.azure.com", "Azure OpenAI"],
  ["cognitiveservices.azure.com", "Azure OpenAI"],
  ["services.ai.azure.com", "Azure Foundry"],
  ["models.ai.azure.com", "Azure Foundry"],
  ["inference.ai.azure.com", "Azure Foundry"],
  ["aiplatform.googleapis.com", "Google Vertex"],
  ["aiplatform.us.rep.googleapis.com", "Google Vertex"],
  ["aiplatform.eu.rep.googleapis.com", "Google Vertex"],
  ["generativelanguage.googleapis.com", "Google Gemini"],
  ["openrouter.ai", "OpenRouter"],
  ["groq.com", "Groq"],
  ["deepseek.com", "DeepSeek"],
  ["mistral.ai", "Mistral"],
  ["together.ai", "Together"],
  ["together.xyz", "Together"],
  ["fireworks.ai", "Fireworks"],
  ["x.ai", "xAI"],
  ["cohere.com", "Cohere"],
  ["cohere.ai", "Cohere"],
  ["perplexity.ai", "Perplexity"],
  ["cerebras.ai", "Cerebras"],
  ["deepinfra.com", "DeepInfra"],
  ["sambanova.ai", "SambaNova"],
  ["moonshot.ai", "Moonshot"],
  ["moonshot.cn", "Moonshot"],
  ["z.ai", "Z.ai"],
  ["bigmodel.cn", "Z.ai"],
  ["minimax.io", "MiniMax"],
  ["dashscope.aliyuncs.com", "Alibaba"],
  ["dashscope-intl.aliyuncs.com", "Alibaba"],
  ["api.nvidia.com", "NVIDIA"],
  ["huggingface.co", "Hugging Face"],
  ["models.github.ai", "GitHub Models"],
  ["githubcopilot.com", "GitHub Copilot"],
  ["ai-gateway.vercel.sh", "Vercel"],
  ["gateway.ai.cloudflare.com", "Cloudflare"],
  ["ollama.com", "Ollama"],
]);

/** A region stands in front of the name without a dot. */
const REGIONAL = /^[a-z\d-]+-(aiplatform\.googleapis\.com)$/;
/** Port at which Ollama listens. */
const OLLAMA_PORT = "11434";
/** Longest label in characters. */
const MAX_LABEL = 100;

/**
 * Names an upstream for reports: the provider where its domain is known, `Ollama` or `local` on loopback, else the
 * host name in lower case without a dot at its end, cut to 100 characters, anything unusual in it shown as `?`.
 *
 * @param base Parsed, so a user name or a path that looks like a host plays no part.
 */
export function labelOf(base: URL): string {
  const host = base.hostname.toLowerCase().replace(/\.$/, "");
  if (isLoopback(host)) return base.port === OLLAMA_PORT ? "Ollama" : "local";
  return knownLabel(host.replace(REGIONAL, "$1")) ??
    host.replace(/[^a-z\d.:_[\]-]/g, "?").slice(0, MAX_LABEL);
}

/**
 * Whether an upstream may serve its API without `/v1` in front: behind a path of its own, or as some known providers
 * do. The default ones do not, and other servers that do serve it below `/v1` as well.
 */
export function mayOmitVersion(base: URL): boolean {
  if (base.pathname.replace(/\/+$/, "") !== "") return true;
  const host = base.hostname.toLowerCase().replace(/\.$/, "");
  return knownLabel(host) !== undefined &&
    !DEFAULT_ORIGINS.includes(base.origin);
}

/** Labels of providers whose domain is known. */
const KNOWN_LABELS = new Set(LABELS.values());

/** Asks for the host, then for each domain above it: the nearest one wins. */
function knownLabel(host: string): string | undefined {
  const labels = host.split(".");
  // No row has more parts than this, so a long name costs no more than a short one.
  const start = Math.max(0, labels.length - MOST_PARTS);
  for (let i = start; i < labels.length; i++) {
    const found = LABELS.get(labels.slice(i).join("."));
    if (found !== undefined) return found;
  }
  return undefined;
}
/** Parts of the longest name in the table. */
const MOST_PARTS = Math.max(
  ...Array.from(LABELS.keys(), (name) => name.split(".").length),
);

function isLoopback(host: string): boolean {
  if (/(^|\.)localhost$/.test(host)) return true;
  const bare = host.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === "loopback";
}

/** The conventions' own names (OpenTelemetry, `gen_ai.provider.name`), by label. */
const GEN_AI: Readonly<Record<string, string>> = {
  "Anthropic": "anthropic",
  "OpenAI": "openai",
  "ChatGPT": "openai",
  "Azure OpenAI": "azure.ai.openai",
  "Azure Foundry": "azure.ai.inference",
  "Google Vertex": "gcp.vertex_ai",
  "Google Gemini": "gcp.gemini",
  "Groq": "groq",
  "DeepSeek": "deepseek",
  "Mistral": "mistral_ai",
  "Cohere": "cohere",
  "Perplexity": "perplexity",
  "xAI": "x_ai",
};

/** Whose format it is, where the host says nothing. */
const BY_FORMAT: Readonly<Record<string, string>> = {
  messages: "anthropic",
  vertex: "gcp.vertex_ai",
  foundry: "azure.ai.inference",
};

/** What a request asks for, by the id of its format; all others ask to go on with a conversation. */
const OPERATIONS: Readonly<Record<string, string>> = {
  completions: "text_completion",
};

/**
 * Names what a request asked for.
 *
 * @param facts Id of the provider format, and label of the upstream.
 * @returns `undefined` for a request that asked no model.
 */
export function genAiName(
  { provider, upstream }: {
    readonly provider: string;
    readonly upstream: string;
  },
): GenAiCall | undefined {
  if (provider === "passthrough") return undefined;
  return {
    operation: OPERATIONS[provider] ?? "chat",
    provider: GEN_AI[upstream] ?? BY_FORMAT[provider] ?? "openai",
  };
}

/** A well-known provider as a slug, e.g. `azure_openai`; `undefined` for any other label, such as a host of one's own. */
export function providerSlug(label: string): string | undefined {
  return KNOWN_LABELS.has(label)
    ? label.toLowerCase().replace(/[^a-z\d]+/g, "_")
    : undefined;
}

/** Clients by the start of their product name, in lower case. */
const CLIENTS: readonly (readonly [start: string, slug: string])[] = [
  ["claude-cli", "claude_code"],
  ["claude-code", "claude_code"],
  ["codex", "codex"],
  ["opencode", "opencode"],
  ["aider", "aider"],
  ["cline", "cline"],
  ["cursor", "cursor"],
  ["goose", "goose"],
  ["gemini-cli", "gemini_cli"],
  ["anthropic", "anthropic_sdk"],
  ["openai", "openai_sdk"],
  ["asyncopenai", "openai_sdk"],
  ["asyncanthropic", "anthropic_sdk"],
  ["ai-sdk", "ai_sdk"],
  ["langchain", "langchain"],
  ["litellm", "litellm"],
  ["curl", "curl"],
];

/** A well-known client as a slug; `undefined` for any other product name. */
export function clientSlug(agent: string): string | undefined {
  const name = agent.toLowerCase();
  return CLIENTS.find(([start]) => name.startsWith(start))?.[1];
}
