/** What an installation or its undoing would change in one file. Pure: nothing is read or written here. @module */
import { isDeepStrictEqual } from "node:util";
import type { Agent, Launch } from "./agent.ts";
import {
  type Entry,
  entryOf,
  isBare,
  isSameLaunch,
  withEntry,
  withoutEntry,
} from "./config_edit.ts";
import type { Install } from "./install_record.ts";
import { editBetween } from "./text_edit.ts";

/** One agent's file as it is now. */
export interface AgentFile {
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
export type InstallPlan =
  | { readonly type: "unchanged"; readonly install: Install }
  | { readonly type: "conflict"; readonly entry: Entry }
  | {
    readonly type: "write";
    readonly text: string;
    readonly install: Install;
  };

/** What undoing an installation would do. */
export type UninstallPlan =
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
  if (entry && isSameLaunch(entry.launch, launch)) {
    const isKnown = past && isSameLaunch(past.launch, launch);
    const install = isKnown ? past : { ...own, created: false };
    return { type: "unchanged", install };
  }
  const isOurs = entry !== undefined && past !== undefined &&
    isSameLaunch(entry.launch, past.launch);
  // Settings that the user added to our entry are not thrown away unasked.
  const isAsWritten = isOurs &&
    isDeepStrictEqual(structuredClone(entry.value), agent.valueOf(past.launch));
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
  if (!isSameLaunch(entry.launch, past.launch)) {
    return { type: "foreign", entry };
  }
  const rest = withoutEntry(agent, text, past.edit);
  return past.created && isBare(agent, rest)
    ? { type: "delete" }
    : { type: "write", text: rest };
}
