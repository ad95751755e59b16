/** Which agents are on this machine, which of their files is meant, and what they are told to start. @module */
import type { CliIo, FileWorld } from "../io.ts";
import { delimiter, dirname, resolve } from "node:path";
import { type Agent, type Launch, valueAt } from "./agent.ts";
import { readable } from "../edits/file_plan.ts";
import { AGENTS } from "./registry.ts";
import { given, pathsIn } from "../environment.ts";
import { pathOf } from "./plan.ts";
import { fileFailure } from "./report.ts";
import { SETTINGS } from "../../settings/registry.ts";
import { parseBaseUrl } from "../../settings/row.ts";

/** Endings of programs; those of Windows too, since a name with one is found nowhere else. */
const PROGRAM_ENDINGS: readonly string[] = ["", ".exe", ".cmd"];

/** A file that an agent reads. */
interface LocatedFile {
  /** Absolute path; links are not resolved. */
  readonly file: string;
  /** Its text; `undefined` when there is no such file. */
  readonly text: string | undefined;
}

/**
 * The file of an agent to look at and to edit: the one with our entry, else the first that is there, else the one to
 * make.
 *
 * @throws {Error} The system's, if a file cannot be read.
 */
export async function locate(
  agent: Agent,
  io: FileWorld,
): Promise<LocatedFile> {
  const { candidates, fallback } = agent.places(io.env);
  const found: LocatedFile[] = [];
  for (const path of candidates) {
    const file = resolve(io.cwd, path);
    const text = await io.files.read(file);
    if (text !== undefined) found.push({ file, text });
  }
  const [first] = found;
  if (found.length < 2) {
    return first ?? { file: resolve(io.cwd, fallback), text: undefined };
  }
  // One that cannot be read has no entry; whoever edits it says what is wrong with it.
  return found.find(({ text }) =>
    valueAt(readable(agent.format, text!) ?? {}, pathOf(agent)) !== undefined
  ) ?? first!;
}

/**
 * Does something with the file of an agent.
 *
 * @throws {CliFailure} If the file cannot be used.
 */
export async function atItsFile<T>(
  io: FileWorld,
  agent: Agent,
  work: (located: LocatedFile) => T | Promise<T>,
): Promise<T> {
  let file = agent.places(io.env).fallback;
  try {
    const located = await locate(agent, io);
    file = located.file;
    return await work(located);
  } catch (error) {
    throw fileFailure(agent, file, error);
  }
}

/** Agents whose program, directory or file is here. */
export async function presentAgents(io: FileWorld): Promise<Agent[]> {
  const found: Agent[] = [];
  for (const agent of Object.values(AGENTS)) {
    const isUsed = await firstOf(placesOf(agent, io), io) ??
      await programPath(agent.program, io);
    if (isUsed !== undefined) found.push(agent);
  }
  return found;
}

/** Files and directories that are looked at, without those in `PATH`; for people. */
export function inspectedPaths({ env, cwd }: FileWorld): string[] {
  return Object.values(AGENTS).flatMap((agent) => {
    const { directory, fallback } = agent.places(env);
    const isInside = dirname(fallback) === directory;
    return [directory, ...(isInside ? [] : [fallback])]
      .map((path) => resolve(cwd, path));
  });
}

/** Every place that shows that an agent is here. */
function placesOf(agent: Agent, { env, cwd }: FileWorld): string[] {
  const { directory, candidates } = agent.places(env);
  const isConfigured = env.OPENCODE_CONFIG && agent.id === "opencode";
  const files = [...candidates, ...(isConfigured ? [] : [directory])];
  return files.map((path) => resolve(cwd, path));
}

/** Where a program is; `undefined` when it is not in `PATH`. */
export async function programPath(
  name: string,
  world: FileWorld,
): Promise<string | undefined> {
  const { env: { PATH = "" }, cwd } = world;
  const paths = PATH.split(delimiter).filter(Boolean).flatMap((directory) =>
    PROGRAM_ENDINGS.map((ending) => resolve(cwd, directory, name + ending))
  );
  return await firstOf(paths, world);
}

async function firstOf(
  paths: readonly string[],
  { files }: FileWorld,
): Promise<string | undefined> {
  for (const path of paths) if (await files.exists(path)) return path;
  return undefined;
}

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
  const proxy = env.SVC_PROXY_URL &&
    { SVC_PROXY_URL: SETTINGS.proxyUrl.parse(env.SVC_PROXY_URL) };
  return {
    command: [...io.selfCommand(), "mcp", "serve", ...flags],
    env: {
      ...pathsIn(env, cwd, DIRECTORIES),
      ...given(env, PASSED_ON),
      ...proxy,
    },
  };
}

/** The proxy's URL that a registered command names. */
export function proxyUrlOf({ command }: Launch): string | undefined {
  const at = command.lastIndexOf(PROXY_FLAG);
  return at < 0 ? undefined : command[at + 1];
}
