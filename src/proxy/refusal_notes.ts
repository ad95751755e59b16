/** What is noted where a host refuses what the proxy adds to a request. @module */
import type { CompressParts } from "../pipeline/compress_parts.ts";
import { pinKey } from "../pipeline/conversation_keys.ts";
import { forgetRoute } from "../pipeline/routing.ts";
import type { ExchangeParts } from "./exchange_parts.ts";
import type { HostRefusals } from "./host_refusals.ts";

/** Notes refusals for later requests, and takes back what a conversation remembers of a refused addition. */
export function refusalNotes(
  refusals: HostRefusals,
  compressing: CompressParts,
): Pick<
  ExchangeParts,
  | "onBreakpointsRefused"
  | "onDeferralRefused"
  | "onRouteRefused"
  | "onToolRefused"
  | "onUsageRefused"
  | "usage"
> {
  return {
    onToolRefused: ({ conversation, scan, tools }, { base }) => {
      const what = tools.deferred.size > 0 ? "deferral" : "tool";
      refusals.add(base.host, { what, model: scan?.model ?? "" });
      if (conversation && scan) {
        compressing.conversations.undeclare(pinKey(conversation, scan));
      }
    },
    onDeferralRefused: ({ scan }, { base }) => {
      const model = scan?.model ?? "";
      refusals.add(base.host, { what: "deferral", model });
    },
    onRouteRefused: ({ conversation, routing, scan }, { base }) => {
      if (routing === undefined || !conversation || !scan) return;
      refusals.add(base.host, { what: "route", model: routing.route.to });
      forgetRoute(compressing, pinKey(conversation, scan));
    },
    onBreakpointsRefused: ({ scan }, { base }) => {
      const model = scan?.model ?? "";
      refusals.add(base.host, { what: "breakpoints", model });
    },
    onUsageRefused: ({ base }) => refusals.add(base.host, { what: "usage" }),
    usage: {
      of: ({ scan }, { base }) => refusals.usage(base.host, scan?.model ?? ""),
      note: ({ scan }, { base }, fact) =>
        refusals.noteUsage(base.host, scan?.model ?? "", fact),
    },
  };
}
