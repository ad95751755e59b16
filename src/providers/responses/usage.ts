/** Token usage in responses-style responses. @module */
import type { Usage, UsageTap } from "../../core/usage.ts";
import { makeUsageTap, member, tokens } from "../../sse/usage_tap.ts";

/**
 * Makes a tap for one response, JSON or an event stream.
 *
 * A stream reports usage in the response object of its closing event (completed,
 * incomplete or failed), the only one where it is not null.
 *
 * @param contentType Value of the response's `content-type`.
 */
export function responsesUsageTap(contentType: string): UsageTap {
  return makeUsageTap(contentType, {
    body: ["usage"],
    events: [["response", "usage"]],
    merge: (_known, reported) => usageOf(reported),
  });
}

function usageOf(reported: object): Usage {
  const prompt = tokens(reported, "input_tokens");
  const output = tokens(reported, "output_tokens");
  const details = member(reported, "input_tokens_details");
  const cached = tokens(details, "cached_tokens");
  return {
    ...(prompt === undefined
      ? {}
      : { input: Math.max(0, prompt - (cached ?? 0)) }),
    ...(output === undefined ? {} : { output }),
    ...(cached === undefined ? {} : { cacheRead: cached }),
  };
}
