/** `svc proxy`: start, say where, run until told to stop. @module */
import { type Command, Option } from "@commander-js/extra-typings";
import { refuseOwnAddress } from "../../settings/own_address.ts";
import { SETTINGS } from "../../settings/registry.ts";
import { type Config, resolveConfig } from "../../settings/resolve.ts";
import type { SettingRow, TextValues } from "../../settings/row.ts";
import { CliFailure, EXIT_INTERRUPTED, EXIT_USAGE } from "../failure.ts";
import { PROXY_EXAMPLES } from "../help.ts";
import type { CliIo, RunningProxy } from "../io.ts";
import { startLines } from "../start_lines.ts";
import { makeStyle } from "../style.ts";

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineProxy(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command.addHelpText("before", PROXY_EXAMPLES);
  const flags = flagOptions();
  for (const { option } of flags) command.addOption(option);
  command.action(async (values: Readonly<Record<string, unknown>>) => {
    const given: Record<string, string> = {};
    for (const { flag, option } of flags) {
      const value = values[option.attributeName()];
      if (typeof value === "string") given[flag] = value;
      else if (value === !option.negate) given[flag] = "true";
    }
    done(await runProxy(configOf(given, io), io));
  });
}

/** A flag's name without dashes and what commander knows about it. */
interface FlagOption {
  readonly flag: string;
  readonly option: Option;
}

function flagOptions(): FlagOption[] {
  const rows: readonly SettingRow<unknown>[] = Object.values(SETTINGS);
  return rows.flatMap((row) => {
    if (row.flag === undefined) return [];
    const main = optionOf(row, row.flag);
    const others = (row.flagAliases ?? []).map((flag) =>
      optionOf(row, flag, `Same as --${row.flag}.`)
    );
    return [main, ...others];
  });
}

function optionOf(
  row: SettingRow<unknown>,
  flag: string,
  text = `${row.flagDoc ?? row.doc} [${sourcesOf(row)}]`,
): FlagOption {
  const value = row.placeholder === undefined ? "" : ` ${row.placeholder}`;
  return { flag, option: new Option(`--${flag}${value}`, text) };
}

/** Variables and default of a row, for a help page. */
function sourcesOf(row: SettingRow<unknown>): string {
  const variables = [row.env, ...row.aliases ?? []].join(" or ");
  const hasValue = row.placeholder !== undefined;
  if (!hasValue) return variables;
  const fallback = Array.isArray(row.fallback) ? "none" : row.fallback;
  return `${variables}, default ${fallback}`;
}

function configOf(flags: TextValues, io: CliIo): Config {
  try {
    const sources = { flags, env: io.env };
    const config = resolveConfig(sources);
    const { host, port } = config;
    refuseOwnAddress(sources, { host, port, names: io.ownNames() });
    return config;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliFailure(error.message, EXIT_USAGE);
  }
}

/** Starts the proxy, says so on stderr and waits for a signal. Resolves to the exit code. */
export async function runProxy(config: Config, io: CliIo): Promise<number> {
  const style = makeStyle(io.stderrIsTerminal, io.env);
  const proxy = await started(config, io);
  io.stderr(startLines(config, proxy, style));
  return await untilStopped(proxy, io);
}

async function started(config: Config, io: CliIo): Promise<RunningProxy> {
  try {
    return await io.startProxy(config);
  } catch (error) {
    const isUnknownName = error instanceof Error &&
      /lookup address/i.test(error.message);
    if (!isUnknownName) throw error;
    throw new CliFailure(
      `Cannot listen on ${config.host}: it is not a name or address of this machine, choose another with --host`,
    );
  }
}

/** First signal: let running requests end. Second: leave at once. */
function untilStopped(proxy: RunningProxy, io: CliIo): Promise<number> {
  return new Promise((resolve, reject) => {
    let stopping = false;
    const ignore = io.onStopSignal(() => {
      if (stopping) return resolve(EXIT_INTERRUPTED);
      stopping = true;
      io.stderr("Stopping: running requests may end; Ctrl-C stops at once.\n");
      proxy.stop().then(() => resolve(0), reject).finally(ignore);
    });
  });
}
