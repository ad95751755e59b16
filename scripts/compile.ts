/**
 * Makes one file of svc, with everything in it, and a file with its checksum.
 *
 * `deno compile` does it where its base for the target can be had; else, on
 * Linux and for this machine, it is a script that unpacks itself.
 *
 * Usage: `deno task compile [--target T] [--out dist] [--name svc] [--self-extracting] [--quick]`. Ends with 1 when
 * the target cannot be built here. `--quick` is for tests: it packs faster and larger, and leaves out the licences of
 * what is inside. `SVC_RELEASES_URL` is the address of the releases that the program names; without it, none.
 *
 * @module
 */
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildInfo } from "../src/build_info.ts";
import { bundledNotices, bundleProgram } from "./compile/bundle.ts";
import { releasesIn } from "./releases.ts";
import { ProgramFailure, runProgram } from "./compile/run_program.ts";
import { runtimeFlags } from "./compile/runtime_flags.ts";
import { selfExtractingFile, sha256 } from "./compile/self_extracting.ts";
import {
  fileNameFor,
  type Target,
  targetNamed,
  unameOf,
} from "./compile/targets.ts";

const ROOT = resolve(import.meta.dirname!, "..");
const HOST = Deno.build.target;

/** gzip's levels: the larger file takes a fifth of the time. */
const QUICK = 1;
const SMALL = 9;

/** The step of `deno compile` that fetches denort, the runtime's base for compiled programs. */
const NO_BASE = /Setting up base binary|denort/;

interface Options {
  readonly target: Target;
  /** Path of the program that is made. */
  readonly file: string;
  readonly isSelfExtracting: boolean;
  readonly level: number;
}

try {
  await build(optionsIn(Deno.args));
} catch (error) {
  // deno-lint-ignore no-console
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}

function optionsIn(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      target: { type: "string", default: HOST },
      out: { type: "string", default: join(ROOT, "dist") },
      name: { type: "string" },
      "self-extracting": { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
    },
  });
  const target = targetNamed(values.target);
  return {
    target,
    file: resolve(values.out, fileNameFor(target, values.name)),
    isSelfExtracting: values["self-extracting"],
    level: values.quick ? QUICK : SMALL,
  };
}

async function build({ file, ...options }: Options): Promise<void> {
  const name = basename(file);
  const directory = await Deno.makeTempDir({ prefix: "svc-build-" });
  try {
    const made = join(directory, name);
    const way = await buildBelow(directory, { ...options, file: made });
    if (options.target === HOST) await tryOut(made, directory, way);
    const sum = sha256(await Deno.readFile(made));
    await Deno.mkdir(dirname(file), { recursive: true });
    await replace(file, made);
    await Deno.writeTextFile(`${file}.sha256`, `${sum}  ${name}\n`);
    const { size } = await Deno.stat(file);
    say(`${file}: ${way}, ${(size / 1e6).toFixed(1)} MB, sha256 ${sum}`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Builds the file in the best way there is; the result is that way's name. */
async function buildBelow(
  directory: string,
  { target, file, isSelfExtracting, level }: Options,
): Promise<string> {
  const project = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  const flags = runtimeFlags(project);
  const licences = level === QUICK ? undefined : await bundledNotices(ROOT);
  const { commit } = buildInfo();
  const releases = releasesIn(Deno.env.toObject());
  const bundle = async (way: string, hasLauncher: boolean) => {
    const out = join(directory, "app");
    const facts = {
      ...commit !== undefined && { commit },
      ...releases !== undefined && { releases },
      way,
    };
    const made = await bundleProgram({ root: ROOT, out, facts, hasLauncher });
    if (licences !== undefined) {
      await Deno.writeTextFile(join(out, "THIRD_PARTY_NOTICES.md"), licences);
    }
    return made;
  };
  if (!isSelfExtracting) {
    await bundle("deno compile", false);
    const app = join(directory, "app");
    const reason = await compileOneFile({ app, target, flags, out: file });
    if (reason === undefined) return "deno compile";
    if (!canUnpackItself(target)) throw missingBase(target, reason);
    say(`deno compile cannot be used here: ${reason}`);
    await Deno.remove(app, { recursive: true });
  } else if (!canUnpackItself(target)) throw otherMachine(target);
  const modules = await bundle("self-extracting file", true);
  const bytes = await selfExtractingFile({
    directory,
    modules,
    target,
    flags,
    level,
  });
  await Deno.writeFile(file, bytes);
  await Deno.chmod(file, 0o755);
  return "self-extracting file";
}

/** What to build. */
interface OneFileOptions {
  /** Directory with `main.js`, the bundle. */
  readonly app: string;
  /** Machine the file shall run on. */
  readonly target: Target;
  /** Flags of the runtime. */
  readonly flags: readonly string[];
  /** The file to make. */
  readonly out: string;
}

/**
 * Compiles a bundle.
 *
 * @returns `undefined` when the file is there; else why denort cannot be had, in the words of `deno compile`.
 * @throws {Error} If it fails for another reason.
 */
async function compileOneFile(
  { app, target, flags, out }: OneFileOptions,
): Promise<string | undefined> {
  try {
    await runProgram({
      command: [
        ...[Deno.execPath(), "compile", "--quiet", "--no-check"],
        ...["--no-config", "--no-lock", ...flags, "--target", target],
        ...["--include", app, "--output", out, join(app, "main.js")],
      ],
    });
    return undefined;
  } catch (error) {
    if (error instanceof ProgramFailure && NO_BASE.test(error.said)) {
      return lastWords(error.said);
    }
    throw error;
  }
}

/** The chain of causes as one line. */
function lastWords(said: string): string {
  const lines = said.split("\n").map((line) => line.trim());
  const causes = lines.filter((line) => /^\d+: /.test(line));
  const text = causes.map((line) => line.replace(/^\d+: /, "")).slice(1, 2);
  return text[0] ?? lines.find((line) => line !== "") ?? "no reason given";
}

/** It carries this process's runtime, and needs a shell. */
function canUnpackItself(target: Target): boolean {
  return target === HOST && unameOf(target) !== undefined;
}

/** A file that is being run cannot be written, but another can take its place. */
async function replace(file: string, made: string): Promise<void> {
  const next = `${file}.${Deno.pid}`;
  await Deno.copyFile(made, next);
  await Deno.rename(next, file);
}

/** Starts what was built: a file that does not run is no result. */
async function tryOut(
  file: string,
  directory: string,
  way: string,
): Promise<void> {
  const env = { XDG_CACHE_HOME: join(directory, "cache") };
  const said = await runProgram({ command: [file, "--version"], env });
  if (said.trimEnd().endsWith(`${way})`)) return;
  const base = Deno.env.get("DENORT_BIN");
  throw new Error(
    `Cannot use what was built: its --version says "${said.split("\n")[0]}"` +
      (base ? `; DENORT_BIN="${base}" must be the denort of this Deno` : ""),
  );
}

function missingBase(target: Target, reason: string): Error {
  return new Error(
    `Cannot build for ${target} here: deno compile needs denort, the base of compiled programs, for that target, and it cannot be had (${reason}). ` +
      `Allow access to dl.deno.land, or name the file in DENORT_BIN (denort-${target}.zip of Deno ${Deno.version.deno} holds it)` +
      (unameOf(target) === undefined
        ? ""
        : "; or build on such a machine, where no denort is needed"),
  );
}

function otherMachine(target: Target): Error {
  return new Error(
    `Cannot build a self-extracting file for ${target} on ${HOST}: it carries this machine's runtime. Build it on a Linux machine of that kind, or leave out --self-extracting`,
  );
}

function say(text: string): void {
  // deno-lint-ignore no-console
  console.error(text);
}
