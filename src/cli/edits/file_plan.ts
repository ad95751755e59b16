/** What an edit changes in the text of a file, and what its undoing gives back. Pure. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  ConfigFault,
  type ConfigValues,
  type KeyPath,
  valueAt,
  type ValueFormat,
  valuesWith,
  valuesWithout,
} from "../agents/agent.ts";
import { editBetween, takenBack, type TextEdit } from "../agents/text_edit.ts";
import { type FormatId, VALUE_FORMATS } from "./value_format.ts";

/** A value to be set. */
export interface WantedValue {
  /** Where. */
  readonly path: KeyPath;
  /** What JSON can hold. */
  readonly value: unknown;
  /** Whether a value that is there already stays. */
  readonly unlessSet?: true;
  /** Whether it is set only where there was no file. */
  readonly onlyNew?: true;
}

/** One value that was set. */
interface ValueStep {
  /** Where. */
  readonly path: KeyPath;
  /** What was set. */
  readonly value: unknown;
  /** How the text changed. */
  readonly edit: TextEdit;
}

/** The edit of one text. */
export interface TextChangeMade {
  /** Text before the first edit; `null` when there was no file. */
  readonly before: string | null;
  /** Digest of the text that the edit made. */
  readonly after: string;
  /** How it is read. */
  readonly format: FormatId;
  /** What was set, in this order. */
  readonly steps: readonly ValueStep[];
}

/** SHA-256 of a text as UTF-8, in hexadecimal. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Sets values in a text. An edit that was made before is taken back first, so that what is kept leads to the text
 * before the first one.
 *
 * @param text `undefined` when there is no file.
 * @throws {ConfigFault} If the text cannot be parsed, or an edit would change anything else.
 */
export function editText(
  text: string | undefined,
  { format, values, past }: {
    readonly format: FormatId;
    readonly values: readonly WantedValue[];
    readonly past: TextChangeMade | undefined;
  },
): { readonly text: string; readonly made: TextChangeMade } {
  const rules = VALUE_FORMATS[format];
  const before = past === undefined || text === undefined
    ? text
    : undoText(text, past).text;
  let now = before ?? "";
  const steps: ValueStep[] = [];
  for (const { path, value, unlessSet, onlyNew } of values) {
    if (onlyNew && before !== undefined) continue;
    const old = rules.parse(now);
    if (unlessSet && valueAt(old, path) !== undefined) continue;
    const next = rules.set(now, path, value);
    if (!isRead(rules, next, valuesWith(old, path, value))) throw unsafe(path);
    steps.push({ path, value, edit: editBetween(now, next) });
    now = next;
  }
  const after = digestOf(now);
  return { text: now, made: { before: before ?? null, after, format, steps } };
}

/**
 * Gives back the text before the edit where nothing else has changed it. Else it takes out what the edit set, puts
 * back what that replaced, and leaves later changes of the user.
 *
 * @throws {ConfigFault} If the text cannot be parsed, or the undoing would change anything else.
 */
export function undoText(text: string, made: TextChangeMade) {
  const before = made.before ?? undefined;
  if (digestOf(text) === made.after) return { text: before, kept: [] };
  const rules = VALUE_FORMATS[made.format];
  const old = rules.parse(before ?? "");
  const kept: KeyPath[] = [];
  let now = text;
  for (const step of made.steps.toReversed()) {
    const values = rules.parse(now);
    const present = valueAt(values, step.path);
    if (present === undefined) continue;
    if (!isEqual(present, step.value)) kept.push(step.path);
    else now = withoutStep(now, step, { rules, values, old });
  }
  const isOurs = before === undefined && /^\uFEFF?\s*(\{\s*\})?\s*$/.test(now);
  return { text: isOurs ? undefined : now, kept };
}

/** What is known when a step is taken back. */
interface Known {
  readonly rules: ValueFormat;
  /** Values of the text as it is. */
  readonly values: ConfigValues;
  /** Values of the text before the edit. */
  readonly old: ConfigValues;
}

function withoutStep(
  text: string,
  { path, edit }: ValueStep,
  { rules, values, old }: Known,
): string {
  const former = valueAt(old, path);
  const isAdded = former === undefined;
  // An object that the edit made goes with the last value in it.
  let outer = path;
  while (outer.length > 1) {
    const around = outer.slice(0, -1);
    const object = valueAt(values, around);
    const isLast = isJsonObject(object) && Object.keys(object).length === 1;
    if (!isLast || valueAt(old, around) !== undefined) break;
    outer = around;
  }
  const wanted = isAdded
    ? valuesWithout(values, outer)
    : valuesWith(values, path, former);
  const exact = takenBack(text, edit);
  if (exact !== undefined && isRead(rules, exact, wanted)) return exact;
  const next = isAdded
    ? rules.remove(text, path, outer)
    : rules.set(text, path, former);
  if (isRead(rules, next, wanted)) return next;
  throw unsafe(path);
}

/** Whether a text is read as these values. */
export function isRead(
  rules: ValueFormat,
  text: string,
  wanted: ConfigValues,
): boolean {
  const values = readable(rules, text);
  return values !== undefined && isSame(values, wanted);
}

/** The values of a text; `undefined` if it cannot be read. */
export function readable(
  rules: ValueFormat,
  text: string,
): ConfigValues | undefined {
  try {
    return rules.parse(text);
  } catch (error) {
    if (error instanceof ConfigFault) return undefined;
    throw error;
  }
}

/** Whether values are equal but for objects that are empty: a table of TOML may go with the last one in it. */
export function isSame(a: ConfigValues, b: ConfigValues): boolean {
  return isEqual(bare(a), bare(b));
}

function bare(values: ConfigValues): ConfigValues {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) =>
      !isJsonObject(value) || Object.keys(value).length > 0
    ),
  );
}

/** Equal as JSON; prototypes do not count. */
export function isEqual(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(structuredClone(a), structuredClone(b));
}

function unsafe(path: KeyPath): ConfigFault {
  return new ConfigFault(
    `its notation does not allow a safe edit of ${
      path.join(".")
    }. Nothing was changed`,
  );
}
