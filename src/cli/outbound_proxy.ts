/** HTTP proxies that the environment names for every program. @module */
import { SETTINGS } from "../settings/registry.ts";
import type { TextValues } from "../settings/row.ts";
import { PROXY_ROUTES } from "./proxy_variables.ts";

/**
 * Says that a proxy of the environment is not used.
 *
 * @returns One sentence, or nothing when none is set or SVC_HTTP_PROXY is. The value is never repeated: it may hold a
 * password.
 */
export function unusedProxies(env: TextValues): string[] {
  if (env[SETTINGS.httpProxy.env]) return [];
  const names = PROXY_ROUTES.filter((name) => env[name]);
  if (names.length === 0) return [];
  const isOne = names.length === 1;
  return [
    `${names.join(", ")} ${isOne ? "is" : "are"} not used: set ` +
    `SVC_HTTP_PROXY to send requests to providers through an HTTP proxy`,
  ];
}
