/** The version of an agent, read from the files around its program: nothing is started. @module */
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { isRecord } from "../agents/agent.ts";
import { PROGRAM_ENDINGS, type Surroundings } from "../agents/locate.ts";
import { systemCode } from "../failure.ts";
import type { AgentRow } from "./agent_rows.ts";
import type { Machine } from "./machine.ts";

/** Directories above a program in which its package may be. */
const LEVELS = 5;

/** Where a program is; `undefined` when it is not in `PATH`. */
export async function programPath(
  name: string,
  { env, cwd, files }: Surroundings,
): Promise<string | undefined> {
  for (const directory of (env.PATH ?? "").split(delimiter).filter(Boolean)) {
    for (const ending of PROGRAM_ENDINGS) {
      const path = resolve(cwd, directory, name + ending);
      if (await files.exists(path)) return path;
    }
  }
  return undefined;
}

/** The version; `undefined` where the program is not in `PATH`, or nothing says it. */
export async function installedVersion(
  row: Pick<AgentRow, "program" | "package">,
  world: Surroundings,
  machine: Pick<Machine, "realPath">,
): Promise<string | undefined> {
  const found = await programPath(row.program, world);
  if (found === undefined) return undefined;
  const program = await machine.realPath(found);
  return await npmVersion(row, [program, found], world) ??
    await pythonVersion(row, program, world) ??
    /[\\/]v?(\d+\.\d+\.\d+)(?=[\\/]|$)/.exec(program)?.[1];
}

/** Directory of a package: above it is that of whoever installed it. */
const PACKAGE = /[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/@]+$/;

async function npmVersion(
  { package: name = "" }: Pick<AgentRow, "package">,
  [program = "", found = ""]: readonly string[],
  { files }: Surroundings,
): Promise<string | undefined> {
  // On Windows the program is a script beside its package.
  const places = [join(dirname(found), "node_modules", name)];
  for (let at = dirname(program); places.length <= LEVELS; at = dirname(at)) {
    places.push(at);
  }
  for (const place of places.filter((path) => PACKAGE.test(path))) {
    const version = versionIn(await textAt(join(place, "package.json"), files));
    if (version !== undefined) return version;
  }
  return undefined;
}

/** A file that cannot be read says nothing. */
async function textAt(
  path: string,
  files: Surroundings["files"],
): Promise<string | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function versionIn(text: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    const version = isRecord(value) && isNamed(value) && value["version"];
    return typeof version === "string" ? version : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Files inside packages say only how modules are read. */
function isNamed(value: Readonly<Record<string, unknown>>): boolean {
  return typeof value["name"] === "string";
}

async function pythonVersion(
  { package: name }: Pick<AgentRow, "package">,
  program: string,
  { files }: Surroundings,
): Promise<string | undefined> {
  if (name === undefined || basename(dirname(program)) !== "bin") {
    return undefined;
  }
  const lib = join(dirname(program), "..", "lib");
  const record = new RegExp(
    `^${RegExp.escape(name.replaceAll("-", "_"))}-(.+)\\.dist-info$`,
    "i",
  );
  for (const python of await files.namesIn(lib)) {
    if (!python.startsWith("python")) continue;
    for (
      const entry of await files.namesIn(join(lib, python, "site-packages"))
    ) {
      const [, version] = record.exec(entry) ?? [];
      if (version !== undefined) return version;
    }
  }
  return undefined;
}
