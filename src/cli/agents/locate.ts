/** Which agents are on this machine, and which of their files is meant. @module */
import { delimiter, dirname, join, resolve } from "node:path";
import type { CliIo } from "../io.ts";
import { type Agent, ConfigFault } from "./agent.ts";
import { AGENTS } from "./registry.ts";
import { entryOf } from "./config_edit.ts";

/** The part of the outside world that is looked at. */
export type Surroundings = Pick<CliIo, "env" | "cwd" | "files">;

/** Endings of programs; those of Windows too, since a name with one is found nowhere else. */
export const PROGRAM_ENDINGS: readonly string[] = ["", ".exe", ".cmd"];

/** A file that an agent reads. */
export interface LocatedFile {
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
  io: Surroundings,
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
  return found.find(({ text }) => hasEntry(agent, text!)) ?? first!;
}

/** Agents whose program, directory or file is here. */
export async function presentAgents(io: Surroundings): Promise<Agent[]> {
  const found: Agent[] = [];
  for (const agent of Object.values(AGENTS)) {
    const places = await placesOf(agent, io);
    for (const place of places) {
      if (!await io.files.exists(place)) continue;
      found.push(agent);
      break;
    }
  }
  return found;
}

/** Files and directories that are looked at, without those in `PATH`; for people. */
export function lookedAt({ env, cwd }: Surroundings): string[] {
  return Object.values(AGENTS).flatMap((agent) => {
    const { directory, fallback } = agent.places(env);
    const isInside = dirname(fallback) === directory;
    return [directory, ...(isInside ? [] : [fallback])]
      .map((path) => resolve(cwd, path));
  });
}

/** Every place that shows that an agent is here. */
function placesOf(agent: Agent, { env, cwd }: Surroundings): string[] {
  const { directory, candidates } = agent.places(env);
  const programs = (env.PATH ?? "").split(delimiter).filter(Boolean)
    .flatMap((path) =>
      PROGRAM_ENDINGS.map((ending) => join(path, agent.program + ending))
    );
  const isConfigured = env.OPENCODE_CONFIG && agent.id === "opencode";
  const files = [...candidates, ...(isConfigured ? [] : [directory])];
  return [...files, ...programs].map((path) => resolve(cwd, path));
}

/** A file that cannot be read has no entry; whoever edits it says what is wrong with it. */
function hasEntry(agent: Agent, text: string): boolean {
  try {
    return entryOf(agent, text) !== undefined;
  } catch (error) {
    if (error instanceof ConfigFault) return false;
    throw error;
  }
}
