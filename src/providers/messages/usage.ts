/** Token usage in messages-style responses. @module */
import type { Usage, UsageTap } from "../../core/usage.ts";
import { makeUsageTap, member, tokens } from "../../sse/usage_tap.ts";

/**
 * Makes a tap for one response, JSON or an event stream.
 *
 * In a stream `message_start` reports the input side and `message_delta` the output,
 * each a running total; some servers correct the input side in `message_delta`.
 *
 * @param contentType Value of the response's `content-type`.
 */
export function messagesUsageTap(contentType: string): UsageTap {
  return makeUsageTap(contentType, {
    body: ["usage"],
    events: [["message", "usage"], ["usage"]],
    merge,
  });
}

function merge(known: Usage, reported: object): Usage {
  return {
    ...total("input", known.input, tokens(reported, "input_tokens")),
    ...total("output", known.output, tokens(reported, "output_tokens")),
    ...total(
      "cacheRead",
      known.cacheRead,
      tokens(reported, "cache_read_input_tokens"),
    ),
    ...total("cacheWrite", known.cacheWrite, written(reported)),
    ...total(
      "cacheWrite1h",
      known.cacheWrite1h,
      tokens(member(reported, "cache_creation"), LONG),
    ),
  };
}

/** Tokens written to the cache for an hour. */
const LONG = "ephemeral_1h_input_tokens";

/** Tokens written to the cache: their sum, or the two lifetimes where only those are given. */
function written(reported: object): number | undefined {
  const sum = tokens(reported, "cache_creation_input_tokens");
  if (sum !== undefined) return sum;
  const parts = member(reported, "cache_creation");
  const short = tokens(parts, "ephemeral_5m_input_tokens");
  const long = tokens(parts, LONG);
  return short === undefined && long === undefined
    ? undefined
    : (short ?? 0) + (long ?? 0);
}

/** The larger of two running totals: the later report may lack or zero what the earlier one had. */
function total(
  name: keyof Usage,
  known: number | undefined,
  reported: number | undefined,
): Usage {
  if (known === undefined && reported === undefined) return {};
  return { [name]: Math.max(known ?? 0, reported ?? 0) };
}
