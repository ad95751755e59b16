/** Opening the originals that the environment names. @module */
import { resolve } from "node:path";
import { type Config, resolveConfig } from "../../settings/resolve.ts";
import { unknownVariables } from "../../settings/unknown.ts";
import { databaseProblem } from "../database_advice.ts";
import { CliFailure, EXIT_USAGE } from "../failure.ts";
import type { CliIo, KeptOriginals } from "../io.ts";
import { makeStyle } from "../style.ts";

/** Where originals are, and what is set about them. */
export interface OriginalsPlace {
  /** Absolute path of the database. */
  readonly path: string;
  /** Seconds that an unused original is kept. */
  readonly ttlSeconds: number;
}

/** What to do with the originals. */
export interface OriginalsUse<T> {
  /** They are there; they are closed afterwards. */
  readonly there: (
    originals: KeptOriginals,
    place: OriginalsPlace,
  ) => T | Promise<T>;
  /** There is no such file, and none is made. */
  readonly missing: (place: OriginalsPlace) => T;
}

/**
 * Opens the originals, uses them and closes them.
 *
 * @throws {CliFailure} If a setting cannot be used, if originals are not kept on disk, or if the file is unusable.
 */
export async function withOriginals<T>(
  io: CliIo,
  use: OriginalsUse<T>,
): Promise<T> {
  const { warning } = makeStyle(io.stderrIsTerminal, io.env);
  for (const text of unknownVariables(io.env)) {
    io.stderr(`${warning("Warning:")} ${text}\n`);
  }
  const config = configOf(io);
  const path = pathOf(config);
  const place = { path, ttlSeconds: config.ccr.ttlSeconds };
  const originals = await opened(path, config, io);
  if (originals === undefined) return use.missing(place);
  try {
    return await use.there(originals, place);
  } finally {
    await originals.close();
  }
}

function configOf(io: CliIo): Config {
  try {
    return resolveConfig({ env: io.env });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CliFailure(error.message, EXIT_USAGE);
  }
}

function pathOf({ paths, ccr, host, port }: Config): string {
  if (paths !== undefined && ccr.backend !== "memory") {
    return resolve(paths.ccrStore);
  }
  const setting = paths === undefined
    ? "SVC_STATELESS is on"
    : "SVC_CCR_BACKEND is memory";
  throw new CliFailure(
    `Cannot look at originals: ${setting}, so that each proxy keeps its own in memory. Ask the running one (curl http://${host}:${port}/v1/retrieve/<hash>), or unset it`,
  );
}

async function opened(
  path: string,
  config: Config,
  io: CliIo,
): Promise<KeptOriginals | undefined> {
  try {
    return await io.openOriginals(path, config);
  } catch (error) {
    throw new CliFailure(databaseProblem(path, error));
  }
}
