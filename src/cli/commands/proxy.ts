/** `svc proxy`: start, say where, run until told to stop. @module */
import type { Define } from "./options.ts";
import { restartsItself } from "../../core/deployment.ts";
import { keysOf } from "../../settings/store.ts";
import { isConfined } from "../confine/needed.ts";
import { finishEdits } from "../edits/finish.ts";
import {
  CliFailure,
  EXIT_FAILED,
  EXIT_HUNG_UP,
  EXIT_INTERRUPTED,
  EXIT_TERMINATED,
  usageFailure,
} from "../failure.ts";
import type {
  ApplySettings,
  CliIo,
  ProxySettings,
  RunningProxy,
  StopSignal,
} from "../io.ts";
import { addSettingFlags } from "../proxy_flags.ts";
import {
  proxySettings,
  rereadSettings,
  type SettingsIo,
} from "../proxy_settings.ts";
import { GRACE_SECONDS } from "../program.ts";
import { startLines } from "../start_lines.ts";
import { makeStyle } from "../terminal.ts";
import type { Reloaded } from "../../core/app_io.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc proxy                           listen on 127.0.0.1:8787
  svc proxy --port 9000 --lossless    another port, lossless rewrites only
  svc proxy --workers 4               four processes on the port
  svc proxy --stateless               write no files except the log
  svc proxy --chat-api-url http://127.0.0.1:11434
                                      an OpenAI-compatible upstream here
`;

/** Ends the help page. */
export const NOTES = `
Settings are also read from settings.json in the workspace (SVC_WORKSPACE_DIR,
default ~/.svc), or from SVC_SETTINGS_PATH, e.g. {"budget": 10}. An environment
variable overrides the file, and a flag overrides both.

Ctrl-C or SIGTERM: accept no new requests; running ones have ${GRACE_SECONDS} s to finish.
A second one stops at once. SIGHUP: read settings.json and models.json again;
new requests use them.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  const givenFlags = addSettingFlags(command);
  command.action(async () => {
    done(await runProxy(await proxySettings(givenFlags(), io), io));
  });
};

/**
 * Starts the proxy, says so on stderr and waits for signals; a service starts again when applied settings ask for it.
 * Resolves to the exit code.
 */
export async function runProxy(
  settings: ProxySettings,
  io: CliIo,
): Promise<number> {
  await finishEdits(io, settings.config.paths?.workspace);
  for (let now = settings;; now = await proxySettings(settings.flags, io)) {
    const end = await runOnce(now, io);
    if (end !== RESTART) return end;
  }
}

/** How a run ends that another one follows. */
const RESTART = "restart";
/** Milliseconds for the answer to leave: a process that ends may take bytes with it that the system has not got yet. */
const ANSWER_MS = 250;

async function runOnce(
  settings: ProxySettings,
  io: CliIo,
): Promise<number | typeof RESTART> {
  const reload = Promise.withResolvers<ApplySettings>();
  const restart = Promise.withResolvers<void>();
  // The listener may be asked before everything here is ready.
  const applySettings: ApplySettings = async () => {
    const reloaded = await (await reload.promise)();
    const isWaiting = reloaded.type === "reloaded" && reloaded.later.length > 0;
    if (!isWaiting || !restartsItself(settings.config.deployment)) {
      return reloaded;
    }
    void io.wait(ANSWER_MS).then(restart.resolve);
    return { ...reloaded, restarts: true };
  };
  const proxy = await started(settings, io, applySettings);
  const again = makeReload(settings, proxy, io);
  reload.resolve(again);
  return await untilStopped(
    { settings, proxy, reload: again, restart: restart.promise },
    io,
  );
}

/** A proxy that takes requests, and what belongs to it. */
interface Running {
  readonly settings: ProxySettings;
  readonly proxy: RunningProxy;
  readonly reload: ApplySettings;
  /** Resolves when it shall end and start again. */
  readonly restart: Promise<void>;
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
      throw usageFailure(error.message + storedHint(error, settings));
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

const STOPPING =
  `Stopping: running requests may end within ${GRACE_SECONDS} s; Ctrl-C stops at once`;

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
  { settings, proxy, reload, restart }: Running,
  io: CliIo,
): Promise<number | typeof RESTART> {
  const egress = await io.egress(settings.config);
  const ended = Promise.withResolvers<number | typeof RESTART>();
  let stopping: "end" | typeof RESTART | undefined;
  const begin = (how: "end" | typeof RESTART, why: string) => {
    io.stderr(`${why}.\n`);
    const isFirst = stopping === undefined;
    stopping = how;
    if (!isFirst) return;
    proxy.stop().then(
      () => ended.resolve(stopping === RESTART ? RESTART : 0),
      ended.reject,
    );
  };
  const stop = (code: number) => {
    if (stopping !== "end") return begin("end", STOPPING);
    proxy.abandon();
    ended.resolve(code);
  };
  void restart.then(() => {
    if (!stopping) begin(RESTART, "Starting again for settings that need it");
  });
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

/**
 * Makes what reads the settings again, gives them to the proxy and says in one line on stderr what is different: names
 * only. What cannot be used changes nothing, and the line says why.
 *
 * @param settings Those that the proxy was started with.
 * @returns Never rejects for the sake of settings; calls are carried out one after the other.
 */
export function makeReload(
  settings: ProxySettings,
  proxy: RunningProxy,
  io: SettingsIo & Pick<CliIo, "stderr">,
): () => Promise<Reloaded> {
  let now = settings;
  let last: Promise<unknown> = Promise.resolve();
  const reload = async (): Promise<Reloaded> => {
    try {
      const next = await rereadSettings(now, io);
      const later = await proxy.reload(next.settings);
      now = next.settings;
      const waiting = [...new Set([...next.later, ...later])];
      const changed = next.changed.filter((name) => !waiting.includes(name));
      io.stderr(sentence(changed, waiting));
      for (const text of next.notes) io.stderr(`Warning: ${text}\n`);
      return { type: "reloaded", changed, later: waiting };
    } catch (error) {
      // Whatever is wrong with the new settings: the old ones still work.
      if (!(error instanceof Error)) throw error;
      io.stderr(`Settings stay as they were: ${error.message}\n`);
      return { type: "refused", reason: error.message };
    }
  };
  return () => {
    const next = last.then(reload);
    last = next;
    return next;
  };
}

function sentence(
  now: readonly string[],
  later: readonly string[],
): string {
  const parts = [
    ...(now.length > 0 ? [`${now.join(", ")} changed`] : []),
    ...(later.length > 0
      ? [`the next start will change ${later.join(", ")}`]
      : []),
  ];
  const what = parts.length > 0 ? parts.join("; ") : "none is different";
  return `Settings were read again: ${what}.\n`;
}
