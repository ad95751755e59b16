/** The environment and names of the machine, as far as this program was permitted to look at them. @module */
import { resolve } from "node:path";
import process from "node:process";
import { PATH_VARIABLES } from "../settings/paths.ts";
import type { TextValues } from "../settings/row.ts";
import { isAllowed } from "./failure.ts";
import { SETTINGS } from "../settings/registry.ts";

/** With these the runtime would listen elsewhere than svc says, and believe what callers say of their address. */
const MISLEADING = ["DENO_SERVE_ADDRESS", "DENO_TRUST_PROXY_HEADERS"] as const;

/**
 * The variables of the environment. Nobody is asked for a permission: a variable that may not be read is not set.
 *
 * Variables that would have the runtime serve otherwise than svc says are taken out of the environment of this process.
 *
 * @param taken Names that are taken out of the environment of this process, as far as it may; they stay in the result.
 * @returns With a permission for some variables an object that reads each when it is asked for, and lists none.
 */
export function readEnvironment(taken: readonly string[]): TextValues {
  takeVariables(MISLEADING);
  const own = takeVariables(taken);
  if (isAllowed({ name: "env" })) return { ...Deno.env.toObject(), ...own };
  const env = new Proxy(own, {
    get: (target, name) =>
      typeof name === "string" ? target[name] ?? variable(name) : undefined,
  });
  // Packages look into it as well, and would fail.
  process.env = env;
  return env;
}

function takeVariables(names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = variable(name);
    if (value === undefined) continue;
    values[name] = value;
    Deno.env.delete(name);
  }
  return values;
}

/** One variable; `undefined` when it is not set, or may not be read. */
export function variable(name: string): string | undefined {
  return isAllowed({ name: "env", variable: name })
    ? Deno.env.get(name)
    : undefined;
}

/** Addresses and host names of this machine; without the permission for either there is none of that kind. */
export function machineNames(): readonly string[] {
  return [
    ...isAllowed({ name: "sys", kind: "hostname" }) ? [Deno.hostname()] : [],
    ...isAllowed({ name: "sys", kind: "networkInterfaces" })
      ? Deno.networkInterfaces().map(({ address }) => address)
      : [],
  ];
}

/** Those that name one; in both cases. */
const PROXY_ROUTES: readonly string[] = withLowerCase([
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

/** Those of some variables that are set. */
export function given(
  env: TextValues,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => env[name] ? [[name, env[name]]] : []),
  );
}

/** Paths in variables, from a directory on; those of svc's own places unless named. */
export function pathsIn(
  env: TextValues,
  cwd: string,
  names: readonly string[] = PATH_VARIABLES.map(({ env }) => env),
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given(env, names))
      .map(([name, path]) => [name, resolve(cwd, path)]),
  );
}
