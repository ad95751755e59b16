/** A durable home of Codex and one of an earlier wrap, on the disk. @module */
import { join } from "node:path";
import { AGENT_HOMES } from "../../../src/cli/recover/homes.ts";
import type { RecoverWorld } from "../../../src/cli/commands/recover.ts";
import { type Home, inHome } from "../uninstall/home.ts";

/** The row of Codex. */
export const CODEX_HOME = AGENT_HOMES[0]!;

const id = (last: number) =>
  `01a22235-a9f5-7bc3-98f8-${`${last}`.padStart(12, "0")}`;
const DAY = "sessions/2026/11/28";

/** Path of a session. */
export function rollout(last: number, directory = DAY): string {
  return `${directory}/rollout-2026-11-28T12-00-00-${id(last)}.jsonl`;
}

/** Text of a session: its first line, and more lines. */
export function session(
  last: number,
  lines: string,
  provider = "openai",
): string {
  return `{"type":"session_meta","payload":{"id":"${
    id(last)
  }","model_provider":"${provider}"}}\n${lines}`;
}

/** Text of a configuration that a wrap changed. */
const WRAPPED =
  'model = "m"\nmodel_provider = "headroom"\nnew = 1\n[model_providers.headroom]\nbase_url = "http://127.0.0.1:8787/v1"\n';

/** What is in the durable home. */
export const DURABLE: Readonly<Record<string, string>> = {
  [rollout(1)]: session(1, '{"n":1}\n'),
  [rollout(2)]: session(2, '{"n":1}\n{"n":2}\n'),
  [rollout(3)]: session(3, '{"n":3}\n'),
  [rollout(4, "archived_sessions")]: session(4, '{"n":4}\n'),
  "history.jsonl": '{"session_id":"a","ts":1}\n{"session_id":"a","ts":3}\n',
  "config.toml": 'model = "mine" # kept\n',
  "auth.json": "mine",
  "state_5.sqlite": "mine",
};

/** What is in the home of the wrap. */
export const SOURCE: Readonly<Record<string, string>> = {
  [rollout(1)]: session(1, '{"n":1}\n{"n":5}\n'),
  [rollout(2)]: session(2, '{"n":1}\n'),
  [rollout(3)]: session(3, '{"n":4}\n'),
  [rollout(4)]: session(4, '{"n":4}\n{"n":5}\n'),
  [rollout(5)]: session(5, '{"n":6}\n', "headroom"),
  "history.jsonl": '{"session_id":"a","ts":1}\n{"session_id":"b","ts":2}\n',
  "config.toml": WRAPPED,
  "auth.json": "theirs",
  "state_5.sqlite": "theirs",
  "goals_1.sqlite": "goals",
  "goals_1.sqlite-wal": "log",
  "AGENTS.md": "be brief",
  "log/codex-tui.log": "x",
};

/** Both homes in a home directory. */
export interface OldHome extends Home {
  /** The durable one. */
  readonly target: string;
  /** That of the wrap. */
  readonly source: string;
  /** The world, with the temporary directory in the home. */
  readonly world: RecoverWorld;
  /** Texts in the durable home by their paths. */
  texts(): Promise<Record<string, string>>;
}

/** Runs a test with both. */
export async function withOldHome(
  test: (home: OldHome) => Promise<void>,
): Promise<void> {
  await inHome(async (home) => {
    const source = join(home.path, "tmp", "headroom-codex-home-x");
    const target = join(home.path, ".codex");
    const below = (root: string, texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(texts).map(([path, text]) => [`${root}/${path}`, text]),
      );
    await home.write(below(".codex", DURABLE));
    await home.write(below("tmp/headroom-codex-home-x", SOURCE));
    await Deno.chmod(source, 0o700);
    await test({
      ...home,
      source,
      target,
      world: {
        canAsk: false,
        userId: Deno.uid(),
        temporary: [join(home.path, "tmp")],
      },
      async texts() {
        const texts: Record<string, string> = {};
        for (const path of await home.all()) {
          if (!path.startsWith(".codex/") || path.endsWith("/")) continue;
          texts[path.slice(7)] = await Deno.readTextFile(
            join(home.path, path),
          );
        }
        return texts;
      },
    });
  });
}
