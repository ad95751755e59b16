/** One of several processes of `svc proxy`; its supervisor starts it and tells it what to do. @module */
import { systemCode } from "../../core/errors.ts";
import { print } from "../terminal.ts";
import type { Define } from "./options.ts";
import { EXIT_FAILED, usageFailure } from "../failure.ts";
import type { Reloaded } from "../../core/app_io.ts";
import type { ApplySettings, CliIo, RunningProxy } from "../io.ts";
import { type SettingsIo, settingsOf } from "../proxy_settings.ts";
import {
  type FromWorker,
  lineOf,
  messageIn,
  type ToWorker,
  type WorkerJob,
} from "../workers.ts";

/** What a worker needs of the outside world. */
export type WorkerIo =
  & SettingsIo
  & Pick<
    CliIo,
    "onStopSignal" | "onHangUp" | "stdinLines" | "stdout" | "startProxy"
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
    const orders = ordersIn(io.stdinLines());
    const job = jobFrom((await orders.next()).value);
    const questions: ((reloaded: Reloaded) => void)[] = [];
    const proxy = await startedFor(
      job,
      io,
      () =>
        new Promise((resolve) => {
          questions.push(resolve);
          say({ type: "apply" }, io);
        }),
    );
    if (proxy === undefined) return EXIT_FAILED;
    const follow = async () => {
      for await (const order of orders) {
        if (order?.type === "stop") return;
        if (order?.type === "applied") questions.shift()?.(order.reloaded);
        if (order?.type !== "reload") continue;
        await tried("reload_failed", io, async () => {
          const { stored } = order;
          const settings = settingsOf({ flags: job.flags, stored }, io);
          say({ type: "reloaded", later: await proxy.reload(settings) }, io);
        });
      }
    };
    follow().then(stopping.resolve, stopping.reject);
    await stopping.promise;
    await proxy.stop();
    return 0;
  } finally {
    for (const each of forget) each();
  }
}

/** What the supervisor says; `undefined` for a line that means nothing. */
async function* ordersIn(lines: AsyncIterable<string>) {
  for await (const line of lines) yield messageIn<ToWorker>(line);
}

function jobFrom(order: ToWorker | void): WorkerJob {
  if (order?.type === "start") return order.job;
  throw usageFailure(
    "Cannot start a worker by hand: svc proxy --workers <number> starts them",
  );
}

/** Starts and says so; `undefined` when it could not, and said why. */
function startedFor(
  job: WorkerJob,
  io: WorkerIo,
  applySettings: ApplySettings,
): Promise<RunningProxy | undefined> {
  return tried("failed", io, async () => {
    const { config } = settingsOf(job, io);
    const proxy = await io.startProxy(config, applySettings, job);
    const { port, storeBackend, ledgerBackend, extensions = [] } = proxy;
    const loaded = extensions.length > 0 ? { extensions } : {};
    say({ type: "ready", port, storeBackend, ledgerBackend, ...loaded }, io);
    return proxy;
  });
}

/** What comes of `work`; `undefined` where it fails, which is said. */
async function tried<T>(
  type: "failed" | "reload_failed",
  io: WorkerIo,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    say({ type, message: error.message }, io);
    return undefined;
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
