/** Are the databases there, whole and writable, and who else may read or change the files? @module */
import { errorMessage } from "../../core/errors.ts";
import { dirname, join, resolve } from "node:path";
import { sizeText } from "../words.ts";
import { missingFlag } from "../failure.ts";
import { memberOf } from "../running_proxy.ts";
import {
  failed,
  type Found,
  OTHER_WORKSPACE,
  passed,
  skipped,
  type Verdict,
  verdictOf,
  warned,
} from "./found.ts";
import type { Machine } from "./machine.ts";
import type { Config } from "../../settings/resolve.ts";
import { recordPath } from "../agents/record.ts";

/** A database above this many bytes is not read through: it would take seconds. */
const MAX_CHECKED = 256 * 2 ** 20;
/** Bytes on the disk below which databases may soon be unable to grow. */
const MIN_FREE = 200 * 2 ** 20;

/** A database. */
interface Database {
  /** Path as set. */
  readonly file: string;
  /** Its part in `/health`. */
  readonly part: string;
  /** What is in it. */
  readonly holds: string;
}

/** The database of originals. */
export async function checkOriginals(found: Found): Promise<Verdict> {
  if (found.elsewhere !== undefined) return skipped(OTHER_WORKSPACE);
  const { paths, ccr } = found.settings.config;
  if (paths === undefined) {
    return skipped("SVC_STATELESS is on: originals are kept in memory");
  }
  if (ccr.backend === "memory") {
    return skipped("SVC_CCR_BACKEND is memory: originals are kept in memory");
  }
  const part = "ccr_store";
  const database = { file: paths.ccrStore, part, holds: "originals" };
  return await checkDatabase(found, database);
}

/** The ledger. */
export async function checkLedger(found: Found): Promise<Verdict> {
  if (found.elsewhere !== undefined) return skipped(OTHER_WORKSPACE);
  const { settings: { config: { paths } }, ledger } = found;
  if (paths === undefined) {
    return skipped("SVC_STATELESS is on: requests are kept in memory");
  }
  const database = { file: paths.ledger, part: "ledger", holds: "requests" };
  const verdict = await checkDatabase(found, database);
  if (verdict.status === "fail" || ledger.state !== "broken") return verdict;
  return verdictOf(verdict.details, [failed(
    ledger.reason,
    "start a proxy of this version once; svc savings needs the file too",
  )]);
}

async function checkDatabase(
  { machine, proxy }: Found,
  { file, part, holds }: Database,
): Promise<Verdict> {
  const path = resolve(file);
  const facts = await machine.file(path);
  const wal = await machine.file(`${path}-wal`);
  const health = memberOf(memberOf(proxy.health, "checks"), part);
  const backend = health["backend"] ?? null;
  const details = {
    path,
    exists: facts !== undefined,
    bytes: facts?.size ?? null,
    wal_bytes: wal?.size ?? null,
    running_backend: backend,
  };
  const problems = [
    facts && await problemOf(path, facts.size, machine),
    health["degraded"] === true && failed(
      `the running proxy cannot use ${path}`,
      `it keeps ${holds} in memory until it stops; its log says why`,
    ),
    backend === "memory" && warned(
      `the running proxy keeps ${holds} in memory, not in ${path}`,
      `it was started so: ${holds} are lost when it stops`,
    ),
  ];
  if (facts === undefined || problems.some(Boolean)) {
    const none = skipped(`there is no ${path} yet; the proxy makes it`);
    return verdictOf(details, [...problems, none]);
  }
  const free = await machine.freeBytes(dirname(path)) ?? Infinity;
  const text = `${path}, ${sizeText(facts.size + (wal?.size ?? 0))}, ${
    facts.size > MAX_CHECKED ? "too large to be checked" : "intact"
  }, writable`;
  if (free >= MIN_FREE) return verdictOf(details, [passed(text)]);
  return verdictOf({ ...details, free_bytes: free }, [warned(
    `${text}; ${sizeText(free)} left on the disk`,
    "make room: a full disk ends the keeping, not the requests",
  )]);
}

/** What makes it useless. */
async function problemOf(
  path: string,
  size: number,
  machine: Machine,
): Promise<Verdict | undefined> {
  for (const place of [path, dirname(path)]) {
    if (await machine.isWritable(place)) continue;
    return failed(
      `${place} is not writable`,
      "make it writable for the user that runs the proxy",
    );
  }
  const damage = size > MAX_CHECKED ? undefined : await damageOf(path, machine);
  if (damage === undefined) return undefined;
  return failed(
    `${path} is damaged: ${damage}`,
    "stop the proxy and move the file away: a new one is made, and what is in this one is lost",
  );
}

/** A file that cannot be read through is as bad as one that holds something wrong. */
async function damageOf(
  path: string,
  machine: Machine,
): Promise<string | undefined> {
  try {
    return await machine.damage(path);
  } catch (error) {
    // That it may not be read says nothing about what it holds.
    if (missingFlag(error) !== undefined) throw error;
    return errorMessage(error);
  }
}

/** Bits of the mode: others may change it, read it, go through it. */
const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;
const OTHERS_ENTER = 0o011;

/** Whether the workspace and its files belong to this user alone. */
export async function checkPermissions(found: Found): Promise<Verdict> {
  const { settings, machine } = found;
  const { paths } = settings.config;
  if (paths === undefined) return skipped("SVC_STATELESS is on: no files");
  if (machine.userId === null) {
    return skipped("this system has no permission bits");
  }
  const all = await accessOf(filesOf(settings.config, paths), found);
  if (all.length === 0) {
    return skipped(`there is no ${resolve(paths.workspace)} yet`);
  }
  const open = all.filter(({ others }) => others !== "none");
  const foreign = all.filter(({ isForeign }) => isForeign);
  const names = (list: typeof all) =>
    list.map(({ path, mode }) => `${path} (${mode})`).join(", ");
  const writable = open.filter(({ others }) => others === "write");
  const [other] = foreign;
  return verdictOf({
    files: all.length,
    open: open.map(({ path, mode, others }) => ({ path, mode, others })),
    foreign: foreign.map(({ path, owner }) => ({ path, owner })),
  }, [
    writable.length > 0 && failed(
      `others may change ${names(writable)}`,
      "run chmod go-rwx on them: whoever can change settings can read all requests",
    ),
    open.length > 0 &&
    warned(`others may read ${names(open)}`, "chmod go-rwx them"),
    other && warned(
      `${other.path} belongs to user ${other.owner}`,
      `chown it to user ${machine.userId}, who runs this program`,
    ),
    passed(`${all.length} files and directories, which only you can access`),
  ]);
}

/** Whatever of it is there. */
function filesOf(
  { logs }: Config,
  paths: NonNullable<Config["paths"]>,
): readonly string[] {
  const databases = [paths.ccrStore, paths.ledger];
  const files = [
    paths.workspace,
    paths.config,
    paths.settings,
    ...databases,
    ...databases.map((path) => `${path}-wal`),
    paths.models,
    paths.savings,
    paths.installId,
    paths.debugDumps,
    recordPath(paths.workspace),
    join(paths.workspace, "session_stats.jsonl"),
    ...[logs.proxyLog, logs.requestLog].filter((path) => path !== undefined),
  ];
  return [...new Set(files.map((path) => resolve(path)))];
}

/** Who may do what with those that are there; modes are octal, `null` where the system has none. */
async function accessOf(paths: readonly string[], { machine }: Found) {
  const found = await Promise.all(paths.map(async (path) => {
    const facts = await machine.file(path);
    if (facts === undefined) return [];
    const { mode, owner } = facts;
    const parent = await machine.file(dirname(path));
    // Behind a closed door it does not matter what a file allows.
    const isHidden = ((parent?.mode ?? 0o777) & OTHERS_ENTER) === 0;
    const bits = isHidden ? 0 : mode ?? 0;
    const readable = bits & OTHERS_READ ? "read" : "none";
    return [{
      path,
      mode: mode === null ? null : mode.toString(8).padStart(4, "0"),
      owner,
      others: bits & OTHERS_WRITE ? "write" : readable,
      isForeign: owner !== null && owner !== machine.userId,
    }];
  }));
  return found.flat();
}
