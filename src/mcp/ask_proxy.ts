/** Asks a running proxy for an original that the local store does not have. @module */
import type { RetrievalArguments } from "../core/retrieval.ts";
import type { McpParts, ProxyOriginal } from "./parts.ts";

/** Longest time for question and answer together, in milliseconds. */
const TIMEOUT_MS = 3000;

/** What asking needs. */
export interface AskProxyParts {
  /** Where the proxy is, e.g. `http://127.0.0.1:8787`. */
  readonly proxy: URL;
  /** Posts JSON; follows no redirect, goes through no other proxy. */
  readonly post: (
    url: URL,
    json: string,
    signal: AbortSignal,
  ) => Promise<Response>;
  /** Told why there is no answer. */
  readonly onFailure: (reason: string) => void;
}

/** Makes the function that asks. No proxy, a slow one and a strange answer are all "nothing". */
export function proxyAsker(
  { proxy, post, onFailure }: AskProxyParts,
): NonNullable<McpParts["askProxy"]> {
  const url = new URL(proxy);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/retrieve`;
  return async (wanted) => {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await post(url, JSON.stringify(wanted), signal);
      const body: unknown = await response.json();
      if (response.status === 400 && isPart(wanted)) return detailOf(body);
      if (response.status === 200) return originalOf(body);
      onFailure(`status ${response.status}`);
    } catch (error) {
      onFailure(error instanceof Error ? error.name : "no answer");
    }
    return undefined;
  };
}

function isPart({ lines, query, path }: RetrievalArguments): boolean {
  return lines !== undefined || query !== undefined || path !== undefined;
}

/** What the proxy says about lines or a path that the original does not have. */
function detailOf(body: unknown): string | undefined {
  const { detail } = { ...body as { detail?: unknown } | null };
  return typeof detail === "string" ? detail : undefined;
}

function originalOf(body: unknown): ProxyOriginal | undefined {
  const given: Readonly<Record<string, unknown>> = { ...body as object };
  const { hash, original_content, part } = given;
  if (typeof hash !== "string" || typeof original_content !== "string") {
    return undefined;
  }
  const number = (name: string) => {
    const value = given[name];
    return typeof value === "number" && Number.isFinite(value) ? value : 0;
  };
  return {
    hash,
    original_content,
    original_item_count: number("original_item_count"),
    compressed_item_count: number("compressed_item_count"),
    retrieval_count: number("retrieval_count"),
    ...typeof part === "string" && { part },
    tokens: number(
      typeof part === "string" ? "part_tokens" : "original_tokens",
    ),
  };
}
