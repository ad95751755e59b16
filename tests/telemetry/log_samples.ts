/** Requests, secrets and directories for tests of logs. */
import fc from "fast-check";
import { join } from "node:path";
import type { Log } from "../../src/core/log.ts";
import type { RequestRecord } from "../../src/core/ledger.ts";
import type { BlockKey, CcrKey } from "../../src/core/store.ts";

/** Half past ten on a day in the middle of a month. */
export const NOON = Date.UTC(2026, 2, 15, 10, 30);

/** A request that saved 400 tokens. */
export const RECORD: RequestRecord = {
  id: "2b0c9d1e-0000-4000-8000-000000000001",
  at: NOON,
  provider: "messages",
  upstream: "api.example.com",
  model: "m-1",
  project: "default",
  stack: "",
  agent: "some-cli",
  conversation: "c0ffee",
  status: 200,
  tokensBefore: 1000,
  tokensAfter: 600,
  latencyMs: 1234.56789,
  ttfbMs: 345.6,
  overheadMs: 4.25,
  usage: { input: 50, output: 20, cacheRead: 500, cacheWrite: 50 },
  furtherUsage: {},
  savedTokens: { fresh: 400, kept: 0, addedFresh: 0, addedKept: 0 },
  schemaTokensSaved: 0,
  cost: {
    basis: "measured",
    nanoUsd: 1_000,
    savedGrossNanoUsd: 2_000,
    savedNetNanoUsd: 500,
  },
  cached: false,
  refusedBy: undefined,
  errorType: "",
  failures: [],
  olderDecided: undefined,
  strategies: ["log", "json"],
  leftAlone: [],
  blocks: [{
    key: "k1" as BlockKey,
    entry: "e1" as CcrKey,
    isKnown: false,
    messageIndex: 2,
    toolName: "Bash",
    kind: "log",
    outcome: "elided",
    strategy: "log",
    reason: "",
    bytes: 4000,
    tokensBefore: 900,
    tokensAfter: 500,
  }],
  prefix: {
    verdict: "extended",
    previousBytes: 100,
    equalBytes: 100,
    firstDifference: "",
  },
  forms: ["log", "log", "json"].map((strategy, i) => ({
    key: `k${i}` as BlockKey,
    entry: undefined,
    toolName: "Bash",
    strategy,
    saved: 100,
  })),
  furtherRounds: 0,
  retrieved: [],
};

/** A record as a log got it. */
export type Logged = Parameters<Log>;

/** Keeps what is logged. */
export function keepingLog(): { log: Log; logged: Logged[] } {
  const logged: Logged[] = [];
  return { log: (...record) => void logged.push(record), logged };
}

/** Path, permissions and contents of everything below a directory, by name. */
export async function filesIn(
  directory: string,
): Promise<Record<string, { mode: number; text: string }>> {
  const files: Record<string, { mode: number; text: string }> = {};
  const names: string[] = [];
  for await (const { name } of Deno.readDir(directory)) names.push(name);
  for (const name of names.sort()) {
    const path = join(directory, name);
    const { mode, isDirectory } = await Deno.stat(path);
    if (isDirectory) {
      for (const [below, file] of Object.entries(await filesIn(path))) {
        files[`${name}/${below}`] = file;
      }
    } else {
      files[name] = {
        mode: mode! & 0o777,
        text: await Deno.readTextFile(path),
      };
    }
  }
  return files;
}

/** Objects of a JSON Lines text. */
export function linesIn(text: string): Record<string, unknown>[] {
  return text.split("\n").filter((line) => line !== "").map((line) =>
    JSON.parse(line)
  );
}

function word(alphabet: string, min: number, max: number) {
  return fc.array(fc.constantFrom(...alphabet), {
    minLength: min,
    maxLength: max,
  }).map((letters) => letters.join(""));
}

const ALNUM = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** Random as keys are: never without digits. */
const secret = word(ALNUM, 16, 56).map((random) => `${random}9X4q7`);

/** A text around a secret in one of the shapes that credentials have, and the secret. */
export const CANARY: fc.Arbitrary<{ text: string; secret: string }> = fc.oneof(
  secret.map((s) => ({ text: `sk-${s}`, secret: s })),
  secret.map((s) => ({ text: `Authorization: Bearer ${s}`, secret: s })),
  secret.map((s) => ({ text: `AIza${s}`, secret: s })),
  secret.map((s) => ({ text: `ghp_${s}`, secret: s })),
  secret.map((s) => ({ text: `https://user:${s}@host.test/x`, secret: s })),
  secret.map((s) => ({ text: `/v1/models?key=${s}&alt=sse`, secret: s })),
  secret.map((s) => ({ text: `{"api_key": "${s}"}`, secret: s })),
  secret.map((s) => ({ text: `password=${s}`, secret: s })),
  word("0123456789abcdef", 32, 64).map((s) => ({ text: s, secret: s })),
);
