/** Module of the worker that owns the write connection. @module */
/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { DatabaseSync } from "node:sqlite";
import type { CcrBatch, CcrWritten } from "../core/store.ts";
import { type Checkpoints, makeCheckpoints } from "./checkpoint.ts";
import { shrink } from "./clear.ts";
import { makeMaintenance } from "./maintenance.ts";
import { BUSY_MS } from "./schema.ts";
import { Transactions } from "./transactions.ts";
import type {
  WriterAnswer,
  WriterJob,
  WriterRequest,
  WriterSettings,
} from "./writer.ts";

/** The write connection and what runs on it. */
interface Connection {
  readonly db: DatabaseSync;
  readonly transactions: Transactions;
  readonly maintain: (now: number) => void;
  readonly checkpoints: Checkpoints;
}

const NOTHING: CcrWritten = { forms: new Map(), inserted: [] };

let settings: WriterSettings | undefined;
let connection: Connection | undefined;

self.onmessage = ({ data }: MessageEvent<WriterRequest>) => {
  if (data.type === "settings") settings = data.settings;
  else answer(data.id, data.job);
};

function answer(id: number, job: WriterJob): void {
  try {
    post({ type: "done", id, written: perform(job) });
  } catch (error) {
    post({ type: "refused", id, reason: reasonOf(error) });
    return;
  }
  // After the answer, so that nobody waits for it.
  if (job.type === "write") sweep(job.batch);
}

function perform(job: WriterJob): CcrWritten {
  switch (job.type) {
    case "write":
      return connected().transactions.run(job.batch);
    case "expire":
      connected().transactions.expire(job.key, job.now);
      return NOTHING;
    case "close":
      clearTimeout(idleTimer);
      if (cleared) housekeeping(shrinkFile);
      connection?.db.close();
      connection = undefined;
      return NOTHING;
  }
}

/** Milliseconds without a write after which housekeeping disturbs nobody. */
const IDLE_MS = 200;
let idleTimer: ReturnType<typeof setTimeout> | undefined;
/** What was cleared may still stand in the files. */
let cleared = false;

function sweep({ now, clear }: CcrBatch): void {
  clearTimeout(idleTimer);
  idleTimer = setTimeout(
    () => housekeeping(() => connection?.checkpoints.idle()),
    IDLE_MS,
  );
  if (clear !== undefined) cleared = true;
  if (cleared) housekeeping(shrinkFile);
  housekeeping(() => {
    connected().maintain(now);
    connected().checkpoints.wrote();
  });
}

function shrinkFile(): void {
  shrink(connected().db);
  cleared = false;
}

/** A failure here costs nothing but space: it is reported, and tried again after the next write. */
function housekeeping(work: () => void): void {
  try {
    work();
  } catch (error) {
    post({ type: "sweep_failed", reason: reasonOf(error) });
  }
}

/** Opened by the first job, so that a failure is that job's answer and the next one tries again. */
function connected(): Connection {
  connection ??= connect();
  return connection;
}

function connect(): Connection {
  if (settings === undefined) {
    throw new Error("Cannot open a database before its settings are known");
  }
  const { path, ttlMs } = settings;
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    db.exec("PRAGMA synchronous = NORMAL");
    const transactions = new Transactions(db, settings);
    return {
      db,
      transactions,
      maintain: makeMaintenance(db, ttlMs),
      checkpoints: makeCheckpoints(db),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function post(message: WriterAnswer): void {
  self.postMessage(message);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
