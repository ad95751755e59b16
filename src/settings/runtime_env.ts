/** Settings that an operator's tools change while the proxy runs: new conversations go by them. @module */
import { SETTINGS } from "./registry.ts";
import type { Config } from "./resolve.ts";

/** Rows of the names that can be changed. */
const ROWS = {
  SVC_OUTPUT_SHAPER: SETTINGS.outputShaper,
  SVC_VERBOSITY_LEVEL: SETTINGS.verbosityLevel,
  SVC_VERBOSITY_AUTOTUNE: SETTINGS.verbosityAutotune,
  SVC_OUTPUT_HOLDOUT: SETTINGS.outputHoldout,
} as const;

/** Names that are known, and change nothing in this version. */
const MISSING = [
  "SVC_EFFORT_ROUTER",
  "SVC_MECHANICAL_EFFORT",
  "SVC_INTERCEPT_READ_MIN_CHARS",
] as const;

/** Values by name; `null` for what is in no version yet. */
export type RuntimeValues = Readonly<
  Record<string, string | number | boolean | null>
>;

/** What became of values. */
export interface AppliedEnv {
  /** Texts that are in force now, by name. */
  readonly applied: Readonly<Record<string, string>>;
  /** Why others are not, by name. */
  readonly refused: Readonly<Record<string, string>>;
}

/** What was changed since the start, in front of a configuration. */
export class RuntimeEnv {
  readonly #given = new Map<keyof typeof ROWS, boolean | number>();

  /** Takes texts by name; other names and values that are no texts are ignored, as callers of any version expect. */
  apply(values: Readonly<Record<string, unknown>>): AppliedEnv {
    const applied: Record<string, string> = {};
    const refused: Record<string, string> = {};
    for (const name of MISSING) {
      if (typeof values[name] === "string") {
        refused[name] = "not in this version";
      }
    }
    for (const [name, row] of Object.entries(ROWS)) {
      const text = values[name];
      if (typeof text !== "string") continue;
      try {
        this.#given.set(name as keyof typeof ROWS, row.parse(text));
        applied[name] = text;
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        refused[name] = error.message;
      }
    }
    return { applied, refused };
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

  /** What is in force, for reports. */
  report(config: Pick<Config, "output">): RuntimeValues {
    const { isShaped, level, isTuned, holdout } = this.output(config);
    return {
      SVC_OUTPUT_SHAPER: isShaped,
      SVC_VERBOSITY_LEVEL: level,
      SVC_VERBOSITY_AUTOTUNE: isTuned,
      SVC_OUTPUT_HOLDOUT: holdout,
      ...Object.fromEntries(MISSING.map((name) => [name, null])),
    };
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
