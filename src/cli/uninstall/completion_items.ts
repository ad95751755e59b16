/** Completion scripts in the places that `svc completions --help` names. @module */
import { join } from "node:path";
import type { TextValues } from "../../settings/row.ts";
import { headerOf } from "../completions/shell_text.ts";
import { entryAt, startOf } from "./disk.ts";
import { type Findings, NO_FINDINGS, type PlacedItem } from "./item.ts";

/** Bytes in which the line is by which a script is known. */
const START_BYTES = 200;

/** Finds those that begin as svc prints them. */
export async function completionItems(env: TextValues): Promise<Findings> {
  const { HOME: home } = env;
  if (!home) return NO_FINDINGS;
  const data = env.XDG_DATA_HOME || join(home, ".local/share");
  const config = env.XDG_CONFIG_HOME || join(home, ".config");
  const places = {
    bash: join(data, "bash-completion/completions/svc"),
    zsh: join(home, ".zfunc/_svc"),
    fish: join(config, "fish/completions/svc.fish"),
  };
  const items: PlacedItem[] = [];
  for (const [shell, path] of Object.entries(places)) {
    const entry = await entryAt(path, "");
    if (entry?.kind !== "file") continue;
    const lines = (await startOf(path, START_BYTES)).split("\n", 2);
    if (!lines.includes(headerOf(shell))) continue;
    const what = `completions for ${shell}`;
    items.push({ what, shown: path, paths: [path], bytes: entry.bytes });
  }
  return { ...NO_FINDINGS, items };
}
