/** Registers the MCP server with agents, and takes that out again. @module */
import { say } from "../terminal.ts";
import { CliFailure } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { type Agent, type Launch, SERVER_NAME } from "./agent.ts";
import { type Install, openRecord, type RecordFile } from "./record.ts";
import { atItsFile } from "./locate.ts";
import { entryOf, planInstall, planUninstall, withValue } from "./plan.ts";
import {
  entryText,
  fileFailure,
  forEach,
  showEdit,
  toolNames,
} from "./report.ts";
import { AGENTS } from "./registry.ts";

/** What to register where. */
interface InstallRequest {
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
const BACKUP_ENDING = ".svc-backup";

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
  return await forEach(io, request.agents, async (agent) => {
    const record = await openRecord(io);
    await installOne(io, agent, { ...request, record });
  });
}

async function installOne(
  io: CliIo,
  agent: Agent,
  { record, dryRun, ...wish }: InstallRequest & { readonly record: RecordFile },
): Promise<void> {
  await atItsFile(io, agent, async (located) => {
    const { file, text: before } = located;
    const past = record.of(agent.id, file);
    const plan = planInstall(agent, { ...located, past }, wish);
    if (plan.type === "conflict") {
      throw new CliFailure(
        `Cannot register with ${agent.title}: ${file} has a server "svc" that differs from what svc wrote there or is not its own: ${
          entryText(plan.entry)
        }. Look at it, then use --force to replace it`,
      );
    }
    if (plan.type === "unchanged") {
      if (!dryRun) await record.put(plan.install);
      return say(
        io,
        `${agent.title}: already registered in ${file}, nothing to change`,
      );
    }
    const { text } = plan;
    if (dryRun) {
      const launches = [wish.launch, ...past ? [past.launch] : []];
      const values = writtenFor(agent, launches);
      return showEdit(io, agent, { file, before, text, values });
    }
    await record.put(plan.install);
    const backup = file + BACKUP_ENDING;
    const isCopied = before !== undefined &&
      await io.files.copyOnce(file, backup);
    await io.files.replace(file, { before, after: text });
    say(io, `${agent.title}: registered in ${file}`);
    if (isCopied) say(io, `  the file as it was: ${backup}`);
    say(io, `  tools: ${toolNames(agent).join(", ")}`);
  });
}

/** What is written into a new file for launches. */
function writtenFor(agent: Agent, launches: readonly Launch[]) {
  return launches.map((launch) => ({
    value: agent.format.parse(withValue(agent, "", agent.valueOf(launch))),
  }));
}

/**
 * Undoes every recorded registration with these agents; a failure with one does not keep the others from their turn.
 *
 * @returns Exit code: 1 if it failed for any.
 * @throws {CliFailure} If the record of registrations cannot be read.
 */
export async function uninstallAll(
  io: CliIo,
  { agents, dryRun }: Pick<InstallRequest, "agents" | "dryRun">,
): Promise<number> {
  const { installs } = await openRecord(io);
  const steps = agents.flatMap((agent) => {
    const own = installs.filter((install) => install.agent === agent.id);
    return own.length === 0
      ? [() => reportNone(io, agent)]
      : own.map((install) => () => uninstallOne(io, install, dryRun));
  });
  return await forEach(io, steps, (step) => step());
}

async function uninstallOne(
  io: CliIo,
  past: Install,
  dryRun: boolean,
): Promise<void> {
  const agent = AGENTS[past.agent];
  const { file } = past;
  try {
    const before = await io.files.read(file);
    const plan = planUninstall(agent, { file, text: before, past });
    const isEdit = plan.type === "write" || plan.type === "delete";
    const after = plan.type === "write" ? plan.text : undefined;
    if (dryRun && isEdit) {
      const values = writtenFor(agent, [past.launch]);
      return showEdit(io, agent, { file, before, text: after, values });
    }
    if (after !== undefined) await io.files.replace(file, { before, after });
    if (plan.type === "delete") await io.files.remove(file);
    say(io, `${agent.title}: ${TOLD[plan.type](file)}`);
    if (plan.type === "foreign") say(io, `  ${entryText(plan.entry)}`);
    if (after !== undefined) await dropBackup(io, file, after);
    if (dryRun) return;
    await (await openRecord(io)).drop(past);
  } catch (error) {
    throw fileFailure(agent, file, error);
  }
}

/** What is said of each plan. */
const TOLD = {
  gone: (file: string) => `nothing to remove, ${file} has no server "svc"`,
  foreign: (file: string) =>
    `left alone, "${SERVER_NAME}" in ${file} starts something else by now:`,
  write: (file: string) => `removed from ${file}`,
  delete: (file: string) => `removed, with ${file}, which held nothing else`,
} as const;

/** A copy that equals the file again is of no use; any other is named. */
async function dropBackup(
  io: CliIo,
  file: string,
  text: string,
): Promise<void> {
  const backup = file + BACKUP_ENDING;
  const copy = await io.files.read(backup);
  if (copy === text) return await io.files.remove(backup);
  if (copy !== undefined) say(io, `  an older state is still in ${backup}`);
}

/** Says what there is of an agent that the record does not name. */
async function reportNone(io: CliIo, agent: Agent): Promise<void> {
  await atItsFile(io, agent, ({ file, text = "" }) => {
    const entry = entryOf(agent, text);
    if (entry === undefined) return say(io, `${agent.title}: not registered`);
    say(
      io,
      `${agent.title}: left alone, "${SERVER_NAME}" in ${file} was not registered from this workspace:`,
    );
    say(io, `  ${entryText(entry)}`);
  });
}
