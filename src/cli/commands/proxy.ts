/** `svc proxy`: start, say where, run until told to stop. @module */
import type { Command } from "@commander-js/extra-typings";
import { keysOf } from "../../settings/store.ts";
import { isConfined } from "../confine/needed.ts";
import { finishEdits } from "../edits/finish.ts";
import {
  CliFailure,
  EXIT_FAILED,
  EXIT_HUNG_UP,
  EXIT_INTERRUPTED,
  EXIT_TERMINATED,
  EXIT_USAGE,
} from "../failure.ts";
import { PROXY_EXAMPLES, PROXY_NOTES } from "../help.ts";
import type {
  ApplySettings,
  CliIo,
  ProxySettings,
  RunningProxy,
  StopSignal,
} from "../io.ts";
import { addSettingFlags } from "../proxy_flags.ts";
import { proxySettings } from "../proxy_settings.ts";
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
  const givenFlags = addSettingFlags(command);
  command.action(async () => {
    done(await runProxy(await proxySettings(givenFlags(), io), io));
  });
}

/** Starts the proxy, says so on stderr and waits for signals. Resolves to the exit code. */
export async function runProxy(
  settings: ProxySettings,
  io: CliIo,
): Promise<number> {
  await finishEdits(io, settings.config.paths?.workspace);
  const reload = Promise.withResolvers<ApplySettings>();
  // The listener may be asked before everything here is ready.
  const applySettings = async () => await (await reload.promise)();
  const proxy = await started(settings, io, applySettings);
  reload.resolve(makeReload(settings, proxy, io));
  return await untilStopped({ settings, proxy, reload: applySettings }, io);
}

/** A proxy that takes requests, and what belongs to it. */
interface Running {
  readonly settings: ProxySettings;
  readonly proxy: RunningProxy;
  readonly reload: ApplySettings;
}

async function started(
  settings: ProxySettings,
  io: CliIo,
  applySettings: ApplySettings,
): Promise<RunningProxy> {
  const { config } = settings;
  const isShared = config.limits.workers > 1 && config.ccr.backend === "sqlite";
  try {
    const confined = isConfined(config)
      ? await io.startConfined?.(settings, applySettings)
      : undefined;
    if (confined !== undefined) return confined;
    return isShared && io.startWorkers !== undefined
      ? await io.startWorkers(settings, applySettings)
      : await io.startProxy(config, applySettings);
  } catch (error) {
    // A file that a setting names cannot be used: a mistake like any other in a setting.
    if (error instanceof RangeError && error.message.startsWith("Cannot use")) {
      throw new CliFailure(
        error.message + storedHint(error, settings),
        EXIT_USAGE,
      );
    }
    const isUnknownName = error instanceof Error &&
      /lookup address/i.test(error.message);
    if (!isUnknownName) throw error;
    throw new CliFailure(
      `Cannot listen on ${config.host}: it is not a name or address of this machine, choose another with --host`,
    );
  }
}

/** How to get rid of a value that came from the settings file. */
function storedHint(
  { message }: RangeError,
  { stored, config }: ProxySettings,
): string {
  const [, env = ""] = /^Cannot use (\w+)=/.exec(message) ?? [];
  if (stored[env] === undefined) return "";
  const [key] = keysOf([env]);
  return `. It is stored in ${config.paths?.settings}: svc config unset ${key}`;
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
  { settings, proxy, reload }: Running,
  io: CliIo,
): Promise<number> {
  const egress = await io.egress(settings.config);
  const ended = Promise.withResolvers<number>();
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
  io.stderr(startLines(settings.config, { proxy, egress }, style));
  try {
    return await ended.promise;
  } finally {
    for (const each of forget) each();
  }
}
