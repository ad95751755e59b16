/** Where programs go that are started from this shell. @module */
import { targetOf } from "./base_url.ts";
import type { Found } from "./found.ts";
import { ownPlace, routeFacts, routeVerdict } from "./routing.ts";
import { passed, skipped, type Verdict } from "./verdict.ts";

/** Variables that the SDKs read, and what the proxy's URL ends in there. */
const VARIABLES: readonly (readonly [name: string, ending: string])[] = [
  ["ANTHROPIC_BASE_URL", ""],
  ["OPENAI_BASE_URL", "/v1"],
  ["OPENAI_API_BASE", "/v1"],
];

/** Worse ones first. */
const ORDER = ["fail", "warn"] as const;

/** Whether the shell's base URLs lead to the proxy. */
export function checkShell(found: Found): Verdict {
  const { io, proxy } = found;
  const own = ownPlace(found);
  const set = VARIABLES.flatMap(([name, ending]) => {
    const text = io.env[name];
    if (!text) return [];
    const target = targetOf(text, own);
    const isDoubled = ending === "" && target.path.endsWith("/v1");
    const fault = isDoubled
      ? "ends in /v1, so that requests go to /v1/v1"
      : undefined;
    const route = { from: name, target, fault };
    const fix = `${name}=${proxy.url}${ending}`;
    return [{ route, verdict: routeVerdict(route, found, fix) }];
  });
  if (set.length === 0) {
    return skipped(
      "no base URL is set: SDKs started from this shell go straight to their providers",
      {
        hint:
          `export ANTHROPIC_BASE_URL=${proxy.url} OPENAI_BASE_URL=${proxy.url}/v1`,
        details: { variables: [] },
      },
    );
  }
  const details = { variables: set.map(({ route }) => routeFacts(route)) };
  for (const status of ORDER) {
    const worst = set.find(({ verdict }) => verdict.status === status);
    if (worst !== undefined) return { ...worst.verdict, details };
  }
  const names = set.map(({ route }) => route.from).join(", ");
  return passed(`${names} point${set.length === 1 ? "s" : ""} to the proxy`, {
    details,
  });
}
