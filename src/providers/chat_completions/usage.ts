/** Token usage in chat-completions-style responses. @module */
import type { Usage, UsageTap } from "../../core/usage.ts";
import { makeUsageTap, member, tokens } from "../../sse/usage_tap.ts";

/**
 * Makes a tap for one response, JSON or an event stream.
 *
 * A stream reports usage only if the client asked for it; where several chunks carry
 * one, each is a running total and the last counts.
 *
 * @param contentType Value of the response's `content-type`.
 */
export function chatUsageTap(contentType: string): UsageTap {
  return makeUsageTap(contentType, {
    body: ["usage"],
    events: [["usage"]],
    merge: (_known, reported) => usageOf(reported),
  });
}

function usageOf(reported: object): Usage {
  const prompt = tokens(reported, "prompt_tokens");
  const output = tokens(reported, "completion_tokens");
  const details = member(reported, "prompt_tokens_details");
  const cached = tokens(details, "cached_tokens");
  return {
    ...(prompt === undefined
      ? {}
      : { input: Math.max(0, prompt - (cached ?? 0)) }),
    ...(output === undefined ? {} : { output }),
    ...(cached === undefined ? {} : { cacheRead: cached }),
  };
}
