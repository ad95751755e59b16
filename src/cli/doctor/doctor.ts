/** `svc doctor`: is everything in order? Nothing is changed unless that is asked for. @module */
import type { CliIo } from "../io.ts";
import { reasonOf } from "../permissions.ts";
import { checkAgent } from "./agent_check.ts";
import { AGENT_ROWS } from "./agent_rows.ts";
import { checkBudget } from "./budget_check.ts";
import { checkDeployments } from "./deployment_check.ts";
import { checkEdits } from "./edits_check.ts";
import { fixAgents } from "./fix.ts";
import { type Found, gather } from "./found.ts";
import { checkClock, checkPrefix, checkSavings } from "./ledger_checks.ts";
import type { Machine } from "./machine.ts";
import { checkMcp } from "./mcp_check.ts";
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
  /** Whether agents that are not routed are pointed to the proxy before. */
  readonly fix?: boolean;
}

/** The checks by their ids, in the order of the report. */
const CHECKS = {
  proxy: checkProxy,
  version: checkVersion,
  port: checkPort,
  workspace: checkWorkspace,
  ...agentChecks(),
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
} satisfies Readonly<Record<string, MakeCheck>>;

/** Makes a check; nothing for what is not on this machine and need not be. */
type MakeCheck = (
  found: Found,
) => Verdict | Promise<Verdict | undefined>;

function agentChecks(): Readonly<Record<string, MakeCheck>> {
  return Object.fromEntries(
    AGENT_ROWS.map((row) => [row.id, (found) => checkAgent(row, found)]),
  );
}

/**
 * Makes all checks and prints what they found to stdout. What is fixed before is said on stderr.
 *
 * @returns Exit code: 2 when a check failed, 1 when one warns, else 0.
 */
export async function runDoctor(
  { port, json, fix = false }: DoctorRun,
  io: CliIo,
  machine: Machine,
): Promise<number> {
  const found = await gather({ io, machine, port });
  try {
    const before = await checksOf(found);
    const checks = fix && await fixAgents(before, found)
      ? await checksOf(found)
      : before;
    const text = json ? doctorJson(checks) : doctorText(checks, lineWidth(io));
    io.stdout(new TextEncoder().encode(text));
    return exitCodeOf(checks);
  } finally {
    found.close();
  }
}

async function checksOf(found: Found): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const [id, check] of Object.entries<MakeCheck>(CHECKS)) {
    const verdict = await verdictOf(() => check(found));
    if (verdict !== undefined) checks.push({ id, ...verdict });
  }
  return checks;
}

/** A check that cannot be made is one that failed: the user wants to read the others too. */
async function verdictOf(
  check: () => ReturnType<MakeCheck>,
): Promise<Verdict | undefined> {
  try {
    return await check();
  } catch (error) {
    return failed(`this could not be checked: ${reasonOf(error)}`);
  }
}
