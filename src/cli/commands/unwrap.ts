/** `svc unwrap`: give agents' files back as they were before `svc wrap --keep`. @module */
import { say } from "../terminal.ts";
import type { Define } from "./options.ts";
import type { CliIo, FileWorld } from "../io.ts";
import { Argument } from "@commander-js/extra-typings";
import { ALL_KEEPABLE, type Keepable } from "../edits/keep_rows.ts";
import { EXIT_FAILED, usageFailure } from "../failure.ts";
import { fileFailure, forEach, showEdit } from "../agents/report.ts";
import { undoText } from "../edits/file_plan.ts";
import type { EditedFile, Journal, PendingWrite } from "../edits/journal.ts";
import { type EditPurpose, ownerOf, writeOf } from "../edits/keep.ts";
import { Journals, withJournals } from "../edits/transaction.ts";
import { Leases } from "../wrap/leases.ts";
import { denoSystem } from "../wrap/system.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc unwrap claude            restore its file
  svc unwrap --all --dry-run   show what would change for all agents
`;

/** Ends the help page. */
export const NOTES = `
A file that was not changed since is restored byte for byte. In any other, only
what svc set is removed, and what it replaced is put back; your changes stay.
Exit codes: 0 restored, or nothing to restore; 1 a file could not be edited, or a
running agent needs it.
`;

/** Gives files back, but for those that a running agent needs: its wrap does that at the end. */
async function unwrapIdle(
  io: CliIo,
  agents: readonly Keepable[],
  dryRun: boolean,
): Promise<number> {
  const leases = new Leases(io, denoSystem());
  const owners = await new Journals(io).owners();
  let exitCode = 0;
  const idle: Keepable[] = [];
  for (const agent of agents) {
    const isRunning = owners.includes(ownerOf(agent, "run")) &&
      await leases.portOf(agent.id) !== undefined;
    if (!isRunning) idle.push(agent);
    else {
      exitCode = EXIT_FAILED;
      io.stderr(
        `${agent.title}: svc wrap ${agent.id} runs and needs the file; it restores it at its end\n`,
      );
    }
  }
  return Math.max(exitCode, await unwrapAll(io, { agents: idle, dryRun }));
}

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  command
    .addArgument(
      new Argument("[agents...]", "whose files to restore")
        .choices(ALL_KEEPABLE.map(({ id }) => id)),
    )
    .option("--all", "all agents")
    .option("--dry-run", "show the changes, make none")
    .action(async (names, { all = false, dryRun = false }) => {
      if (all === names.length > 0) {
        throw usageFailure(
          `Cannot unwrap: name agents, or all of them with --all (${
            ALL_KEEPABLE.map(({ id }) => id).join(", ")
          })`,
        );
      }
      const agents = all
        ? ALL_KEEPABLE
        : ALL_KEEPABLE.filter(({ id }) => names.includes(id));
      done(await unwrapIdle(io, agents, dryRun));
    });
};

/** Whose files to give back. */
interface UnwrapRequest {
  /** Agents, in this order. */
  readonly agents: readonly Keepable[];
  /** Only show what would change. */
  readonly dryRun: boolean;
  /** Which edits; those for good and those of runs unless given. */
  readonly purposes?: readonly EditPurpose[];
}

const PURPOSES: readonly EditPurpose[] = ["wrap", "run"];

/**
 * Gives the files of these agents back; a failure with one does not keep the others from their turn.
 *
 * @returns Exit code: 1 if it failed for any.
 * @throws {CliFailure} If the journals cannot be used.
 */
export async function unwrapAll(
  io: CliIo,
  { agents, dryRun, purposes = PURPOSES }: UnwrapRequest,
): Promise<number> {
  const work = (journals: Journals) =>
    forEach(
      io,
      agents,
      (agent) => unwrapOne(io, agent, { journals, dryRun, purposes }),
    );
  // Where nothing was ever edited, nothing is made.
  const journals = new Journals(io);
  return dryRun || (await journals.owners()).length === 0
    ? await work(journals)
    : await withJournals(io, work);
}

/** A file that leads to the proxy because svc wrote so. */
interface WrappedFile {
  /** Whose file it is. */
  readonly agent: Keepable;
  /** Absolute path as it was named. */
  readonly path: string;
}

/**
 * Files that are edited from this workspace.
 *
 * @throws {CliFailure} If a journal cannot be read.
 */
export async function wrappedFiles(
  world: FileWorld,
): Promise<readonly WrappedFile[]> {
  const journals = new Journals(world);
  const all: WrappedFile[] = [];
  for (const agent of ALL_KEEPABLE) {
    for (const purpose of PURPOSES) {
      const journal = await journals.of(ownerOf(agent, purpose));
      const files = journal?.files ?? [];
      all.push(...files.map(({ path }) => ({ agent, path })));
    }
  }
  return all;
}

async function unwrapOne(
  io: CliIo,
  agent: Keepable,
  { journals, dryRun, purposes }: {
    readonly journals: Journals;
    readonly dryRun: boolean;
    readonly purposes: readonly EditPurpose[];
  },
): Promise<void> {
  const found = await Promise.all(
    // What was edited last is undone first.
    purposes.toReversed().map((purpose) =>
      journals.of(ownerOf(agent, purpose))
    ),
  );
  const present = found.filter((journal) => journal !== undefined);
  if (present.length === 0) {
    return say(io, `${agent.title}: nothing to give back`);
  }
  for (const journal of present) {
    await undoJournal(io, agent, { journals, dryRun, journal });
  }
}

async function undoJournal(
  io: CliIo,
  agent: Keepable,
  { journals, dryRun, journal }: {
    readonly journals: Journals;
    readonly dryRun: boolean;
    readonly journal: Journal;
  },
): Promise<void> {
  const pending: PendingWrite[] = [];
  const lines: string[] = [];
  for (const file of journal.files) {
    const { path } = file;
    try {
      const { before, after, target, told } = await undoneFile(io, file);
      lines.push(...told);
      pending.push(...writeOf(target, before, after));
      if (dryRun && before !== after) {
        const values = file.steps;
        showEdit(io, agent, { file: path, before, text: after, values });
      }
      if (!dryRun && file === journal.files.at(-1)) {
        await journals.commit(undoneJournal(journal, pending));
      }
    } catch (error) {
      throw fileFailure(agent, path, error);
    }
  }
  if (!dryRun) { for (const line of lines) say(io, `${agent.title}: ${line}`); }
}

/** A file as it is and as it will be, and what is said of it. */
interface UndoneFile {
  readonly target: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly told: readonly string[];
}

async function undoneFile(io: CliIo, file: EditedFile): Promise<UndoneFile> {
  const { path } = file;
  const target = await io.files.realPath(path);
  const before = await io.files.read(target);
  if (before === undefined) {
    const told = [`${path} is not there any more`];
    return { target, before, after: before, told };
  }
  const { text: after, kept } = undoText(before, file);
  const result = after === undefined
    ? `${path} was removed: svc made it`
    : after === file.before
    ? `${path} is as it was`
    : `${path} is without what svc set; later changes stay`;
  const told = [
    result,
    ...kept.map((keys) =>
      `${keys.join(".")} stays: it was changed after svc set it`
    ),
  ];
  return { target, before, after, told };
}

function undoneJournal(
  { owner, files }: Journal,
  pending: readonly PendingWrite[],
): Journal {
  const emptied = files.flatMap(({ directories }) => directories);
  return { owner, files: [], emptied, pending };
}
