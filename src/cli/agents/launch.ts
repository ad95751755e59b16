/** What a client is told to start. @module */
import { resolve } from "node:path";
import { SETTINGS } from "../../settings/registry.ts";
import { parseBaseUrl } from "../../settings/row.ts";
import type { CliIo } from "../io.ts";
import type { Launch } from "./agent.ts";

/** Directories that the server needs, and that a client may not pass on. */
const DIRECTORIES: readonly string[] = ["SVC_WORKSPACE_DIR", "DENO_DIR"];

/** Settings of the server: one that writes no files here must not write them when a client starts it. */
const PASSED_ON: readonly string[] = [
  "SVC_STATELESS",
  "SVC_CCR_BACKEND",
  "SVC_CCR_TTL_SECONDS",
  "SVC_PORT",
];

const PROXY_FLAG = "--proxy-url";

/**
 * The command that serves MCP, with absolute paths, and the variables that are set now and matter to it.
 *
 * @param proxyUrl Proxy to ask; `undefined` leaves the choice to the server.
 * @throws {RangeError} If a proxy's URL cannot be used.
 */
export function launchFor(
  io: Pick<CliIo, "env" | "cwd" | "selfCommand">,
  proxyUrl: string | undefined,
): Launch {
  const flags = proxyUrl === undefined
    ? []
    : [PROXY_FLAG, parseBaseUrl(PROXY_FLAG, proxyUrl)];
  const { env, cwd } = io;
  const directories = DIRECTORIES.flatMap((name) => {
    const value = env[name];
    return value ? [[name, resolve(cwd, value)] as const] : [];
  });
  const settings = PASSED_ON.flatMap((name) => {
    const value = env[name];
    return value ? [[name, value] as const] : [];
  });
  const proxy = env.SVC_PROXY_URL &&
    { SVC_PROXY_URL: SETTINGS.proxyUrl.parse(env.SVC_PROXY_URL) };
  return {
    command: [...io.selfCommand(), "mcp", "serve", ...flags],
    env: { ...Object.fromEntries([...directories, ...settings]), ...proxy },
  };
}

/** The proxy's URL that a registered command names. */
export function proxyUrlOf({ command }: Launch): string | undefined {
  const at = command.lastIndexOf(PROXY_FLAG);
  return at < 0 ? undefined : command[at + 1];
}
