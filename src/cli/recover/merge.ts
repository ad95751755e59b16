/** Two versions of a session, a history or a configuration. Pure. @module */
import { isJsonObject, parseJson } from "../../bytes/json_parts.ts";
import { Buffer } from "node:buffer";
import {
  ConfigFault,
  type ConfigValues,
  type KeyPath,
} from "../agents/agent.ts";
import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../agents/agent.ts";
import { editText } from "../edits/file_plan.ts";
import { type FormatId, VALUE_FORMATS } from "../edits/value_format.ts";

/** Whether `theirs` is `ours`, begins with it, is its beginning, or neither. */
export function relationOf(
  theirs: Uint8Array,
  ours: Uint8Array,
): "same" | "longer" | "shorter" | "other" {
  const common = Math.min(theirs.length, ours.length);
  const [left, right] = [theirs.subarray(0, common), ours.subarray(0, common)];
  if (Buffer.compare(left, right) !== 0) return "other";
  if (theirs.length === ours.length) return "same";
  return theirs.length > common ? "longer" : "shorter";
}

/**
 * The lines of both, in time order, none of theirs twice. Those of each side stay in their order: a line without a time
 * stays behind the one before it.
 *
 * @returns `text` is `ours` itself when nothing is added.
 */
export function mergeLines(
  ours: string,
  theirs: string,
): { readonly text: string; readonly added: number } {
  const own = linesOf(ours);
  const seen = new Set(own);
  const others = linesOf(theirs).filter((line) =>
    line.trim() !== "" && !seen.has(line) && seen.add(line)
  );
  if (others.length === 0) return { text: ours, added: 0 };
  const right = timed(others);
  const merged: string[] = [];
  let next = 0;
  for (const { line, time } of timed(own)) {
    while (next < right.length && right[next]!.time < time) {
      merged.push(right[next++]!.line);
    }
    merged.push(line);
  }
  merged.push(...right.slice(next).map(({ line }) => line));
  return { text: merged.join("\n") + "\n", added: others.length };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function timed(lines: readonly string[]) {
  let last = -Infinity;
  return lines.map((line) => ({ line, time: last = timeOf(line) ?? last }));
}

/** Above this a number counts milliseconds since 1970, below it seconds. */
const FIRST_MS = 1e11;

/** Milliseconds since 1970 of a line; `undefined` where it has no time. */
function timeOf(line: string): number | undefined {
  const record = recordIn(line);
  const value = record["ts"] ?? record["timestamp"] ?? record["updated_at"];
  const time = typeof value === "string"
    ? Date.parse(value)
    : typeof value === "number"
    ? value * (value < FIRST_MS ? 1000 : 1)
    : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The object that a line of JSON holds; an empty one for any other line. */
export function recordIn(line: string): Readonly<Record<string, unknown>> {
  const record = parseJson(line);
  return isJsonObject(record) ? record : {};
}

/**
 * Adds to ours the keys that only theirs has.
 *
 * @param routes Keys, with `/` between, that lead to a proxy of this machine if their value does.
 * @throws {ConfigFault} If either cannot be parsed.
 */
export function mergeConfig(
  ours: string | undefined,
  theirs: string,
  { format, routes }: { readonly format: FormatId; readonly routes: RegExp },
) {
  const { parse } = VALUE_FORMATS[format];
  const [own, their] = [parse(ours ?? ""), parse(theirs)];
  const leaves = leavesOf(their, []);
  const routeOf = (path: KeyPath) =>
    path.map((_, at) => path.slice(0, at + 1)).find((keys) =>
      routes.test(keys.join("/")) && leadsHere(valueAt(their, keys)) &&
      !isDeepStrictEqual(valueAt(their, keys), valueAt(own, keys))
    );
  // A key may name what is left out: model_provider = "headroom".
  const names = new Set(
    leaves.flatMap(({ path }) => routeOf(path)?.at(-1) ?? []),
  );
  const result = { text: ours, added: [] as string[], stays: [] as string[] };
  // Each new line of TOML comes before the one that was added last.
  for (const { path, value } of format === "toml" ? leaves.reverse() : leaves) {
    const keys = path.join(".");
    const present = valueAt(own, path);
    if (routeOf(path) || (typeof value === "string" && names.has(value))) {
      result.stays.push(`${keys} led to the proxy of that wrap, left out`);
    } else if (present === undefined) addTo(result, { path, value, format });
    else if (!isDeepStrictEqual(present, value)) {
      result.stays.push(`${keys} differs, that of the durable home stays`);
    }
  }
  return { ...result, routes: [...names] };
}

function addTo(
  result: { text: string | undefined; added: string[]; stays: string[] },
  { path, value, format }: Leaf & { readonly format: FormatId },
): void {
  const values = [{ path, value }];
  try {
    const edit = { format, values, past: undefined };
    result.text = editText(result.text, edit).text;
    result.added.push(path.join("."));
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    result.stays.push(`${path.join(".")} cannot be added safely`);
  }
}

interface Leaf {
  readonly path: KeyPath;
  readonly value: unknown;
}

function leavesOf(values: ConfigValues, above: KeyPath): Leaf[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const path = [...above, key];
    // A date of TOML is no table.
    const isTable = isJsonObject(value) && !(value instanceof Date);
    return isTable ? leavesOf(value, path) : [{ path, value }];
  });
}

function leadsHere(value: unknown): boolean {
  if (isJsonObject(value)) return Object.values(value).some(leadsHere);
  return typeof value === "string" &&
    /^https?:\/\/(127\.[\d.]+|localhost|\[::1\])(:|\/|$)/i.test(value);
}
