/** One configuration made of two: ours wins. Pure. @module */
import { isDeepStrictEqual } from "node:util";
import { ConfigFault, type ConfigValues, isRecord } from "../agents/agent.ts";
import { editText, valueAt } from "./file_plan.ts";
import { type FormatId, type KeyPath, VALUE_FORMATS } from "./value_format.ts";

/** What a merge comes to. */
export interface MergedConfig {
  /** `undefined` for no file. */
  readonly text: string | undefined;
  /** Keys that only theirs has, with dots between: added to ours. */
  readonly added: readonly string[];
  /** Keys that stay as they are in ours, each with the reason, for people. */
  readonly stays: readonly string[];
  /** Last parts of the keys that theirs has because a proxy was set there. */
  readonly routes: readonly string[];
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
): MergedConfig {
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
    const isTable = isRecord(value) && !(value instanceof Date);
    return isTable ? leavesOf(value, path) : [{ path, value }];
  });
}

function leadsHere(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).some(leadsHere);
  return typeof value === "string" &&
    /^https?:\/\/(127\.[\d.]+|localhost|\[::1\])(:|\/|$)/i.test(value);
}
