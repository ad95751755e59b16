/** What a durable home holds: its sessions, and whether its index and its history know them. @module */
import { join } from "node:path";
import { cleanText } from "../clean_text.ts";
import { openedForReading } from "../doctor/machine.ts";
import { reasonOf } from "../permissions.ts";
import { manyText } from "../words.ts";
import { type AgentHome, filesOf, kindOf } from "./homes.ts";
import { recordIn } from "./merge.ts";

const ID = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?=\.jsonl$)/i;

/** Says it, in lines. */
export async function auditText(
  home: AgentHome,
  target: string,
): Promise<string> {
  const files = (await filesOf(target)).map(({ path }) => path);
  const sessions = files.filter((path) => kindOf(home, path) === "session");
  const archived = sessions.filter((path) => path.startsWith("archived_"));
  const ids = new Set(sessions.flatMap((path) => ID.exec(path)?.[0] ?? []));
  const index = files.findLast((path) => /^state_\d+\.sqlite$/.test(path));
  const lines = [
    `${target}: ${
      manyText(sessions.length, "session")
    }, ${archived.length} of them archived`,
    ...index === undefined ? [] : await indexLines(ids, target, index),
    `  in its history only: ${
      listed((await historyIds(home, target, files)).difference(ids))
    }`,
  ];
  return lines.map((line) => `${cleanText(line)}\n`).join("");
}

function listed(ids: ReadonlySet<string>): string {
  return ids.size === 0 ? "0" : `${ids.size} (${[...ids].join(", ")})`;
}

async function indexLines(
  ids: ReadonlySet<string>,
  target: string,
  name: string,
): Promise<readonly string[]> {
  try {
    using db = await openedForReading(join(target, name));
    const rows = db.prepare("SELECT id FROM threads").all();
    const indexed = new Set(rows.map((row) => String(row["id"])));
    return [
      `  in its index (${name}): ${indexed.size}`,
      `  not in its index: ${listed(ids.difference(indexed))}`,
      `  in its index only: ${listed(indexed.difference(ids))}`,
    ];
  } catch (error) {
    return [`  its index (${name}) cannot be read: ${reasonOf(error)}`];
  }
}

async function historyIds(
  home: AgentHome,
  target: string,
  files: readonly string[],
): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const path of files) {
    if (kindOf(home, path) !== "history") continue;
    const text = await Deno.readTextFile(join(target, path));
    for (const line of text.split("\n")) {
      const record = recordIn(line);
      const id = record["session_id"] ?? record["sessionId"] ?? record["id"];
      if (typeof id === "string") ids.add(id);
    }
  }
  return ids;
}
