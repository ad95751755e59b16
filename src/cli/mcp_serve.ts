/** `svc mcp serve`: the MCP server on standard input and output. @module */
import { SETTINGS } from "../settings/registry.ts";
import { type Config, resolveConfig } from "../settings/resolve.ts";
import { parseBaseUrl, type TextValues } from "../settings/row.ts";
import { CliFailure, EXIT_USAGE } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { makeStyle } from "./style.ts";

/** Hosts that mean this machine, as the URL parser writes them. */
const OWN_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Flags of the command. */
export interface McpServeFlags {
  /** Proxy that is asked for originals that are not in the local store. */
  readonly proxyUrl?: string | undefined;
  /** Ask no proxy. */
  readonly direct?: boolean | undefined;
  /** Say on stderr what is done. */
  readonly debug?: boolean | undefined;
}

/**
 * Serves until the client closes standard input, or a stop signal. Nothing but protocol messages goes to stdout.
 *
 * @returns Exit code: 0.
 * @throws {CliFailure} If a setting or the proxy's URL cannot be used.
 */
export async function serveMcp(
  io: CliIo,
  flags: McpServeFlags,
): Promise<number> {
  const config = usable(() => resolveConfig({ env: io.env }));
  const proxy = flags.direct ? undefined : proxyOf(flags, io.env, config);
  const { warning } = makeStyle(io.stderrIsTerminal, io.env);
  for (const text of config.warnings) {
    io.stderr(`${warning("Warning:")} ${text}\n`);
  }
  const debug = flags.debug
    ? (line: string) => io.stderr(`svc mcp: ${line}\n`)
    : undefined;
  io.giveUp?.({
    files: config.paths === undefined,
    // The network cannot be cut down to one host.
    network: config.egress.offline && proxy === undefined,
  });
  const server = await io.startMcp(config, { proxy, debug });
  debug?.(`serving; ${proxy ? `proxy ${proxy.host}` : "no proxy"}`);
  if (io.stdoutIsTerminal) {
    io.stderr(
      "Speaking MCP on standard input and output: an agent starts this command, after svc mcp install. Ctrl-C stops it.\n",
    );
  }
  const forget = io.onStopSignal(() => void server.stop());
  await server.finished.finally(forget);
  return 0;
}

/** The flag, then the variable, then the proxy of this configuration. */
function proxyOf(
  { proxyUrl }: McpServeFlags,
  { SVC_PROXY_URL }: TextValues,
  { port }: Config,
): URL {
  if (proxyUrl !== undefined) return httpUrl("--proxy-url", proxyUrl);
  if (!SVC_PROXY_URL) {
    return new URL(`http://127.0.0.1:${port || SETTINGS.port.fallback}`);
  }
  const url = new URL(usable(() => SETTINGS.proxyUrl.parse(SVC_PROXY_URL)));
  if (OWN_HOST.test(url.hostname)) return url;
  throw new CliFailure(
    `Cannot use SVC_PROXY_URL with the host ${url.hostname}: must be this machine; to ask another one, name it with --proxy-url`,
    EXIT_USAGE,
  );
}

/** The URL without a slash at its end. */
function httpUrl(name: string, value: string): URL {
  return new URL(usable(() => parseBaseUrl(name, value)));
}

/** What `read` gives; a value that it refuses is a mistake in the command line. */
function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliFailure(error.message, EXIT_USAGE);
  }
}
