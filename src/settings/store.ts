/** Stored settings: looking at them, and changing them. @module */
import { systemCode } from "../core/errors.ts";
import type { SaveOutcome } from "../core/setting.ts";
import { isDeepStrictEqual } from "node:util";
import { jsonOf, MASK, rowNamed } from "./fields.ts";
import {
  duplicateSetting,
  isSettingsText,
  settingsIn,
  storableRow,
  storableText,
  withSettings,
} from "./file.ts";
import { NEEDS_RESTART } from "./fixed.ts";
import type { Given } from "./given.ts";
import { orRefused, type SettingRow, type TextValues } from "./row.ts";
import { schemaOf } from "./schema.ts";
import {
  type FileChange,
  fileTrouble,
  type SettingsFile,
} from "./settings_file.ts";

/** What a store of settings needs. */
interface StoreParts {
  /** The file; `undefined` where nothing may be written. */
  readonly file: SettingsFile | undefined;
  /** What is in force, by variable; `undefined` counts what is stored and not overridden as in force. */
  readonly given: Readonly<Record<string, Given>>;
  /**
   * Looks whether stored values can be used together with what the environment and the command line say.
   * @throws {RangeError} If they cannot.
   */
  readonly check: (stored: TextValues) => void;
  /** Whether somebody starts the proxy anew when it ends; nobody does unless given. */
  readonly supervised?: boolean;
}

/** Stored settings. Secrets come out masked. */
export type SettingsStore = ReturnType<typeof makeSettingsStore>;

/** Makes the store. A file that cannot be read counts as empty. */
export function makeSettingsStore(parts: StoreParts) {
  return {
    /** Every setting with its value. */
    schema: async () =>
      schemaOf({
        given: parts.given,
        /** Stored values by key. */
        stored: await storedIn(parts.file),
        supervised: parts.supervised ?? false,
      }),
    async stored() {
      const entries = Object.entries(await storedIn(parts.file))
        .flatMap(([env, raw]) => {
          const row = rowNamed(env);
          if (row === undefined || raw === undefined) return [];
          return [[row.key, row.secret ? MASK : jsonOf(row, raw)] as const];
        });
      return Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1));
    },
    /**
     * Merges values into what is stored: all of them or none. `null` takes one out; the mask leaves a secret as it was.
     *
     * @param values JSON values by key or variable.
     */
    save: (values: Readonly<Record<string, unknown>>) => save(values, parts),
  };
}

/** The keys of settings, by their variables. */
export function keysOf(variables: readonly string[]): string[] {
  return variables.map((env) => {
    const row = rowNamed(env);
    return row?.key ?? env;
  });
}

async function storedIn(file: SettingsFile | undefined): Promise<TextValues> {
  try {
    const text = await file?.read();
    if (file === undefined || text === undefined) return {};
    return settingsIn(text, file.path).values;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return {};
  }
}

async function save(
  values: Readonly<Record<string, unknown>>,
  parts: StoreParts,
): Promise<SaveOutcome> {
  const wanted = changesIn(values);
  if (wanted.type !== "changes") return wanted;
  const { file } = parts;
  if (file === undefined) {
    return { type: "unwritable", reason: NO_FILE };
  }
  const outcome: { saved?: SaveOutcome } = {};
  try {
    await file.update((before) => {
      const { change, saved } = merged(before, wanted.changes, {
        ...parts,
        path: file.path,
      });
      outcome.saved = saved;
      return change;
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const reason = `Cannot write settings to ${file.path}: ${
      fileTrouble(code)
    }`;
    return {
      type: "unwritable",
      reason: code === "EBUSY" ? reason : `${reason}. ${WRITABLE}`,
    };
  }
  return outcome.saved!;
}

const WRITABLE =
  "Make it writable, or set SVC_WORKSPACE_DIR or SVC_SETTINGS_PATH to a place that is, for svc and the proxy alike";

const NO_FILE =
  "Cannot store settings: SVC_STATELESS is on, so that no files are written";

/** What values ask for: texts by variable, `undefined` to take one out. */
type Changes = ReadonlyMap<SettingRow<unknown>, string | undefined>;

function changesIn(
  values: Readonly<Record<string, unknown>>,
):
  | { readonly type: "changes"; readonly changes: Changes }
  | Extract<SaveOutcome, { type: "unknown" | "invalid" }> {
  const entries = Object.entries(values);
  const names = entries.map(([name]) => name)
    .filter((name) => storableRow(name) === undefined);
  if (names.length > 0) return { type: "unknown", names };
  const changes = new Map<SettingRow<unknown>, string | undefined>();
  const given = new Map<SettingRow<unknown>, unknown>();
  const errors: Record<string, string> = {};
  for (const [name, value] of entries) {
    const row = storableRow(name)!;
    try {
      if (given.has(row) && !isDeepStrictEqual(given.get(row), value)) {
        throw duplicateSetting(row, name);
      }
      given.set(row, value);
      if (row.secret && value === MASK) continue;
      const raw = storableText(row, value, name);
      refuseFaults(row, raw, name);
      changes.set(row, raw);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      errors[row.key] = error.message;
    }
  }
  return Object.keys(errors).length > 0
    ? { type: "invalid", errors }
    : { type: "changes", changes };
}

/** What a start would leave out is refused while somebody is there to fix it. */
function refuseFaults(
  row: SettingRow<unknown>,
  raw: string | undefined,
  name: string,
): void {
  const faults = raw === undefined ? [] : row.faults?.(raw) ?? [];
  if (faults.length === 0) return;
  throw new RangeError(
    faults.map((fault) => fault.replace(row.env, () => name)).join("; "),
  );
}

/** A change of the file, and what to say of it. */
interface Merged {
  readonly change: FileChange;
  readonly saved: SaveOutcome;
}

function merged(
  before: string | undefined,
  changes: Changes,
  { path, given, check }: StoreParts & { readonly path: string },
): Merged {
  const old = before === undefined ? {} : settingsIn(before, path).values;
  const texts = Object.fromEntries(
    [...changes].map(([{ env }, raw]) => [env, raw]),
  );
  const after = withSettings(before, texts);
  const next = settingsIn(after, path).values;
  const changed = [...changes.keys()].filter((row) =>
    !isSame(row, old[row.env], next[row.env])
  );
  const whyNot = (stored: TextValues) =>
    orRefused(() => void check(stored), (reason) => reason);
  const refusal = whyNot(next);
  // What could not be used together before must not keep the user from fixing it.
  if (refusal !== undefined && whyNot(old) === undefined) {
    const keys = changed.map((row) => [row.key, refusal] as const);
    return {
      change: { after: undefined },
      saved: { type: "invalid", errors: Object.fromEntries(keys) },
    };
  }
  const isReadable = before === undefined || before.trim() === "" ||
    isSettingsText(before);
  return {
    change: { after, setAside: !isReadable },
    saved: {
      type: "saved",
      changed: changed.map(({ key }) => key),
      needsRestart: changed.filter(({ env }) => NEEDS_RESTART.has(env))
        .map(({ key }) => key),
      notes: [
        ...refusal === undefined ? [] : [refusal],
        ...isReadable ? [] : [setAsideNote(path)],
        ...changed.flatMap((row) => overridden(row, given[row.env])),
      ],
    },
  };
}

function setAsideNote(path: string): string {
  return `${path} was no JSON object; what it held is in ${path}.unreadable`;
}

/** Sources that win over the settings file. */
const OVERRIDES: ReadonlySet<string> = new Set(["flag", "shell"]);

function overridden(
  row: SettingRow<unknown>,
  given: Given | undefined,
): string[] {
  if (given === undefined || !OVERRIDES.has(given.source)) return [];
  return [
    `${row.key} is set by ${given.name}, which wins over the settings file`,
  ];
}

function isSame(
  row: SettingRow<unknown>,
  a: string | undefined,
  b: string | undefined,
): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isDeepStrictEqual(jsonOf(row, a), jsonOf(row, b));
}
