/** What an installation or its undoing would change in one file. Pure: nothing is read or written here. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import {
  type Agent,
  ConfigFault,
  type ConfigValues,
  type KeyPath,
  type Launch,
  SERVER_NAME,
  valueAt,
  valuesWith,
  valuesWithout,
} from "./agent.ts";
import { isEqual, isRead, isSame, readable } from "../edits/file_plan.ts";
import { editBetween, takenBack, type TextEdit } from "./text_edit.ts";
import type { Install } from "./record.ts";

/** Our entry as it stands in a file. */
export interface Entry {
  /** Its value. */
  readonly value: unknown;
  /** What it starts; `undefined` when it starts no program. */
  readonly launch: Launch | undefined;
}

/**
 * The entry with our name.
 *
 * @throws {ConfigFault} If the text cannot be read.
 */
export function entryOf(agent: Agent, text: string): Entry | undefined {
  const value = valueAt(agent.format.parse(text), pathOf(agent));
  return value === undefined
    ? undefined
    : { value, launch: agent.launchOf(value) };
}

/** The text with `value` as our entry, in the place of the one that is there; a blank text begins with the agent's head. */
export function withValue(
  agent: Agent,
  text: string,
  value: ConfigValues,
): string {
  return agent.format.set(begun(agent, text), pathOf(agent), value);
}

function begun({ head = {}, format }: Agent, text: string): string {
  return text.trim() !== "" ? text : Object.entries(head).reduce(
    (now, [key, value]) => format.set(now, [key], value),
    text,
  );
}

/** Keys of our entry. */
export function pathOf({ container }: Agent): KeyPath {
  return [container, SERVER_NAME];
}

/**
 * The text with an entry for `launch`, in place of the one that is there.
 *
 * @throws {ConfigFault} If the text cannot be read, or if the result would differ in anything else. It has the lines to
 * add by hand.
 */
export function withEntry(agent: Agent, text: string, launch: Launch): string {
  const { format } = agent;
  const value = agent.valueOf(launch);
  const before = format.parse(begun(agent, text));
  const after = withValue(agent, text, value);
  if (isRead(format, after, valuesWith(before, pathOf(agent), value))) {
    return after;
  }
  throw new ConfigFault(
    `its notation does not allow a safe edit. Nothing was changed; add this by hand:\n${
      withValue(agent, "", value).trimEnd()
    }`,
  );
}

/**
 * The text without our entry.
 *
 * @param edit How the entry came in: it is taken back exactly where that is possible.
 * @throws {ConfigFault} If the text cannot be read, or if the result would differ in anything else.
 */
export function withoutEntry(
  agent: Agent,
  text: string,
  edit: TextEdit | undefined,
): string {
  const { format, container } = agent;
  const path = pathOf(agent);
  const before = format.parse(text);
  const others = valuesWithout(before, path);
  const ours = valueAt(before, path);
  const isGood = (after: string) => {
    // What a new file began with goes with it.
    if (after.trim() === "" && isBare(agent, text)) return true;
    const values = readable(format, after);
    return values !== undefined &&
      isSame(valuesWithout(values, path), others) &&
      !isEqual(valueAt(values, path), ours);
  };
  const exact = edit && takenBack(text, edit);
  if (exact !== undefined && isGood(exact)) return exact;
  const isAlone = isJsonObject(others[container]) &&
    Object.keys(others[container]).length === 0;
  const outer = isAlone && edit?.inserted.includes(container)
    ? [container]
    : path;
  const cut = format.remove(text, path, outer);
  if (isGood(cut)) return cut;
  throw new ConfigFault(
    `its notation does not allow a safe edit. Nothing was changed; take the entry "${SERVER_NAME}" out by hand`,
  );
}

/** Whether a text holds nothing but what we put into a new file. */
export function isBare(agent: Agent, text: string): boolean {
  const { head = {}, container, format } = agent;
  const rest = valuesWithout(format.parse(text), pathOf(agent));
  return Object.entries(rest).every(([key, value]) =>
    isEqual(value, key === container ? {} : head[key])
  );
}

/** One agent's file as it is now. */
interface AgentFile {
  /** Absolute path. */
  readonly file: string;
  /** Its text; `undefined` when there is no such file. */
  readonly text: string | undefined;
  /** What the record says of it. */
  readonly past: Install | undefined;
}

/** What to register, and whether to replace what somebody else registered under our name. */
export interface Wish {
  /** What the client is to start. */
  readonly launch: Launch;
  /** Whether an entry that is not ours is replaced. */
  readonly force: boolean;
}

/** What an installation would do. */
type InstallPlan =
  | { readonly type: "unchanged"; readonly install: Install }
  | { readonly type: "conflict"; readonly entry: Entry }
  | {
    readonly type: "write";
    readonly text: string;
    readonly install: Install;
  };

/** What undoing an installation would do. */
type UninstallPlan =
  | { readonly type: "gone" }
  | { readonly type: "foreign"; readonly entry: Entry }
  | { readonly type: "write"; readonly text: string }
  | { readonly type: "delete" };

/**
 * Plans an installation. What the record will hold leads back to the file as it was before the first one.
 *
 * @throws {ConfigFault} If the file cannot be read or not be edited safely.
 */
export function planInstall(
  agent: Agent,
  { file, text, past }: AgentFile,
  { launch, force }: Wish,
): InstallPlan {
  const now = text ?? "";
  const entry = entryOf(agent, now);
  const own = { agent: agent.id, file, launch };
  if (entry && isEqual(entry.launch, launch)) {
    const isKnown = past && isEqual(past.launch, launch);
    const install = isKnown ? past : { ...own, created: false };
    return { type: "unchanged", install };
  }
  const isOurs = entry !== undefined && past !== undefined &&
    isEqual(entry.launch, past.launch);
  // Settings that the user added to our entry are not thrown away unasked.
  const isAsWritten = isOurs &&
    isEqual(entry.value, agent.valueOf(past.launch));
  if (entry && !isAsWritten && !force) return { type: "conflict", entry };
  const before = isOurs ? withoutEntry(agent, now, past.edit) : now;
  const after = withEntry(agent, now, launch);
  const created = text === undefined || (isOurs && past.created);
  const install = { ...own, created, edit: editBetween(before, after) };
  return { type: "write", text: after, install };
}

/**
 * Plans the undoing of a recorded installation. An entry that starts something else by now is left alone; one with
 * other settings beside ours is taken out.
 *
 * @throws {ConfigFault} If the file cannot be read or not be edited safely.
 */
export function planUninstall(
  agent: Agent,
  { text, past }: AgentFile & { readonly past: Install },
): UninstallPlan {
  if (text === undefined) return { type: "gone" };
  const entry = entryOf(agent, text);
  if (entry === undefined) return { type: "gone" };
  if (!isEqual(entry.launch, past.launch)) {
    return { type: "foreign", entry };
  }
  const rest = withoutEntry(agent, text, past.edit);
  return past.created && isBare(agent, rest)
    ? { type: "delete" }
    : { type: "write", text: rest };
}
