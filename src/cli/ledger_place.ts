/** Opening the ledger that the environment names. @module */
import { resolve } from "node:path";
import { type Config, resolveConfig } from "../settings/resolve.ts";
import { unknownVariables } from "../settings/unknown.ts";
import { CliFailure, EXIT_USAGE } from "./failure.ts";
import type { CliIo, OpenedLedger } from "./io.ts";
import { makeStyle } from "./style.ts";

/** Where the ledger is, and what else is set. */
export interface LedgerPlace {
  /** Absolute path of the database. */
  readonly path: string;
  /** The settings of the environment. */
  readonly config: Config;
}

/**
 * Finds the ledger's place.
 *
 * @throws {CliFailure} If a setting cannot be used, or if requests are not kept on disk.
 */
export function ledgerPlace(io: CliIo): LedgerPlace {
  const { warning } = makeStyle(io.stderrIsTerminal, io.env);
  for (const text of unknownVariables(io.env)) {
    io.stderr(`${warning("Warning:")} ${text}\n`);
  }
  const config = configOf(io);
  if (config.paths !== undefined) {
    return { path: resolve(config.paths.ledger), config };
  }
  throw new CliFailure(
    `Cannot look at requests: SVC_STATELESS is on, so that the proxy keeps them in memory. Ask the running one (curl http://${config.host}:${config.port}/transformations/feed), or unset it`,
  );
}

/**
 * Opens the ledger for reading.
 *
 * @returns `undefined` when there is none.
 * @throws {CliFailure} If the file is unusable.
 */
export async function openedLedger(
  path: string,
  io: CliIo,
): Promise<OpenedLedger | undefined> {
  try {
    return await io.openLedger(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFailure(
      `Cannot use the database ${path} (${reason}). Set SVC_WORKSPACE_DIR to the directory that the proxy uses`,
    );
  }
}

/** What to say where there is no ledger. Without a final period. */
export function noLedger(path: string): string {
  return `there is no ${path}. Start svc proxy and send a client through it; if one runs with another SVC_WORKSPACE_DIR, set the same here`;
}

function configOf(io: CliIo): Config {
  try {
    return resolveConfig({ env: io.env });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliFailure(error.message, EXIT_USAGE);
  }
}
