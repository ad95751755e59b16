/** Variables that name HTTP proxies for every program. @module */

/** Those that name one; in both cases. */
export const PROXY_ROUTES: readonly string[] = withLowerCase([
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
]);

/** Variables that the runtime's `fetch` obeys: every connection would take that way, those to this machine as well. */
export const PROXY_VARIABLES: readonly string[] = [
  ...PROXY_ROUTES,
  ...withLowerCase(["NO_PROXY"]),
];

function withLowerCase(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, name.toLowerCase()]);
}
