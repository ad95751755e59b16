/** A home directory on the disk, with what svc leaves there. @module */
import { dirname, join } from "node:path";
import { denoFiles } from "../../../src/cli/files.ts";
import type { CliIo } from "../../../src/cli/io.ts";
import type { UninstallWorld } from "../../../src/cli/commands/uninstall.ts";
import type { Machine } from "../../../src/cli/doctor/machine.ts";
import { META_TABLE } from "../../../src/writer/schema.ts";
import { type FakeIo, fakeIo } from "../fake_io.ts";

/** A temporary home directory. */
export interface Home {
  /** Its path. */
  readonly path: string;
  /** Writes files by their paths below it; directories are made. */
  write(texts: Readonly<Record<string, string>>): Promise<void>;
  /** Paths of all files, links and empty directories below it, sorted. */
  all(): Promise<string[]>;
  /** An outside world whose home this is, with the real disk. */
  io(parts?: Partial<CliIo>): FakeIo;
}

/** Runs a test in a temporary home directory. */
export async function inHome(
  test: (home: Home) => Promise<void>,
): Promise<void> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  try {
    await test({
      path,
      async write(texts) {
        for (const [name, text] of Object.entries(texts)) {
          const file = join(path, name);
          await Deno.mkdir(dirname(file), { recursive: true });
          await Deno.writeTextFile(file, text);
        }
      },
      all: () => allBelow(path, ""),
      io: ({ env, ...parts } = {}) =>
        fakeIo({
          env: { HOME: path, TMPDIR: join(path, "tmp"), ...env },
          cwd: path,
          files: denoFiles(),
          now: () => 0,
          ...parts,
        }),
    });
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

/** A test in a temporary home directory. */
export function test(name: string, run: (home: Home) => Promise<void>): void {
  Deno.test(name, () => inHome(run));
}

async function allBelow(root: string, below: string): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(join(root, below))) {
    const name = join(below, entry.name);
    if (!entry.isDirectory) names.push(name);
    else {
      const inner = await allBelow(root, name);
      names.push(...(inner.length === 0 ? [`${name}/`] : inner));
    }
  }
  return names.sort();
}

/** What svc writes into its workspace in some weeks. */
export const WORKSPACE: Readonly<Record<string, string>> = {
  ".svc/ccr_store.db": `SQLite format 3 ${META_TABLE}`,
  ".svc/ccr_store.db-wal": "",
  ".svc/ledger.db": `SQLite format 3 ${META_TABLE}`,
  ".svc/proxy_savings.json": "{}",
  ".svc/settings.json": "{}",
  ".svc/settings.json.lock": "",
  ".svc/cache_ttl_learned.json": "",
  ".svc/cache_ttl_observations.jsonl": "",
  ".svc/cache_ttl_observations.jsonl.1": "",
  ".svc/cache_ttl_observations-1.jsonl.lock": "",
  ".svc/session_stats.jsonl": "",
  ".svc/session_stats.jsonl.1": "",
  ".svc/update_check.json": "{}",
  ".svc/config/install_id": "3f9a5c1e-0b7d-4268-8c4f-1a2e3f9a5c1e\n",
  ".svc/wraps/.lock": "",
  ".svc/wraps/8787-4711.lease": "{}",
  ".svc/wraps/8787.proxy": "{}",
  ".svc/logs/proxy.log": '{"time":"2026-03-15T10:30:00.000Z"}',
  ".svc/logs/proxy.log.1": "",
  ".svc/logs/proxy.log.lock": "",
  ".svc/logs/proxy-1.log": "",
  ".svc/logs/debug_400/20260315-103000000-req_1.json": "{}",
};

/** A system that nobody asks, and sources in `/src`; `parts` replaces what a test needs otherwise. */
export function world(parts: Partial<UninstallWorld> = {}): UninstallWorld {
  return {
    machine: fakeMachine(),
    userId: Deno.uid(),
    canAsk: false,
    form: { type: "source", directory: "/src" },
    ...parts,
  };
}

function fakeMachine(): Machine {
  return {
    userId: Deno.uid(),
    file: () => Promise.resolve(undefined),
    realPath: (path) => Promise.resolve(path),
    isWritable: () => Promise.resolve(true),
    freeBytes: () => Promise.resolve(undefined),
    damage: () => Promise.resolve(undefined),
    accepts: () => Promise.resolve(false),
  };
}
