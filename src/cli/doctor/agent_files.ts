/** Files of agents, read as far as they can be. @module */
import { resolve } from "node:path";
import {
  ConfigFault,
  type ConfigFormat,
  type ConfigValues,
} from "../agents/agent.ts";
import { systemCode } from "../failure.ts";
import type { CliIo } from "../io.ts";

/** A file that is there. */
export interface AgentFile {
  /** Absolute path. */
  readonly path: string;
  /** What it says; nothing when it cannot be read. */
  readonly values: ConfigValues;
  /** Why it cannot be read; `undefined` when it can. */
  readonly fault: string | undefined;
}

/** Reads those of some files that are there, in the order given. */
export async function agentFiles(
  paths: readonly string[],
  format: ConfigFormat,
  { files, cwd }: Pick<CliIo, "files" | "cwd">,
): Promise<readonly AgentFile[]> {
  const found: AgentFile[] = [];
  for (const name of paths) {
    const path = resolve(cwd, name);
    try {
      const text = await files.read(path);
      if (text === undefined) continue;
      found.push({ path, values: format.parse(text), fault: undefined });
    } catch (error) {
      const reason = error instanceof ConfigFault
        ? error.message
        : systemCode(error);
      if (reason === undefined) throw error;
      found.push({ path, values: {}, fault: reason });
    }
  }
  return found;
}
