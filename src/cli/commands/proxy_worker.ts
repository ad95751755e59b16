/** One of several processes of `svc proxy`; its supervisor starts it and tells it what to do. @module */
import { systemCode } from "../../core/errors.ts";
import { print } from "../terminal.ts";
import type { Define } from "./options.ts";
import { EXIT_FAILED, usageFailure } from "../failure.ts";
import type { Reloaded } from "../../core/app_io.ts";
import type {
  ApplySettings,
  CliIo,
  ProxySettings,
  RunningProxy,
} from "../io.ts";
import { settingsOf } from "../proxy_settings.ts";
import {
  type FromWorker,
  lineOf,
  messageIn,
  type ToWorker,
  type WorkerJob,
} from "../workers.ts";

/** What a worker needs of the outside world. */
export type WorkerIo = Pick<
  CliIo,
  | "env"
  | "files"
  | "ownNames"
  | "missingFor"
  | "onStopSignal"
  | "onHangUp"
  | "stdinLines"
  | "stdout"
  | "startProxy"
>;

/** Adds the action to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  command.action(async () => done(await runWorker(io)));
};

/**
 * Takes requests until it is told to stop, or until the supervisor has gone. Resolves to the exit code.
 *
 * Ctrl-C and SIGHUP of a terminal reach every process of it; here only the supervisor's word counts, and SIGTERM.
 *
 * @throws {CliFailure} If no supervisor is there.
 */
export async function runWorker(io: WorkerIo): Promise<number> {
  const stopping = Promise.withResolvers<void>();
  const forget = [
    io.onStopSignal((signal) => {
      if (signal === "SIGTERM") stopping.resolve();
    }),
    io.onHangUp(() => {}),
  ];
  try {
    const lines = io.stdinLines()[Symbol.asyncIterator]();
    const job = await jobFrom(lines);
    const questions: ((reloaded: Reloaded) => void)[] = [];
    const started = await startedFor(job, io, () =>
      new Promise((resolve) => {
        questions.push(resolve);
        say({ type: "apply" }, io);
      }));
    if (started === undefined) return EXIT_FAILED;
    const answered = (reloaded: Reloaded) => questions.shift()?.(reloaded);
    followOrders(lines, { ...started, answered }, io).then(
      stopping.resolve,
      stopping.reject,
    );
    await stopping.promise;
    await started.proxy.stop();
    return 0;
  } finally {
    for (const each of forget) each();
  }
}

/** A proxy and the settings it runs with. */
interface Started {
  readonly proxy: RunningProxy;
  readonly settings: ProxySettings;
}

/** A proxy under orders. */
interface Supervised extends Started {
  /** Takes what the supervisor says became of stored settings. */
  readonly answered: (reloaded: Reloaded) => void;
}

async function jobFrom(lines: AsyncIterator<string>): Promise<WorkerJob> {
  const { done, value } = await lines.next();
  const message = done ? undefined : messageIn<ToWorker>(value);
  if (message?.type === "start") return message.job;
  throw usageFailure(
    "Cannot start a worker by hand: svc proxy --workers <number> starts them",
  );
}

/** Starts and says so; `undefined` when it could not, and said why. */
async function startedFor(
  job: WorkerJob,
  io: WorkerIo,
  applySettings: ApplySettings,
): Promise<Started | undefined> {
  try {
    const settings = settingsOf(job, io);
    const proxy = await io.startProxy(settings.config, applySettings, job);
    const { port, storeBackend, ledgerBackend, extensions = [] } = proxy;
    const loaded = extensions.length > 0 ? { extensions } : {};
    say({ type: "ready", port, storeBackend, ledgerBackend, ...loaded }, io);
    return { proxy, settings };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    say({ type: "failed", message: error.message }, io);
    return undefined;
  }
}

/** Does what the supervisor says; resolves when it says stop, or nothing any more. */
async function followOrders(
  lines: AsyncIterator<string>,
  { proxy, settings: { flags }, answered }: Supervised,
  io: WorkerIo,
): Promise<void> {
  for (;;) {
    const { done, value } = await lines.next();
    const message = done
      ? { type: "stop" } as const
      : messageIn<ToWorker>(value);
    if (message?.type === "stop") return;
    if (message?.type === "applied") answered(message.reloaded);
    if (message?.type !== "reload") continue;
    try {
      const settings = settingsOf({ flags, stored: message.stored }, io);
      const later = await proxy.reload(settings);
      say({ type: "reloaded", later }, io);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      say({ type: "reload_failed", message: error.message }, io);
    }
  }
}

/** A supervisor that does not listen any more has gone: the end of the input says so too. */
function say(message: FromWorker, io: Pick<CliIo, "stdout">): void {
  try {
    print(io, lineOf(message));
  } catch (error) {
    if (systemCode(error) !== "EPIPE") throw error;
  }
}
