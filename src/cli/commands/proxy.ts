/** `svc proxy`: start, say where, run until told to stop. @module */
import { type Command, Option } from "@commander-js/extra-typings";
import { SETTINGS } from "../../settings/registry.ts";
import type { SettingRow } from "../../settings/row.ts";
import {
  CliFailure,
  EXIT_FAILED,
  EXIT_HUNG_UP,
  EXIT_INTERRUPTED,
  EXIT_TERMINATED,
  EXIT_USAGE,
} from "../failure.ts";
import { PROXY_EXAMPLES, PROXY_NOTES } from "../help.ts";
import type { CliIo, ProxySettings, RunningProxy, StopSignal } from "../io.ts";
import { startSettings } from "../proxy_settings.ts";
import { makeReload } from "../reload.ts";
import { GRACE_SECONDS } from "../signals.ts";
import { startLines } from "../start_lines.ts";
import { makeStyle } from "../style.ts";

/** Adds flags and action to the command. `done` takes the exit code. */
export function defineProxy(
  command: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  command.addHelpText("before", PROXY_EXAMPLES);
  command.addHelpText("after", PROXY_NOTES);
  const flags = flagOptions();
  for (const { option } of flags) command.addOption(option);
  command.action(async (values: Readonly<Record<string, unknown>>) => {
    const given: Record<string, string> = {};
    for (const { flag, option } of flags) {
      const value = values[option.attributeName()];
      if (typeof value === "string") given[flag] = value;
      else if (value === !option.negate) given[flag] = "true";
    }
    done(await runProxy(await startSettings(given, io), io));
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
  const isUnset = Array.isArray(row.fallback) || row.fallback === undefined;
  const fallback = isUnset ? "none" : row.fallback;
  return `${variables}, default ${fallback}`;
}

/** Starts the proxy, says so on stderr and waits for signals. Resolves to the exit code. */
export async function runProxy(
  settings: ProxySettings,
  io: CliIo,
): Promise<number> {
  return await untilStopped(settings, await started(settings, io), io);
}

async function started(
  settings: ProxySettings,
  io: CliIo,
): Promise<RunningProxy> {
  const { config } = settings;
  const isShared = config.limits.workers > 1 && config.ccr.backend === "sqlite";
  try {
    return isShared && io.startWorkers !== undefined
      ? await io.startWorkers(settings)
      : await io.startProxy(config);
  } catch (error) {
    // A file that a setting names cannot be used: a mistake like any other in a setting.
    if (error instanceof RangeError && error.message.startsWith("Cannot use")) {
      throw new CliFailure(error.message, EXIT_USAGE);
    }
    const isUnknownName = error instanceof Error &&
      /lookup address/i.test(error.message);
    if (!isUnknownName) throw error;
    throw new CliFailure(
      `Cannot listen on ${config.host}: it is not a name or address of this machine, choose another with --host`,
    );
  }
}

const EXIT_CODES: Readonly<Record<StopSignal, number>> = {
  SIGINT: EXIT_INTERRUPTED,
  SIGBREAK: EXIT_INTERRUPTED,
  SIGTERM: EXIT_TERMINATED,
};

/**
 * Says that it runs, once signals are heard. First signal: let running requests end. Second: leave at once. SIGHUP: read
 * the settings again.
 */
async function untilStopped(
  settings: ProxySettings,
  proxy: RunningProxy,
  io: CliIo,
): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const reload = makeReload(settings, proxy, io);
  let stopping = false;
  const stop = (code: number) => {
    if (stopping) {
      proxy.abandon();
      return ended.resolve(code);
    }
    stopping = true;
    io.stderr(
      `Stopping: running requests may end within ${GRACE_SECONDS} s; Ctrl-C stops at once.\n`,
    );
    proxy.stop().then(() => ended.resolve(0), ended.reject);
  };
  const forget = [
    io.onStopSignal((signal) => stop(EXIT_CODES[signal])),
    io.onHangUp(() => {
      if (io.hasLostTerminal()) stop(EXIT_HUNG_UP);
      else if (!stopping) void reload();
    }),
  ];
  void proxy.lost.then(() => {
    if (!stopping) ended.resolve(EXIT_FAILED);
  });
  const style = makeStyle(io.stderrIsTerminal, io.env);
  io.stderr(startLines(settings.config, proxy, style));
  try {
    return await ended.promise;
  } finally {
    for (const each of forget) each();
  }
}
