/** What `svc install` does with a service, and whether it runs. @module */
import { say } from "../terminal.ts";
import { commandText } from "../agents/report.ts";
import type { CliIo } from "../io.ts";
import { askProxyIfAllowed, memberOf, proxyUrl } from "../running_proxy.ts";
import { type CommandLines, type Service, unseenVariables } from "./service.ts";
import { MASK, rowNamed } from "../../settings/fields.ts";
import type { TextValues } from "../../settings/row.ts";
import { CliFailure, EXIT_FAILED } from "../failure.ts";
import { removeFiles, type ServiceFile, writeFiles } from "./files.ts";
import {
  type Installed,
  manifestPath,
  ownerOf,
  PLATFORMS,
  printManifest,
} from "./installed.ts";

/** Milliseconds for an answer. */
const ASK_MS = 2000;
/** Milliseconds between two questions, and how many: 20 seconds. */
const RETRY_MS = 250;
const MAX_TRIES = 80;
/** Lines of a program that are repeated. */
const MAX_LINES = 3;

/** Who listens at the port of a service: itself, another svc proxy, another program. */
type Listener = "nobody" | "service" | "proxy" | "other";

/** Who listens instead of a service. */
const OTHERS = {
  ...{ nobody: undefined, service: undefined },
  proxy: "another svc proxy",
  other: "another program",
} as const satisfies Readonly<Record<Listener, string | undefined>>;

/** Address of a service. */
export function urlOf({ port }: Pick<Service, "port">): string {
  return proxyUrl({ host: "127.0.0.1", port });
}

/** Asks whoever listens there. */
export async function listenerAt(
  io: Pick<CliIo, "ask">,
  { port, profile }: Pick<Service, "port" | "profile">,
): Promise<Listener> {
  const place = { host: "127.0.0.1", port };
  const asked = await askProxyIfAllowed(place, io, ASK_MS);
  if (asked.state === "none") return "nobody";
  if (asked.state === "other") return "other";
  const { profile: theirs } = memberOf(asked.health, "deployment");
  return theirs === profile ? "service" : "proxy";
}

/** Waits until a service answers; `false` if it does not within 20 seconds. */
export async function isAnswering(
  io: Pick<CliIo, "ask" | "wait">,
  service: Pick<Service, "port" | "profile">,
): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (await listenerAt(io, service) === "service") return true;
    await io.wait(RETRY_MS);
  }
  return false;
}

/**
 * Runs programs one after the other.
 *
 * @param harmless What a program says whose failure does not count; then it does not count either if there is none.
 * @returns Why one failed, without a final period; those after it were not run. `undefined` when all did their work.
 */
export async function runCommands(
  io: Pick<CliIo, "runProgram">,
  commands: CommandLines,
  harmless?: RegExp,
): Promise<string | undefined> {
  for (const command of commands) {
    const result = await io.runProgram(command);
    if (result === undefined) {
      if (harmless !== undefined) return undefined;
      return `${command[0]} is not on this machine`;
    }
    const { code, text } = result;
    if (code === 0 || harmless?.test(text)) continue;
    const said = text.trim().split("\n").slice(0, MAX_LINES).join(" ")
      .replace(/\.$/, "");
    return `${commandText(command)}: ${said || `it ended with code ${code}`}`;
  }
  return undefined;
}

/** Shows the files and what would be run; nothing is made. */
export function showService(
  io: Pick<CliIo, "stdout">,
  { service, platform }: Installed,
): void {
  // Nobody shall read secrets over a shoulder.
  const env = Object.fromEntries(
    Object.entries(service.env).map(([name, value]) =>
      [name, rowNamed(name)?.secret ? MASK : value] as const
    ),
  );
  const shown = { service: { ...service, env }, platform };
  for (const { path, text } of filesOf(shown)) {
    say(io, `Would write ${path}:\n${text.replace(/^(?=.)/gm, "  ")}`);
  }
  const { enable, start } = PLATFORMS[platform].commands(service);
  for (const command of [...enable, ...start]) {
    say(io, `Would run ${commandText(command)}`);
  }
}

/**
 * Writes the files of a service, enables and starts it. What is done already is left alone.
 *
 * @param past The service of that name that is installed.
 * @param stored Stored settings.
 * @returns Exit code: 1 if it could not be started, or does not answer.
 * @throws {CliFailure} If its files cannot be written, or another program has its port: nothing was changed.
 */
export async function applyService(
  io: CliIo,
  wanted: Installed,
  { past, stored }: {
    readonly past: Installed | undefined;
    readonly stored: TextValues;
  },
): Promise<number> {
  const { service } = wanted;
  if (past !== undefined) refuseOther(past, wanted);
  await refuseTaken(io, wanted);
  const { commands, supervisor } = PLATFORMS[wanted.platform];
  const { enable, start, disable } = commands(service);
  const files = filesOf(wanted);
  const isNew = await writeFiles(io, ownerOf(service), files);
  say(io, `${isNew ? "Wrote" : "Nothing to write:"} ${files[0]!.path}`);
  warnUnseen(io, stored);
  const isRunning = await listenerAt(io, service) === "service";
  if (isNew || !isRunning) {
    // Whatever runs has the old file; it matters little whether anything does.
    if (past !== undefined) await runCommands(io, disable);
    const failure = await runCommands(io, [...enable, ...start]);
    const command = [...service.command, "--port", `${service.port}`];
    if (failure !== undefined) {
      io.stderr(
        `${supervisor} could not start it: ${failure}. Run svc install apply again once ${supervisor} runs; until then, start it yourself: ${
          commandText(command)
        }\n`,
      );
      return EXIT_FAILED;
    }
  }
  return await reportStarted(io, wanted);
}

/**
 * Starts, stops or restarts a service.
 *
 * @returns Exit code: 1 if it does not answer then.
 * @throws {CliFailure} If the system does not do it.
 */
export async function controlService(
  io: CliIo,
  act: "start" | "stop" | "restart",
  one: Installed,
): Promise<number> {
  const { commands, absent } = PLATFORMS[one.platform];
  const { profile } = one.service;
  const failure = await runCommands(
    io,
    commands(one.service)[act],
    act === "stop" ? absent : undefined,
  );
  if (failure !== undefined) {
    throw new CliFailure(`Cannot ${act} service ${profile}: ${failure}`);
  }
  if (act !== "stop") return await reportStarted(io, one);
  say(io, `Service ${profile} is stopped until the next start`);
  return 0;
}

/**
 * Says what a service is, and whether it runs.
 *
 * @returns Exit code: 1 if it does not run.
 */
export async function reportService(
  io: CliIo,
  { service, platform }: Installed,
): Promise<number> {
  const { profile, scope } = service;
  const { preset, supervisor, path, why } = PLATFORMS[platform];
  const listener = await listenerAt(io, service);
  const isRunning = listener === "service";
  const other = OTHERS[listener];
  const taken = other === undefined ? "" : ` (${other})`;
  const lines = [
    `Service ${profile}: ${isRunning ? "runs" : "does not run"}`,
    `  address  ${urlOf(service)}${taken}`,
    `  file     ${path(service)}`,
    `  kept by  ${supervisor} (${preset}, scope ${scope})`,
  ];
  say(io, lines.join("\n"));
  if (isRunning) return 0;
  io.stderr(
    `Start it: svc install start --profile ${profile}. See why it ended: ${
      why(service)
    }\n`,
  );
  return EXIT_FAILED;
}

/**
 * Stops a service for good and gives back what was there before. Where its supervisor does not run, it runs nothing
 * either.
 *
 * @returns Exit code: 1 if the service still answers.
 * @throws {CliFailure} If the files cannot be given back: they are as they were.
 */
export async function removeService(
  io: CliIo,
  { service, platform }: Installed,
): Promise<number> {
  const { commands, absent, path } = PLATFORMS[platform];
  const { disable, forget } = commands(service);
  const problem = await runCommands(io, disable, absent);
  const kept = await removeFiles(io, ownerOf(service));
  await runCommands(io, forget, absent);
  const place = path(service);
  const isBack = await io.files.exists(place);
  say(io, `${place} is ${isBack ? "as it was before" : "removed"}`);
  for (const copy of kept) say(io, `${copy} has what you changed in it`);
  if (platform === "container") {
    const volume = `svc-${service.profile}_data`;
    say(io, `Its data stays; docker volume rm ${volume} removes it`);
  }
  const isRunning = await listenerAt(io, service) === "service";
  if (!isRunning && problem === undefined) return 0;
  const what = isRunning ? "still answers" : "may start again";
  const why = problem === undefined ? "" : ` (${problem})`;
  io.stderr(
    `Service ${service.profile} ${what} at ${
      urlOf(service)
    }: stop it yourself${why}\n`,
  );
  return EXIT_FAILED;
}

function filesOf(one: Installed): readonly ServiceFile[] {
  const { path, text } = PLATFORMS[one.platform];
  return [
    { path: path(one.service), text: text(one.service) },
    { path: manifestPath(one.service.directory), text: printManifest(one) },
  ];
}

async function reportStarted(
  io: CliIo,
  { service, platform }: Installed,
): Promise<number> {
  const what = `Service ${service.profile}`;
  if (await isAnswering(io, service)) {
    say(io, `${what} runs at ${urlOf(service)}`);
    return 0;
  }
  io.stderr(
    `${what} was started, but does not answer at ${urlOf(service)}. See why: ${
      PLATFORMS[platform].why(service)
    }\n`,
  );
  return EXIT_FAILED;
}

function refuseOther(past: Installed, { service, platform }: Installed): void {
  const { scope, profile } = past.service;
  if (scope === service.scope && past.platform === platform) return;
  throw new CliFailure(
    `Cannot install service ${profile} for ${platform} with scope ${service.scope}: it is there for ${past.platform} with scope ${scope}; use svc install remove --profile ${profile}, or another --profile`,
  );
}

/** A service whose port is taken would fail again and again. */
async function refuseTaken(io: CliIo, { service }: Installed): Promise<void> {
  const who = OTHERS[await listenerAt(io, service)];
  if (who === undefined) return;
  const url = urlOf(service);
  throw new CliFailure(
    `Cannot install a service at ${url}: ${who} listens there; stop that, or choose another --port`,
  );
}

function warnUnseen(io: CliIo, stored: TextValues): void {
  const names = unseenVariables(io.env, stored);
  if (names.length === 0) return;
  const all = names.join(", ");
  io.stderr(
    `The service does not see ${all} of this shell: it reads stored settings (svc config set)\n`,
  );
}
