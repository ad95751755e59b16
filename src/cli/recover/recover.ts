/** `svc recover`: takes what homes of earlier wraps hold into the durable home of an agent. @module */
import { join, relative, resolve } from "node:path";
import { resolvePaths } from "../../settings/paths.ts";
import { fileFailure, say } from "../agents/report.ts";
import { cleanText } from "../clean_text.ts";
import { CliFailure, EXIT_FAILED, EXIT_USAGE } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { entryAt } from "../uninstall/disk.ts";
import { isAgreed } from "../uninstall/uninstall.ts";
import { auditText } from "./audit.ts";
import { carryOut, dropParts } from "./carry_out.ts";
import { type AgentHome, retainedHomes } from "./homes.ts";
import { type Finding, planOf, type Sides } from "./plan.ts";

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
    io.stdout(new TextEncoder().encode(await auditText(home, durable)));
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
  const root = resolve(io.cwd, resolvePaths(io.env).workspace, "recover");
  const lock = join(root, ".lock");
  try {
    await io.files.alone(lock, async () => {
      for (const source of found) {
        await recoverOne({ home, source, target: durable }, root, io);
      }
    });
  } catch (error) {
    throw fileFailure(home, lock, error);
  } finally {
    await dropParts(root);
  }
  return 0;
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
  throw new CliFailure(
    `Cannot use --source ${given}: it must be a directory apart from ${target}`,
    EXIT_USAGE,
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
