/** Registers the MCP server with agents. @module */
import { CliFailure, EXIT_FAILED } from "../failure.ts";
import type { CliIo } from "../io.ts";
import type { Agent, Launch } from "./agent.ts";
import { withInstall } from "./install_record.ts";
import { locate } from "./locate.ts";
import { planInstall } from "./plan.ts";
import { openRecord, type RecordFile } from "./record_file.ts";
import {
  complain,
  entryText,
  fileFailure,
  say,
  showChange,
  toolNames,
} from "./report.ts";

/** What to register where. */
export interface InstallRequest {
  /** Agents, in this order. */
  readonly agents: readonly Agent[];
  /** What they are to start. */
  readonly launch: Launch;
  /** Whether an entry of somebody else is replaced. */
  readonly force: boolean;
  /** Whether the changes are only shown. */
  readonly dryRun: boolean;
}

/** Ending of the copy that is made before the first change. */
export const BACKUP_ENDING = ".svc-backup";

/**
 * Registers with each agent; a failure with one does not keep the others from their turn.
 *
 * @returns Exit code: 1 if it failed for any.
 * @throws {CliFailure} If the record of registrations cannot be read.
 */
export async function installAll(
  io: CliIo,
  request: InstallRequest,
): Promise<number> {
  let exitCode = 0;
  for (const agent of request.agents) {
    try {
      const record = await openRecord(io);
      await installOne(io, agent, { ...request, record });
    } catch (error) {
      complain(io, error);
      exitCode = EXIT_FAILED;
    }
  }
  return exitCode;
}

async function installOne(
  io: CliIo,
  agent: Agent,
  { record, dryRun, ...wish }: InstallRequest & { readonly record: RecordFile },
): Promise<void> {
  let file = agent.places(io.env).fallback;
  try {
    const located = await locate(agent, io);
    const before = located.text;
    file = located.file;
    const past = record.installs.find((install) =>
      install.agent === agent.id && install.file === file
    );
    const plan = planInstall(agent, { ...located, past }, wish);
    if (plan.type === "conflict") {
      throw new CliFailure(
        `Cannot register with ${agent.title}: ${file} has a server "svc" that differs from what svc wrote there or is not its own: ${
          entryText(plan.entry)
        }. Look at it, then use --force to replace it`,
      );
    }
    if (plan.type === "unchanged") {
      if (!dryRun) {
        await record.save(withInstall(record.installs, plan.install));
      }
      say(
        io,
        `${agent.title}: already registered in ${file}, nothing to change`,
      );
      return;
    }
    const change = { before, after: plan.text };
    if (dryRun) {
      const launches = [wish.launch, ...past ? [past.launch] : []];
      return showChange(io, agent, { file, ...change, launches });
    }
    await record.save(withInstall(record.installs, plan.install));
    const backup = file + BACKUP_ENDING;
    const isCopied = before !== undefined &&
      await io.files.copyOnce(file, backup);
    await io.files.replace(file, change);
    say(io, `${agent.title}: registered in ${file}`);
    if (isCopied) say(io, `  the file as it was: ${backup}`);
    say(io, `  tools: ${toolNames(agent).join(", ")}`);
  } catch (error) {
    throw fileFailure(agent, file, error);
  }
}
