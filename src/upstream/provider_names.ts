/** Public names of well-known providers and clients, for reports that leave the machine. @module */
import type { GenAiCall } from "../core/gen_ai.ts";
import { knownLabels } from "./known_hosts.ts";

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
  return knownLabels().has(label)
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
