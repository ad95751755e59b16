/** `svc doctor`: is everything in order? Nothing is changed. @module */
import type { CliIo } from "../io.ts";
import { reasonOf } from "../permissions.ts";
import { checkBudget } from "./budget_check.ts";
import { checkClaude } from "./claude_check.ts";
import { checkCodex } from "./codex_check.ts";
import { checkEdits } from "./edits_check.ts";
import { type Found, gather } from "./found.ts";
import { checkClock, checkPrefix, checkSavings } from "./ledger_checks.ts";
import type { Machine } from "./machine.ts";
import { checkMcp } from "./mcp_check.ts";
import { checkOpencode } from "./opencode_check.ts";
import { checkPermissions } from "./permission_check.ts";
import {
  checkPort,
  checkProxy,
  checkVersion,
  checkWorkspace,
} from "./proxy_checks.ts";
import { lineWidth } from "../width.ts";
import { type Check, doctorJson, doctorText, exitCodeOf } from "./report.ts";
import {
  checkDeployments,
  checkEgress,
  checkExposure,
  checkRollout,
  checkSettings,
} from "./settings_checks.ts";
import { checkShell } from "./shell_check.ts";
import { checkLedger, checkOriginals } from "./store_checks.ts";
import { failed, type Verdict } from "./verdict.ts";

/** What to check, and how to say it. */
export interface DoctorRun {
  /** Port of the proxy; that of the settings when not given. */
  readonly port?: number | undefined;
  /** For programs. */
  readonly json: boolean;
}

/** The checks by their ids, in the order of the report. */
const CHECKS = {
  proxy: checkProxy,
  version: checkVersion,
  port: checkPort,
  workspace: checkWorkspace,
  claude: checkClaude,
  codex: checkCodex,
  opencode: checkOpencode,
  shell: checkShell,
  mcp: checkMcp,
  edits: checkEdits,
  savings: checkSavings,
  prefix: checkPrefix,
  budget: checkBudget,
  clock: checkClock,
  originals: checkOriginals,
  ledger: checkLedger,
  permissions: checkPermissions,
  settings: checkSettings,
  rollout: checkRollout,
  exposure: checkExposure,
  egress: checkEgress,
  deployments: checkDeployments,
} satisfies Readonly<
  Record<string, (found: Found) => Verdict | Promise<Verdict>>
>;

/**
 * Makes all checks and prints what they found to stdout.
 *
 * @returns Exit code: 2 when a check failed, 1 when one warns, else 0.
 */
export async function runDoctor(
  { port, json }: DoctorRun,
  io: CliIo,
  machine: Machine,
): Promise<number> {
  const found = await gather({ io, machine, port });
  const checks: Check[] = [];
  try {
    for (const [id, check] of Object.entries(CHECKS)) {
      checks.push({ id, ...await verdictOf(() => check(found)) });
    }
  } finally {
    found.close();
  }
  const text = json ? doctorJson(checks) : doctorText(checks, lineWidth(io));
  io.stdout(new TextEncoder().encode(text));
  return exitCodeOf(checks);
}

/** A check that cannot be made is one that failed: the user wants to read the others too. */
async function verdictOf(
  check: () => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  try {
    return await check();
  } catch (error) {
    return failed(`this could not be checked: ${reasonOf(error)}`);
  }
}
