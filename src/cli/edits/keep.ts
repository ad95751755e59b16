/** `svc wrap --keep`: points an agent to the proxy for good. @module */
import { say } from "../terminal.ts";
import type { CliIo, FileWorld } from "../io.ts";
import { dirname } from "node:path";
import { fileFailure, showEdit } from "../agents/report.ts";
import { ConfigFault, valueAt } from "../agents/agent.ts";
import { leadsTo } from "../doctor/routing.ts";
import { CliFailure } from "../failure.ts";
import { digestOf, editText, type WantedValue } from "./file_plan.ts";
import { VALUE_FORMATS } from "./value_format.ts";
import type { EditedFile, Journal } from "./journal.ts";
import { type Keepable, keptFile } from "./keep_rows.ts";
import { isServiceInstalled } from "../running_proxy.ts";
import { Journals, withJournals } from "./transaction.ts";

/** What to point where. */
interface KeepRequest {
  /** The agent. */
  readonly agent: Keepable;
  /** Base URL of the proxy, without a slash at its end. */
  readonly base: string;
  /** Only show what would change: nothing is made, the workspace included. */
  readonly dryRun: boolean;
  /** Whether it is for one run: addresses of the user are replaced too, since they are upstreams then. */
  readonly forRun?: true;
  /** Whether a proxy runs there now. */
  readonly isProxyUp?: boolean;
}

/** What an edit is for: `wrap` for good, `run` for as long as the agent runs. */
export type EditPurpose = "wrap" | "run";

/** Name of an agent's journal. */
export function ownerOf(
  { id }: Pick<Keepable, "id">,
  purpose: EditPurpose = "wrap",
): string {
  return `${purpose}-${id}`;
}

/**
 * Edits the agent's file; with another address than before, the way back still leads to the file before the first
 * edit.
 *
 * @throws {CliFailure} If the file cannot be edited: nothing was changed. It says how to go on without.
 */
export async function keepAgent(
  io: CliIo,
  request: KeepRequest,
): Promise<void> {
  if (request.dryRun) return await keepWith(io, request, new Journals(io));
  await withJournals(io, (journals) => keepWith(io, request, journals));
  const { agent, base, forRun, isProxyUp } = request;
  if (forRun || await isServiceInstalled(base, io)) return;
  const port = new URL(base).port || "80";
  const start = isProxyUp
    ? `One runs now; svc install apply --port ${port} keeps one`
    : `Start svc proxy --port ${port}`;
  io.stderr(
    `No service keeps a proxy at ${base}: ${agent.title} fails while none runs. ${start}, or undo this with svc unwrap ${agent.id}\n`,
  );
}

async function keepWith(
  io: CliIo,
  { agent, base, dryRun, forRun }: KeepRequest,
  journals: Journals,
): Promise<void> {
  const owner = ownerOf(agent, forRun ? "run" : "wrap");
  if (!forRun) await refuseRun(agent, journals);
  const past = (await journals.of(owner))?.files[0];
  const path = past?.path ?? await keptFile(agent, io);
  try {
    const target = await io.files.realPath(path);
    const before = await io.files.read(target);
    const { format } = agent;
    const present = VALUE_FORMATS[format].parse(before ?? "");
    const values = agent.values(base, present);
    const { text, made } = editText(before, { format, values, past });
    if (!forRun) refuseOther(made, { values, base });
    const directories = [
      ...past?.directories ?? [],
      ...await missingDirectories(io, target),
    ];
    const digest = made.before === null ? null : digestOf(made.before);
    const file: EditedFile = { path, target, digest, directories, ...made };
    if (text === before && past !== undefined) {
      return say(io, `${agent.title}: ${path} leads to ${base} already`);
    }
    if (dryRun) {
      return showEdit(io, agent, { file: path, before, text, values });
    }
    await journals.commit({
      owner,
      files: [file],
      emptied: [],
      pending: writeOf(target, before, text),
    });
    say(io, `${agent.title}: ${path} leads to ${base} now`);
    if (!forRun) say(io, `  svc unwrap ${agent.id} gives it back`);
  } catch (error) {
    throw editFailure(agent, path, error);
  }
}

function editFailure(agent: Keepable, path: string, error: unknown): unknown {
  const failure = fileFailure(agent, path, error);
  if (!(failure instanceof CliFailure)) return failure;
  const otherwise = agent.onlyFile
    ? ""
    : `; svc wrap ${agent.id} starts ${agent.title} with variables instead`;
  return new CliFailure(
    `${failure.message}. The file is as it was${otherwise}`,
  );
}

/** What a run has edited is given back at its end. */
async function refuseRun(
  { id, title }: Keepable,
  journals: Journals,
): Promise<void> {
  if (await journals.of(ownerOf({ id }, "run")) === undefined) return;
  throw new CliFailure(
    `Cannot keep ${title} pointed to the proxy: svc wrap ${id} has edited its file for one run. End that one first; if it was killed, svc unwrap ${id} gives the file back`,
  );
}

/**
 * An address that the user chose is not replaced: requests would go to another provider, with the key for that one.
 *
 * @throws {ConfigFault} If a value is where one is to be set, and does not lead to the proxy.
 */
function refuseOther(
  { before, format }: Pick<EditedFile, "before" | "format">,
  { values, base }: Pick<KeepRequest, "base"> & {
    readonly values: readonly WantedValue[];
  },
): void {
  const old = VALUE_FORMATS[format].parse(before ?? "");
  for (const { path, value, unlessSet } of values) {
    const present = valueAt(old, path);
    if (unlessSet || typeof present !== "string") continue;
    if (present === value) continue;
    const url = URL.parse(present);
    if (url !== null && leadsTo(url, base)) continue;
    // A path or a user name may be a secret.
    const shown = url === null ? JSON.stringify(present) : url.origin;
    throw new ConfigFault(
      `${
        path.join(".")
      } is ${shown} already: remove it first; if requests are to go there, make it the upstream of svc proxy (--anthropic-api-url or --chat-api-url)`,
    );
  }
}

/** The write of a text; none where it is there already. */
export function writeOf(
  target: string,
  before: string | undefined,
  after: string | undefined,
): Journal["pending"] {
  if (before === after) return [];
  const from = before === undefined ? null : digestOf(before);
  return [{ target, from, to: after ?? null }];
}

/** Directories above a file that are not there, outer ones first. */
export async function missingDirectories(
  { files }: FileWorld,
  file: string,
): Promise<readonly string[]> {
  const missing: string[] = [];
  let directory = dirname(file);
  while (!await files.exists(directory)) {
    missing.unshift(directory);
    if (dirname(directory) === directory) break;
    directory = dirname(directory);
  }
  return missing;
}
