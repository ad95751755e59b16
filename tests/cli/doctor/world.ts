/** A machine with a proxy, made of literals. */
import assert from "node:assert/strict";
import golden from "../../golden/doctor/verdicts.json" with { type: "json" };
import {
  type Found,
  gather,
  type Verdict,
} from "../../../src/cli/doctor/found.ts";
import type { FileFacts, Machine } from "../../../src/cli/doctor/machine.ts";
import type { CliIo } from "../../../src/cli/io.ts";
import type { RequestRecord } from "../../../src/core/ledger.ts";
import type { LedgerReader } from "../../../src/core/ledger_reader.ts";
import { VERSION } from "../../../src/version.ts";
import { fakeFiles, fakeIo } from "../fake_io.ts";
import { memoryLedger, SUNDAY } from "../savings/ledger.ts";

/** Time of all checks. */
export const NOW = SUNDAY + 60_000;

/** What `/health` of a proxy says that is well. */
export const HEALTH = {
  service: "svc-proxy",
  status: "healthy",
  version: VERSION,
  timestamp: new Date(NOW).toISOString(),
  uptime_seconds: 7200,
  checks: {
    ccr_store: { status: "healthy", backend: "sqlite" },
    ledger: { status: "healthy", backend: "sqlite" },
  },
};

/** Tests a check in several worlds, in words; what it finds there is in the golden file, and no secret. */
export function testCheck(
  name: string,
  check: (found: Found) => Verdict | Promise<Verdict>,
  worlds: Readonly<Record<string, WorldParts>>,
): void {
  Deno.test(`${name} finds what the golden file has, in all worlds`, async () => {
    const all: Readonly<Record<string, unknown>> = golden;
    const found: Record<string, Verdict> = {};
    for (const [says, parts] of Object.entries(worlds)) {
      found[says] = await check(await foundIn(parts));
    }
    const text = JSON.stringify(found).replaceAll(VERSION, "<version>");
    assert.doesNotMatch(text, /secret/);
    assert.deepEqual(JSON.parse(text), all[name]);
  });
}

/** Facts of a file of this user. */
export function fileOf(parts: Partial<FileFacts> = {}): FileFacts {
  return { size: 4096, mode: 0o600, owner: 1000, ...parts };
}

/** What a test sets. */
export interface WorldParts {
  /** Added to HOME. */
  readonly env?: Readonly<Record<string, string>>;
  /** Texts of files. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Facts of files. */
  readonly files?: Readonly<Record<string, FileFacts>>;
  /** Answers of the port by path; `undefined` for nobody. */
  readonly answers?: Readonly<Record<string, object | string>> | undefined;
  /** Requests of the ledger; no ledger unless given. */
  readonly requests?: readonly RequestRecord[];
  /** Instead of a reader of these requests. */
  readonly reader?: LedgerReader;
  /** The rest. */
  readonly io?: Partial<CliIo>;
  /** The rest. */
  readonly machine?: Partial<Machine>;
  /** Of the proxy. */
  readonly port?: number;
}

/** Gathers what checks look at. */
export async function foundIn(parts: WorldParts = {}): Promise<Found> {
  return await gather({
    ...worldOf(parts),
    ...parts.port !== undefined && { port: parts.port },
  });
}

/** The world itself. */
export function worldOf(parts: WorldParts = {}) {
  const { answers, requests, files = {} } = parts;
  const reader = parts.reader ??
    (requests === undefined ? undefined : memoryLedger(requests).reader);
  const io = fakeIo({
    env: { HOME: "/home/a", ...parts.env },
    files: fakeFiles(new Map(Object.entries(parts.texts ?? {}))),
    now: () => NOW,
    ask(url) {
      const body = answers?.[url.pathname];
      if (body === undefined) return Promise.resolve(undefined);
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return Promise.resolve({ status: 200, text });
    },
    openLedger: () =>
      Promise.resolve(
        reader === undefined
          ? undefined
          : { reader, [Symbol.dispose]: () => {} },
      ),
    ...parts.io,
  });
  const machine: Machine = {
    userId: 1000,
    file: (path) => Promise.resolve(files[path]),
    realPath: (path) => Promise.resolve(path),
    isWritable: () => Promise.resolve(true),
    freeBytes: () => Promise.resolve(1e12),
    damage: () => Promise.resolve(undefined),
    accepts: () => Promise.resolve(false),
    ...parts.machine,
  };
  return { io, machine };
}
