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
  /** Removes what was made. */
  remove(): Promise<void>;
}

/** No files. */
const NONE: RunFiles = { args: [], remove: () => Promise.resolve() };

/**
 * Edits the agent's file, or makes one, as far as the agent needs that. {@linkcode undoEndedRuns} takes edits back.
 *
 * @throws {CliFailure} If a file cannot be edited: it is as it was.
 */
export async function writeRunFiles(
  io: CliIo,
  { base, pointing, wish }: WrapPlan,
  leases: Leases,
): Promise<RunFiles> {
  const { edit, scratch } = pointing;
  if (scratch !== undefined) {
    const { option } = scratch;
    const path = await leases.writeScratch(wish.config.port, scratch);
    return { args: [option, path], remove: () => io.files.remove(path) };
  }
  if (edit === undefined) return NONE;
  await refuseKept(io, edit);
  await leases.alone(async () => {
    refuseOtherRun(edit, {
      port: wish.config.port,
      taken: await leases.portOf(edit.id),
    });
    const request = { agent: edit, base, dryRun: false, forRun: true } as const;
    await keepAgent(talkOnly(io), request);
  });
  return NONE;
}

/** Gives back what runs have edited that were killed; where another wrap is at work, that one does. */
export async function undoDeadRuns(io: CliIo, leases: Leases): Promise<void> {
  try {
    await undoEndedRuns(io, leases, 1);
  } catch (error) {
    if (systemCode(error) !== "EBUSY") throw error;
  }
}

/**
 * Gives back what runs have edited that have ended. A run calls this once its own lease is released: of two runs that
 * end at once, each would otherwise leave it to the other.
 *
 * @param maxWaits Times to wait five seconds for another wrap.
 * @throws {Error} The system's, with `code` `EBUSY` after the last wait.
 */
export async function undoEndedRuns(
  io: CliIo,
  leases: Leases,
  maxWaits?: number,
): Promise<void> {
  if ((await deadRuns(io, leases)).length === 0) return;
  await leases.alone(async () => {
    // One of them may have begun anew.
    await undoRuns(talkOnly(io), await deadRuns(io, leases));
  }, maxWaits);
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
    if (await leases.portOf(agent.id) === undefined) dead.push(agent);
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

/** A file leads to one proxy: that of an agent which runs already stays. */
function refuseOtherRun(
  { id, title }: Keepable,
  { port, taken }: {
    readonly port: number;
    readonly taken: number | undefined;
  },
): void {
  if (taken === undefined || taken === port) return;
  throw new CliFailure(
    `Cannot edit the file of ${title} for one run: another svc wrap ${id} runs, and the file leads to its proxy on port ${taken}. Use that one with --port ${taken}, or end the other run first`,
  );
}

/** Standard output belongs to the agent. */
function talkOnly(io: CliIo): CliIo {
  const decoder = new TextDecoder();
  const stdout = (bytes: Uint8Array) =>
    io.stderr(`svc: ${decoder.decode(bytes)}`);
  return { ...io, stdout };
}
