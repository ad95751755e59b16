/** Which model a request is sent to, and a record of each decision. @module */
import type { Log } from "../core/log.ts";
import {
  type ModelRoute,
  type ModelRule,
  routeBy,
  type RouteFacts,
} from "../core/model_route.ts";
import type { HostRefusals } from "./host_refusals.ts";

/** What the user wants. */
export interface ModelRouteSettings {
  /** Rules, in their order. */
  readonly rules: readonly ModelRule[];
  /** Whether decisions are only logged. */
  readonly isLogOnly: boolean;
}

/** Looks for a model to ask instead, and notes what it finds; `undefined` where there are no rules. */
export function modelRoutes(
  { rules, isLogOnly }: ModelRouteSettings,
  log: Log,
  refusals: HostRefusals,
): ((facts: RouteFacts, host: string) => ModelRoute | undefined) | undefined {
  if (rules.length === 0) return undefined;
  return (facts, host) => {
    const { route, reason } = routeBy(rules, facts);
    const isRefused = route !== undefined &&
      refusals.has(host, "route", route.to);
    // In a conversation that has begun only a change is worth a line.
    if (route !== undefined || !facts.begun) {
      log("info", "model_route", {
        model: facts.model,
        routed_model: route?.to ?? facts.model,
        rule: route?.rule ?? "",
        reason: isRefused ? "host_refused_model" : reason,
        tokens: facts.tokens,
        log_only: isLogOnly,
      });
    }
    return isRefused || isLogOnly ? undefined : route;
  };
}
