/** Settings that an operator's tools change while the proxy runs: new conversations go by them. @module */
import { rowNamed } from "./fields.ts";
import { SETTINGS } from "./registry.ts";
import type { Config } from "./resolve.ts";
import type { SettingRow } from "./row.ts";

/** Rows of the names that can be changed. */
const ROWS = {
  SVC_OUTPUT_SHAPER: SETTINGS.outputShaper,
  SVC_VERBOSITY_LEVEL: SETTINGS.verbosityLevel,
  SVC_VERBOSITY_AUTOTUNE: SETTINGS.verbosityAutotune,
  SVC_OUTPUT_HOLDOUT: SETTINGS.outputHoldout,
  SVC_INTERCEPT_READ_MIN_CHARS: SETTINGS.interceptReadMinChars,
} as const;

/** Names that are known, and change nothing in this version. */
const MISSING: readonly string[] = [
  "SVC_EFFORT_ROUTER",
  "SVC_MECHANICAL_EFFORT",
];

/** Values by name; `null` for what is in no version yet. */
type RuntimeValues = Readonly<
  Record<string, string | number | boolean | null>
>;

/** What was changed since the start, in front of a configuration. */
export class RuntimeEnv {
  readonly #given = new Map<keyof typeof ROWS, boolean | number>();

  /** Takes texts, numbers and switches by name. */
  apply(values: Readonly<Record<string, unknown>>) {
    const applied: [string, string][] = [];
    const refused: [string, string][] = [];
    for (const [name, value] of Object.entries(values)) {
      try {
        if (!isChangeable(name)) throw new RangeError(whyNot(name));
        const text = textOf(name, value);
        this.#given.set(name, ROWS[name].parse(text));
        applied.push([name, text]);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        refused.push([name, error.message]);
      }
    }
    return {
      /** Texts that are in force now, by name. */
      applied: Object.fromEntries(applied),
      /** Why all others are not, by name. */
      refused: Object.fromEntries(refused),
      /** Those of the others that are names of settings: what else a caller wrote belongs in no log. */
      refusedSettings: refused.map(([name]) => name).filter(isKnown),
    };
  }

  /** How answers are to be, by what was changed and else by the configuration. */
  output({ output }: Pick<Config, "output">): Config["output"] {
    const { isShaped, level, isTuned, holdout } = output;
    return {
      isShaped: this.#switch("SVC_OUTPUT_SHAPER", isShaped),
      level: this.#number("SVC_VERBOSITY_LEVEL", level),
      isTuned: this.#switch("SVC_VERBOSITY_AUTOTUNE", isTuned),
      holdout: this.#number("SVC_OUTPUT_HOLDOUT", holdout),
    };
  }

  /** UTF-16 units from which on a file that is read becomes an outline; `undefined` where none does. */
  outlineFrom({ intercept }: Pick<Config, "intercept">): number | undefined {
    return intercept.isOn ? this.#readMinChars(intercept) : undefined;
  }

  /** What is in force, for reports. */
  report(config: Pick<Config, "output" | "intercept">): RuntimeValues {
    const { isShaped, level, isTuned, holdout } = this.output(config);
    return {
      SVC_OUTPUT_SHAPER: isShaped,
      SVC_VERBOSITY_LEVEL: level,
      SVC_VERBOSITY_AUTOTUNE: isTuned,
      SVC_OUTPUT_HOLDOUT: holdout,
      SVC_INTERCEPT_READ_MIN_CHARS: this.#readMinChars(config.intercept),
      ...Object.fromEntries(MISSING.map((name) => [name, null])),
    };
  }

  #readMinChars({ readMinChars }: Config["intercept"]): number {
    return this.#number("SVC_INTERCEPT_READ_MIN_CHARS", readMinChars);
  }

  #switch(name: keyof typeof ROWS, other: boolean): boolean {
    const given = this.#given.get(name);
    return typeof given === "boolean" ? given : other;
  }

  #number(name: keyof typeof ROWS, other: number): number {
    const given = this.#given.get(name);
    return typeof given === "number" ? given : other;
  }
}

function isChangeable(name: string): name is keyof typeof ROWS {
  return Object.hasOwn(ROWS, name);
}

function isKnown(name: string): boolean {
  return MISSING.includes(name) || rowNamed(name) !== undefined;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  throw new RangeError(
    `Cannot use ${name}: must be a text, a number, true or false`,
  );
}

/** Why a name cannot be given here. */
function whyNot(name: string): string {
  if (MISSING.includes(name)) return "not in this version";
  const row: SettingRow<unknown> | undefined = rowNamed(name);
  if (row === undefined) return "no setting of this version";
  if (row.available === false) return "not in this version";
  if (isChangeable(row.env)) return `must be given as ${row.env}`;
  return row.persisted === false
    ? "cannot be changed while the proxy runs"
    : `cannot be changed here; use \`svc config set ${row.key}\` or POST /settings`;
}
