/** The settings a proxy runs with: read at the start, and again on request. @module */
import { fileTrouble } from "../settings/settings_file.ts";
import { systemCode } from "../core/errors.ts";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { namesOf } from "../settings/fields.ts";
import { isSettingsText, settingsIn } from "../settings/file.ts";
import { adopt } from "../settings/fixed.ts";
import { givenFor, placingVariables, readSetting } from "../settings/given.ts";
import { refuseOwnAddress } from "../settings/own_address.ts";
import { resolvePaths } from "../settings/paths.ts";
import { ROWS, SETTINGS } from "../settings/registry.ts";
import { type Config, resolveConfig } from "../settings/resolve.ts";
import { orRefused, type TextValues } from "../settings/row.ts";
import { missingFlag, reasonOf, usageFailure } from "./failure.ts";
import type { CliIo, ProxySettings } from "./io.ts";
import { unusedProxies } from "./environment.ts";
import { isLoopbackHost } from "./start_lines.ts";

/** What settings need of the outside world. */
export type SettingsIo = Pick<
  CliIo,
  "env" | "files" | "ownNames" | "missingFor"
>;

/**
 * Reads the settings of a start: command line, environment, settings file, defaults. What the file says wrongly is left
 * out with a warning.
 *
 * @throws {CliFailure} If the command line or the environment cannot be used; or if other machines reach the port and a
 * token may be among what is left out.
 */
export async function startSettings(
  flags: TextValues,
  io: SettingsIo,
): Promise<ProxySettings> {
  const stored = await storedIn(flags, io);
  const { values, refused, unknown } = stored;
  const route = givenFor(SETTINGS.httpProxy, { flags, env: io.env });
  const warnings = [
    ...refused,
    ...unknown,
    ...route === undefined ? unusedProxies(io.env) : [],
  ];
  try {
    const settings = settingsOf({ flags, stored: values }, io, warnings);
    refuseOpenDoor(settings, stored.mayHideToken);
    return settings;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const alone = withoutStored(flags, io, warnings);
    refuseOpenDoor(alone, values[SETTINGS.proxyToken.env] !== undefined);
    const names = Object.keys(values).join(", ");
    const ignored = `${error.message}; stored settings ignored: ${names}`;
    return withWarnings(alone, [ignored]);
  }
}

/**
 * The settings of a proxy that is about to keep its files, {@linkcode startSettings}.
 *
 * @throws {CliFailure} As that does; and if this program was not permitted to keep them.
 */
export async function proxySettings(
  flags: TextValues,
  io: SettingsIo,
): Promise<ProxySettings> {
  const settings = await startSettings(flags, io);
  const { paths } = settings.config;
  if (paths === undefined) return settings;
  const missing = io.missingFor("databases", paths.workspace);
  if (missing.length === 0) return settings;
  throw usageFailure(
    `Cannot keep files in ${paths.workspace}: svc was started without ${
      missing.join(" ")
    }; add that, or use --stateless to keep everything in memory`,
  );
}

/** Where the token may be among what is left out of the file, leaving it out would let everybody in. */
function refuseOpenDoor(
  { config: { host, trust } }: ProxySettings,
  mayHideToken: boolean,
): void {
  if (!mayHideToken || trust.token !== undefined || isLoopbackHost(host)) {
    return;
  }
  throw usageFailure(
    `Cannot listen on ${host} while the settings file cannot be used: the token may stand there; mend the file, set SVC_PROXY_TOKEN or use --host 127.0.0.1`,
  );
}

/**
 * Reads the settings file again; command line and environment are those of the start.
 *
 * @throws {RangeError} If the file, or a value of it, cannot be used: the running settings stay in force.
 */
export async function rereadSettings(
  now: ProxySettings,
  io: SettingsIo,
) {
  const { values, refused, unknown } = await storedIn(now.flags, io);
  if (refused.length > 0) throw new RangeError(refused.join("; "));
  const { flags } = now;
  // Also what needs a new start must be right: it will be tried then.
  const wanted = settingsOf({ flags, stored: values }, io);
  const { waiting } = adopt(now.config, wanted.config);
  // A process that takes another's place later must not be the only one with them.
  const stored: Record<string, string | undefined> = { ...values };
  for (const env of [...waiting, SETTINGS.stateless.env]) {
    delete stored[env];
    const value = now.stored[env];
    if (value !== undefined) stored[env] = value;
  }
  const settings = settingsOf({ flags, stored }, io);
  return {
    /** What to run with from now on: settings that need a new start are as before. */
    settings,
    /** Variables of the settings that are different now. */
    changed: differences(now, settings, io.env),
    /** Variables of the settings that will be different after the next start. */
    later: differences(settings, wanted, io.env),
    /** What of the file is ignored, one sentence each. */
    notes: unknown,
  };
}

/**
 * The settings that these come to.
 * @throws {RangeError} If they cannot be used together.
 */
export function settingsOf(
  { flags, stored }: Pick<ProxySettings, "flags" | "stored">,
  io: SettingsIo,
  warnings: readonly string[] = [],
): ProxySettings {
  const sources = { flags, env: io.env, stored };
  const config = withPossibleLog(resolveConfig(sources), io);
  const { host, port } = config;
  refuseOwnAddress(sources, { host, port, names: io.ownNames() });
  return withWarnings({ flags, stored, config }, warnings);
}

/** Without the proxy log, if its file may not be written. */
function withPossibleLog(config: Config, io: SettingsIo): Config {
  const { proxyLog } = config.logs;
  if (proxyLog === undefined) return config;
  if (io.missingFor("logs", dirname(proxyLog)).length === 0) return config;
  const logs = Object.freeze({ ...config.logs, proxyLog: undefined });
  return Object.freeze({ ...config, logs });
}

function withoutStored(
  flags: TextValues,
  io: SettingsIo,
  warnings: readonly string[],
): ProxySettings {
  try {
    return settingsOf({ flags, stored: {} }, io, warnings);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const isPlace = error.message.startsWith("Cannot place files");
    const way = isPlace
      ? ", or use --stateless to keep everything in memory"
      : "";
    throw usageFailure(error.message + way);
  }
}

function withWarnings(
  settings: ProxySettings,
  more: readonly string[],
): ProxySettings {
  const { config } = settings;
  const warnings = Object.freeze([...config.warnings, ...more]);
  return { ...settings, config: Object.freeze({ ...config, warnings }) };
}

/** What the file says; a file that cannot be read says nothing and is named. */
async function storedIn(
  flags: TextValues,
  io: SettingsIo,
): Promise<typeof NOTHING> {
  const path = settingsPath(placingVariables({ flags, env: io.env }));
  if (path === undefined) return NOTHING;
  try {
    const text = await io.files.read(path);
    if (text === undefined) return NOTHING;
    const { values, refused, unknown } = settingsIn(text, path);
    return {
      values,
      refused,
      unknown: unknownNames(unknown, path),
      mayHideToken: !isSettingsText(text) || refused.some(isOfToken),
    };
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === undefined) throw error;
    return {
      ...NOTHING,
      refused: [`Cannot read settings from ${path}: ${trouble}`],
      mayHideToken: true,
    };
  }
}

/** Why a file cannot be read; `undefined` for an error that has nothing to do with it. */
function troubleOf(error: unknown): string | undefined {
  if (missingFlag(error) !== undefined) return reasonOf(error);
  const code = systemCode(error);
  return code && fileTrouble(code);
}

/** What a file says, with sentences for what is not used. */
const NOTHING = {
  values: {} as TextValues,
  refused: [] as readonly string[],
  unknown: [] as readonly string[],
  /** Whether the token may be in what is not used. */
  mayHideToken: false,
};

/** Whether a sentence refuses the value of the token. */
function isOfToken(refusal: string): boolean {
  return namesOf(SETTINGS.proxyToken)
    .some((name) => refusal.startsWith(`Cannot use ${name}`));
}

function unknownNames(names: readonly string[], path: string): string[] {
  if (names.length === 0) return [];
  const are = names.length === 1 ? "is no setting" : "are no settings";
  return [`${names.join(", ")} of ${path} ${are} that can be stored: ignored`];
}

/** Without a home directory there is no file; whoever needs one says so. */
function settingsPath(env: TextValues): string | undefined {
  return orRefused(() => resolvePaths(env).settings, () => undefined);
}

/** Variables of the settings whose values differ. */
function differences(
  a: ProxySettings,
  b: ProxySettings,
  env: TextValues,
): string[] {
  return ROWS.filter((row) => {
    if (row.available === false) return false;
    const [before, after] = [a, b].map(({ flags, stored }) =>
      readSetting(row, { flags, env, stored })
    );
    return !isDeepStrictEqual(before, after);
  }).map((row) => row.env);
}
