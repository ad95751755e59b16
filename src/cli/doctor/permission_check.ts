/** Who else may read or change the files? @module */
import { dirname, join, resolve } from "node:path";
import type { Config } from "../../settings/resolve.ts";
import { recordPath } from "../agents/install_record.ts";
import type { Found } from "./found.ts";
import { failed, passed, skipped, type Verdict, warned } from "./verdict.ts";

/** Bits of the mode: others may change it, read it, go through it. */
const OTHERS_WRITE = 0o022;
const OTHERS_READ = 0o044;
const OTHERS_ENTER = 0o011;

/** A file or directory, and who may do what. */
interface Access {
  readonly path: string;
  /** Octal; `null` where the system has none. */
  readonly mode: string | null;
  readonly owner: number | null;
  readonly others: "write" | "read" | "none";
  readonly isForeign: boolean;
}

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
  const details = {
    files: all.length,
    open: open.map(({ path, mode, others }) => ({ path, mode, others })),
    foreign: foreign.map(({ path, owner }) => ({ path, owner })),
  };
  const names = (list: readonly Access[]) =>
    list.map(({ path, mode }) => `${path} (${mode})`).join(", ");
  const writable = open.filter(({ others }) => others === "write");
  if (writable.length > 0) {
    return failed(`others may change ${names(writable)}`, {
      hint:
        "run chmod go-rwx on them: whoever can change settings can read all requests",
      details,
    });
  }
  if (open.length > 0) {
    return warned(`others may read ${names(open)}`, {
      hint: "chmod go-rwx them",
      details,
    });
  }
  const [other] = foreign;
  if (other !== undefined) {
    return warned(`${other.path} belongs to user ${other.owner}`, {
      hint: `chown it to user ${machine.userId}, who runs this program`,
      details,
    });
  }
  return passed(
    `${all.length} files and directories, which only you can access`,
    { details },
  );
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

async function accessOf(
  paths: readonly string[],
  { machine }: Found,
): Promise<readonly Access[]> {
  const found: Access[] = [];
  for (const path of paths) {
    const facts = await machine.file(path);
    if (facts === undefined) continue;
    const { mode, owner } = facts;
    const parent = await machine.file(dirname(path));
    // Behind a closed door it does not matter what a file allows.
    const isHidden = ((parent?.mode ?? 0o777) & OTHERS_ENTER) === 0;
    const bits = isHidden ? 0 : mode ?? 0;
    found.push({
      path,
      mode: mode === null ? null : mode.toString(8).padStart(4, "0"),
      owner,
      others: bits & OTHERS_WRITE
        ? "write"
        : bits & OTHERS_READ
        ? "read"
        : "none",
      isForeign: owner !== null && owner !== machine.userId,
    });
  }
  return found;
}
