/** What was registered where, so that only that is taken out again. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { systemCode } from "../../core/errors.ts";
import type { FileWorld } from "../io.ts";
import { join, resolve } from "node:path";
import { type AgentId, type Launch, textsOf, textValuesOf } from "./agent.ts";
import { isAgentId } from "./registry.ts";
import { isTextEdit, type TextEdit } from "./text_edit.ts";
import { resolvePaths } from "../../settings/paths.ts";
import { CliFailure } from "../failure.ts";

/** One registration. */
export interface Install {
  /** Whose file it is. */
  readonly agent: AgentId;
  /** Absolute path of the file, as it was found; links are not resolved. */
  readonly file: string;
  /** What was registered. */
  readonly launch: Launch;
  /** Whether there was no such file before. */
  readonly created: boolean;
  /** The change of the file; absent when the entry was there already. */
  readonly edit?: TextEdit;
}

/** Version of the record's own layout. */
const RECORD_VERSION = 1;

/** The record's file in a workspace. */
export function recordPath(workspace: string): string {
  return join(workspace, "mcp_installs.json");
}

/** Reads a record; none for a blank text. @throws {SyntaxError} If it is not one of this version. */
function parseRecord(text = ""): readonly Install[] {
  if (text.trim() === "") return [];
  const record: unknown = JSON.parse(text);
  if (
    !isJsonObject(record) || record.version !== RECORD_VERSION ||
    !Array.isArray(record.installs)
  ) throw new SyntaxError(`It is not a record of version ${RECORD_VERSION}`);
  return record.installs.map(installOf);
}

function installOf(value: unknown): Install {
  if (isJsonObject(value)) {
    const { agent, file, created, launch, edit } = value;
    const command = isJsonObject(launch) ? textsOf(launch.command) : undefined;
    const env = isJsonObject(launch) ? textValuesOf(launch.env) : undefined;
    if (
      isAgentId(agent) && typeof file === "string" &&
      typeof created === "boolean" && command && env &&
      (edit === undefined || isTextEdit(edit))
    ) {
      const launch = { command, env };
      return { agent, file, launch, created, ...(edit && { edit }) };
    }
  }
  throw new SyntaxError("It holds an entry that is not a registration");
}

/** The record as it is on the disk. */
export type RecordFile = Awaited<ReturnType<typeof openRecord>>;

/**
 * Reads the record of this workspace.
 *
 * @throws {CliFailure} If it cannot be read or understood.
 */
export async function openRecord(io: FileWorld) {
  const file = resolve(io.cwd, recordPath(resolvePaths(io.env).workspace));
  let before: string | undefined;
  let installs: readonly Install[];
  try {
    before = await io.files.read(file);
    installs = parseRecord(before);
  } catch (error) {
    throw refusal(error, "read", file);
  }
  const save = async (next: readonly Install[]) => {
    const record = { version: RECORD_VERSION, installs: next };
    const after = next.length === 0
      ? undefined
      : JSON.stringify(record, null, 2) + "\n";
    if (after === before) return;
    try {
      await (after === undefined
        ? io.files.remove(file)
        : io.files.replace(file, { before, after }));
    } catch (error) {
      throw refusal(error, "write", file);
    }
    before = after;
    installs = next;
  };
  const indexOf = (agent: AgentId, file: string) =>
    installs.findIndex((one) => one.agent === agent && one.file === file);
  return {
    /** All of them, as they were read. */
    installs,
    /** The one with an agent in a file; `undefined` for none. */
    of: (agent: AgentId, file: string) => installs[indexOf(agent, file)],
    /** Records one in the place of that for the same file. @throws {CliFailure} If it cannot be written. */
    put(install: Install) {
      const at = indexOf(install.agent, install.file);
      return save(
        at < 0 ? [...installs, install] : installs.with(at, install),
      );
    },
    /** Forgets one. @throws {CliFailure} If it cannot be written. */
    drop: ({ agent, file }: Install) =>
      save(
        installs.filter((one) => one.agent !== agent || one.file !== file),
      ),
  };
}

/** What to do where it cannot be used. */
const ADVICE = {
  read: "Set SVC_WORKSPACE_DIR to a directory",
  write:
    "Nothing was changed; set SVC_WORKSPACE_DIR to a directory that you can write to",
} as const;

/** A failure for the user; what has nothing to do with the file as it is. */
function refusal(error: unknown, act: keyof typeof ADVICE, file: string) {
  const code = systemCode(error);
  const why = error instanceof SyntaxError
    ? `: ${error.message}. Move it away to go on without it`
    : ` (${code}). ${ADVICE[act]}`;
  if (code === undefined && !(error instanceof SyntaxError)) return error;
  return new CliFailure(
    `Cannot ${act} ${file}, which says what was registered with agents${why}`,
  );
}
