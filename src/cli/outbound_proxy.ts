/** HTTP proxies that the environment names for every program. @module */
import { SETTINGS } from "../settings/registry.ts";
import type { TextValues } from "../settings/row.ts";

const ROUTES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] as const;

/** Variables that the runtime's `fetch` obeys: every connection would take that way, those to this machine as well. */
export const PROXY_VARIABLES: readonly string[] = [...ROUTES, "NO_PROXY"]
  .flatMap((name) => [name, name.toLowerCase()]);

/**
 * Says that a proxy of the environment is not used.
 *
 * @returns One sentence, or nothing when none is set or SVC_HTTP_PROXY is. The value is never repeated: it may hold a
 * password.
 */
export function unusedProxies(env: TextValues): string[] {
  if (env[SETTINGS.httpProxy.env]) return [];
  const names = ROUTES.flatMap((name) => [name, name.toLowerCase()])
    .filter((name) => env[name]);
  if (names.length === 0) return [];
  const isOne = names.length === 1;
  return [
    `${names.join(", ")} ${isOne ? "is" : "are"} not used: set ` +
    `SVC_HTTP_PROXY to send requests to providers through an HTTP proxy`,
  ];
}
