/** The record of registrations in the workspace. @module */
import { resolve } from "node:path";
import { resolvePaths } from "../../settings/paths.ts";
import { CliFailure, systemCode } from "../failure.ts";
import {
  type Install,
  parseRecord,
  printRecord,
  recordPath,
} from "./install_record.ts";
import type { Surroundings } from "./locate.ts";

/** The record as it is on the disk. */
export interface RecordFile {
  /** What is registered. */
  readonly installs: readonly Install[];
  /** Replaces what is recorded; a record without anything is removed. */
  save(installs: readonly Install[]): Promise<void>;
}

/**
 * Reads the record of this workspace.
 *
 * @throws {CliFailure} If it cannot be read or understood.
 */
export async function openRecord(io: Surroundings): Promise<RecordFile> {
  const file = resolve(io.cwd, recordPath(resolvePaths(io.env).workspace));
  let before = await readRecord(io, file);
  return {
    installs: installsIn(file, before),
    async save(installs) {
      const after = installs.length === 0 ? undefined : printRecord(installs);
      if (after === before) return;
      try {
        await (after === undefined
          ? io.files.remove(file)
          : io.files.replace(file, { before, after }));
      } catch (error) {
        const code = systemCode(error);
        if (code === undefined) throw error;
        throw new CliFailure(
          `Cannot write ${file}, which says what was registered with agents (${code}). Nothing was changed; set SVC_WORKSPACE_DIR to a directory that you can write to`,
        );
      }
      before = after;
    },
  };
}

async function readRecord(
  io: Surroundings,
  file: string,
): Promise<string | undefined> {
  try {
    return await io.files.read(file);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new CliFailure(
      `Cannot read ${file}, which says what was registered with agents (${code}). Set SVC_WORKSPACE_DIR to a directory`,
    );
  }
}

function installsIn(file: string, text: string | undefined) {
  try {
    return parseRecord(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CliFailure(
      `Cannot read ${file}, which says what was registered with agents: ${error.message}. Move it away to go on without it`,
    );
  }
}
