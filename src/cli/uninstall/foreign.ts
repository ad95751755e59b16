/** Files of other programs under names that svc uses too: a workspace may be a directory that was there before. @module */
import { isSettingsText, settingsIn } from "../../settings/file.ts";
import { systemCode } from "../failure.ts";
import { startOf } from "./disk.ts";

/** A table that every database of svc has; its file keeps the statement as it was. */
const OWN_TABLE = "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT";

/** How a line of the proxy log begins. */
const LOG_START = '{"time":"';

/** Bytes of a settings file at most: one of svc's is never so long. */
const MAX_SETTINGS = 1_000_000;

/**
 * Why a file in the workspace is not svc's, though it is called so. Nothing is written, not even beside it.
 *
 * @param path The file.
 * @param name Last part of it.
 * @returns `undefined` for one of svc's, one that is empty, and one under another name.
 */
export async function foreignReason(
  path: string,
  name: string,
): Promise<string | undefined> {
  const isOwn = /^(ccr_store|ledger)\.db$/.test(name)
    ? await isOwnDatabase(path)
    : /^proxy(-\d+)?\.log(\.\d+)?$/.test(name)
    ? LOG_START.startsWith(await startOf(path, LOG_START.length))
    : name === "settings.json"
    ? isOwnSettings(await startOf(path, MAX_SETTINGS))
    : true;
  return isOwn ? undefined : "another program's, by what is in it";
}

/** A settings file in which nothing is unknown. */
function isOwnSettings(text: string): boolean {
  if (text.trim() === "") return true;
  return isSettingsText(text) && settingsIn(text, "").unknown.length === 0;
}

/** An empty one, or one with svc's table; what was written last is beside it. */
async function isOwnDatabase(path: string): Promise<boolean> {
  const found = await findIn(path);
  if (found === "unreadable" || found === "empty") return true;
  return found === "there" || await findIn(`${path}-wal`) === "there";
}

/** Whether a file holds the table's statement. Reads it all when it does not. */
async function findIn(
  path: string,
): Promise<"there" | "absent" | "empty" | "unreadable"> {
  try {
    using file = await Deno.open(path);
    const decoder = new TextDecoder("latin1");
    let [before, isEmpty] = ["", true];
    for await (const bytes of file.readable) {
      isEmpty = false;
      const text = before + decoder.decode(bytes);
      if (text.includes(OWN_TABLE)) return "there";
      before = text.slice(-OWN_TABLE.length);
    }
    return isEmpty ? "empty" : "absent";
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "unreadable";
  }
}
