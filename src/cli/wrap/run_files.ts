/** Files that say for one run where an agent sends its requests. @module */
import { keepAgent, ownerOf } from "../edits/keep.ts";
import { ALL_KEEPABLE, type Keepable } from "../edits/keep_rows.ts";
import { Journals } from "../edits/transaction.ts";
import { unwrapAll } from "../edits/unwrap.ts";
import { CliFailure, systemCode } from "../failure.ts";
import type { CliIo } from "../io.ts";
import type { Leases } from "./leases.ts";
import type { WrapPlan } from "./plan.ts";

/** Files of a run. */
export interface RunFiles {
  /** Arguments that name them. */
  readonly args: readonly string[];
  /** Gives back what was edited, and removes what was made. */
  undo(): Promise<void>;
}

/** No files. */
const NONE: RunFiles = { args: [], undo: () => Promise.resolve() };

/**
 * Edits the agent's file, or makes one, as far as the agent needs that.
 *
 * @throws {CliFailure} If a file cannot be edited: it is as it was.
 */
export async function writeRunFiles(
  io: CliIo,
  { agent, base, pointing, wish }: WrapPlan,
  leases: Leases,
): Promise<RunFiles> {
  const { edit, scratch } = pointing;
  if (scratch !== undefined) {
    const { option } = scratch;
    const path = await leases.writeScratch(wish.config.port, scratch);
    return { args: [option, path], undo: () => io.files.remove(path) };
  }
  if (edit === undefined) return NONE;
  const quiet = talkOnly(io);
  await refuseKept(io, edit);
  await leases.alone(() =>
    keepAgent(quiet, { agent: edit, base, dryRun: false, forRun: true })
  );
  return {
    args: [],
    // Another run of the agent may have begun: the last one gives it back.
    undo: () =>
      leases.alone(async () => {
        if (!await leases.has(agent.id)) await undoRuns(quiet, [edit]);
      }),
  };
}

/** Gives back what runs have edited that were killed; where another wrap is at work, that one does. */
export async function undoDeadRuns(io: CliIo, leases: Leases): Promise<void> {
  const dead = await deadRuns(io, leases);
  if (dead.length === 0) return;
  try {
    await leases.alone(async () => {
      // One of them may have begun anew.
      await undoRuns(talkOnly(io), await deadRuns(io, leases));
    }, 1);
  } catch (error) {
    if (systemCode(error) !== "EBUSY") throw error;
  }
}

/** Agents whose files a run has edited that does not run any more. */
async function deadRuns(
  io: CliIo,
  leases: Leases,
): Promise<readonly Keepable[]> {
  const owners = await new Journals(io).owners();
  const dead: Keepable[] = [];
  for (const agent of ALL_KEEPABLE) {
    if (!owners.includes(ownerOf(agent, "run"))) continue;
    if (!await leases.has(agent.id)) dead.push(agent);
  }
  return dead;
}

async function undoRuns(
  io: CliIo,
  agents: readonly Keepable[],
): Promise<void> {
  await unwrapAll(io, { agents, dryRun: false, purposes: ["run"] });
}

/** What was edited for good stays: a run would not know what to give back. */
async function refuseKept(io: CliIo, { id, title }: Keepable): Promise<void> {
  const kept = await new Journals(io).of(`wrap-${id}`);
  if (kept === undefined) return;
  throw new CliFailure(
    `Cannot edit the file of ${title} for one run: svc wrap ${id} --keep has edited it for good. Start ${title} without svc, or undo that with svc unwrap ${id}`,
  );
}

/** Standard output belongs to the agent. */
function talkOnly(io: CliIo): CliIo {
  const decoder = new TextDecoder();
  const stdout = (bytes: Uint8Array) =>
    io.stderr(`svc: ${decoder.decode(bytes)}`);
  return { ...io, stdout };
}
