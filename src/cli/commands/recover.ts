/** `svc recover`: take what homes of earlier wraps hold into an agent's durable home. @module */
import { thisMachine } from "../doctor/machine.ts";
import { print, say } from "../terminal.ts";
import type { Define } from "./options.ts";
import { Argument } from "@commander-js/extra-typings";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { CliFailure, EXIT_FAILED, usageFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import {
  AGENT_HOMES,
  type AgentHome,
  auditText,
  retainedHomes,
} from "../recover/homes.ts";
import { entriesIn, entryAt } from "../uninstall/disk.ts";
import { resolvePaths } from "../../settings/paths.ts";
import { fileFailure } from "../agents/report.ts";
import { cleanText } from "../words.ts";
import { isAgreed } from "./uninstall.ts";
import { type Finding, planOf, type Sides } from "../recover/plan.ts";
import type { FileAccess, TextChange } from "../files.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc recover codex                       what old homes have, and what would be taken
  svc recover codex --yes                 take it
  svc recover claude --source ~/old-home  from a home that you name
`;

/** Ends the help page. */
export const NOTES = `
Looks for temporary homes that another product's wraps of Codex left behind. New
sessions, lines of histories and settings are taken; where both homes have one,
the agent's own wins. A session that was continued in both is kept twice, the
second under an id of its own. Nothing is removed. Backups of both homes are in
the workspace (SVC_WORKSPACE_DIR, default ~/.svc), in recover/. End the agent
first. If nothing is found, it lists what that home has.
Exit codes: 0 taken, shown, or nothing to take; 1 the answer was no, or a file
could not be used; 2 an argument is invalid.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  command
    .addArgument(
      new Argument("<agent>", "whose homes")
        .choices(AGENT_HOMES.map(({ id }) => id)),
    )
    .option("--source <directory...>", "take from these homes only")
    .option("--target <directory>", "take into this home")
    .option("-y, --yes", "do not ask")
    .action(async (name, { source: sources = [], target, yes = false }) => {
      const home = AGENT_HOMES.find(({ id }) => id === name)!;
      const world = {
        canAsk: Deno.stdin.isTerminal(),
        userId: thisMachine().userId,
        temporary: await temporaryDirectories(io.env.TMPDIR),
      };
      done(await runRecover({ home, sources, target, yes }, io, world));
    });
};

/** Where programs of this user put temporary files; macOS gives each user a directory. */
async function temporaryDirectories(
  named: string | undefined,
): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const { path } of await entriesIn("/private/var/folders")) {
    for (const user of await entriesIn(path)) {
      folders.push(join(user.path, "T"));
    }
  }
  return [named ?? tmpdir(), "/tmp", "/private/tmp", ...folders];
}

/** What to take from where. */
export interface RecoverRun {
  /** Whose homes. */
  readonly home: AgentHome;
  /** Homes to take from; those that are found when none is named. */
  readonly sources: readonly string[];
  /** Where to; the durable home when not named. */
  readonly target?: string | undefined;
  /** Nobody is asked. */
  readonly yes: boolean;
}

/** The machine and its user, beside the outside world of every command. */
export interface RecoverWorld {
  /** Whether somebody can answer on standard input. */
  readonly canAsk: boolean;
  /** Number of the present user; `null` where the system has none. */
  readonly userId: number | null;
  /** Temporary directories. */
  readonly temporary: readonly string[];
}

/**
 * Shows the plan on stdout, asks on stderr.
 *
 * @returns Exit code: 0 taken, shown, or nothing to take; 1 the answer was no.
 * @throws {CliFailure} If a directory or a file cannot be used.
 */
export async function runRecover(
  { home, sources, target, yes }: RecoverRun,
  io: CliIo,
  world: RecoverWorld,
): Promise<number> {
  const durable = await realOf(resolve(io.cwd, target ?? home.durable(io.env)));
  const found = sources.length > 0
    ? await Promise.all(sources.map((path) => sourceAt(path, durable, io)))
    : (await retainedHomes(home, world.temporary, world.userId))
      .filter((path) => path !== durable);
  if (found.length === 0) {
    say(io, `No home of an earlier wrap of ${home.title} was found.`);
    print(io, await auditText(home, durable));
    return 0;
  }
  let steps = 0;
  for (const source of found) {
    const plan = await planOf({ home, source, target: durable });
    say(io, planText(plan, { source, target: durable }));
    steps += plan.filter(isStep).length;
  }
  if (steps === 0) return 0;
  if (!yes && !world.canAsk) {
    io.stderr("Nothing was changed. Add --yes to do it.\n");
    return 0;
  }
  const question = "Do it, with backups of both sides? [y/N] ";
  if (!yes && !await isAgreed(io, question)) {
    io.stderr("Nothing was changed.\n");
    return EXIT_FAILED;
  }
  await recoverAll(
    found.map((source) => ({ home, source, target: durable })),
    resolve(io.cwd, resolvePaths(io.env).workspace, "recover"),
    io,
  );
  return 0;
}

async function recoverAll(
  all: readonly Sides[],
  root: string,
  io: CliIo,
): Promise<void> {
  const lock = join(root, ".lock");
  try {
    await io.files.alone(lock, async () => {
      for (const sides of all) await recoverOne(sides, root, io);
    });
  } catch (error) {
    throw fileFailure(all[0]!.home, lock, error);
  } finally {
    await dropParts(root);
  }
}

async function recoverOne(
  sides: Sides,
  root: string,
  io: CliIo,
): Promise<void> {
  // An earlier source may have brought some of it.
  const plan = await planOf(sides);
  if (!plan.some(isStep)) return;
  const stamp = new Date(io.now()).toISOString().replace(/[^\dTZ]/g, "");
  let backup = join(root, `${sides.home.id}-${stamp}`);
  for (let next = 2; await entryAt(backup, "") !== undefined; next++) {
    backup = join(root, `${sides.home.id}-${stamp}-${next}`);
  }
  try {
    await carryOut(plan, sides, { files: io.files, backup });
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    throw new CliFailure(
      `${error.message}. What was taken before stays; run it again to go on`,
    );
  }
  say(io, cleanText(`Taken from ${sides.source}, which stays as it is.`));
  say(io, `Both sides from before are in ${backup}`);
  const { afterwards } = sides.home;
  if (afterwards !== undefined) say(io, afterwards);
}

async function realOf(path: string): Promise<string> {
  return await entryAt(path, "") === undefined
    ? path
    : await Deno.realPath(path);
}

async function sourceAt(
  given: string,
  target: string,
  { cwd }: Pick<CliIo, "cwd">,
): Promise<string> {
  const path = await realOf(resolve(cwd, given));
  const isApart = [relative(path, target), relative(target, path)]
    .every((way) => /^\.\.([\\/]|$)/.test(way));
  if ((await entryAt(path, ""))?.kind === "directory" && isApart) return path;
  throw usageFailure(
    `Cannot use --source ${given}: it must be a directory apart from ${target}`,
  );
}

function isStep({ content }: Finding): boolean {
  return content !== undefined;
}

function planText(
  plan: readonly Finding[],
  { source, target }: Pick<Sides, "source" | "target">,
): string {
  const head = plan.some(isStep)
    ? `From ${source} to ${target}:`
    : `${source} holds nothing to be taken to ${target}`;
  const lines = plan.map((finding) =>
    `  ${isStep(finding) ? "+" : "="} ${finding.path}: ${finding.what}`
  );
  return [head, ...lines]
    .map((line) => cleanText(line).replaceAll("\n", "\u240a")).join("\n");
}

/** End of the names of drafts: one at a time, so that what a kill leaves is written over. */
const DRAFT = "svc-draft";
/** Says what was made and replaced; the last file of a backup: without it the backup is not whole. */
const LIST = "list.json";

/**
 * Every write comes after both backups are whole, and is all or nothing: what an interruption leaves undone is done by
 * the next run, which plans anew.
 *
 * @param backup Directory to be made for what both sides hold, `source` and `durable`.
 * @throws {CliFailure} If a file cannot be used.
 */
export async function carryOut(
  findings: readonly Finding[],
  { home, source, target }: Sides,
  { files, backup }: { readonly files: FileAccess; readonly backup: string },
): Promise<void> {
  const write = async (
    path: string,
    after: TextChange["after"],
    before?: Uint8Array,
  ) => {
    try {
      await files.replace(path, { before, after, temporary: DRAFT });
    } catch (error) {
      throw fileFailure(home, path, error);
    }
  };
  for (const path of new Set(findings.flatMap(({ from }) => from ?? []))) {
    const bytes = await Deno.readFile(join(source, path));
    await write(join(backup, "source", path), bytes);
  }
  const steps = findings.filter(({ content }) => content !== undefined);
  for (const { path, before } of steps) {
    if (before) await write(join(backup, "durable", path), before);
  }
  const pathsOf = (all: readonly Finding[]) => all.map(({ path }) => path);
  const made = pathsOf(steps.filter(({ before }) => before === undefined));
  const replaced = pathsOf(steps.filter(({ before }) => before !== undefined));
  const list = JSON.stringify({ source, target, made, replaced }, null, 2);
  await write(join(backup, LIST), `${list}\n`);
  for (const { from = "", path, before, content } of steps) {
    const bytes = await Deno.readFile(join(backup, "source", from));
    const place = join(target, path);
    await write(place, content!(bytes), before);
    // Agents list sessions by the time of their last change.
    const { mtime } = await Deno.stat(join(source, from));
    if (mtime && !before) await Deno.utime(place, mtime, mtime);
  }
}

/** Removes backups that are not whole: nothing was changed then. */
async function dropParts(root: string): Promise<void> {
  for (const { path, kind } of await entriesIn(root)) {
    const isWhole = await entryAt(path, LIST) !== undefined;
    if (kind !== "directory" || isWhole) continue;
    await Deno.remove(path, { recursive: true });
  }
}
