/** `svc doctor`: check the proxy, its files and the agents that use it. @module */
import { lineWidth, print, wrapText } from "../terminal.ts";
import { type Define, portOf } from "./options.ts";
import { type Machine, thisMachine } from "../doctor/machine.ts";
import type { CliIo } from "../io.ts";
import { reasonOf } from "../failure.ts";
import { checkAgent } from "../doctor/agent_check.ts";
import { AGENT_ROWS } from "../doctor/agent_rows.ts";
import {
  checkBudget,
  checkClock,
  checkPrefix,
  checkSavings,
} from "../doctor/ledger_checks.ts";
import {
  checkDeployments,
  checkEdits,
  checkMcp,
  checkShell,
} from "../doctor/setup_checks.ts";
import {
  type CheckStatus,
  failed,
  type Found,
  gather,
  type Verdict,
} from "../doctor/found.ts";
import {
  checkLedger,
  checkOriginals,
  checkPermissions,
} from "../doctor/file_checks.ts";
import {
  checkPort,
  checkProxy,
  checkVersion,
  checkWorkspace,
} from "../doctor/proxy_checks.ts";
import {
  checkEgress,
  checkExposure,
  checkRollout,
  checkSettings,
} from "../doctor/settings_checks.ts";
import { cleanText, manyText, safeJson } from "../words.ts";
import { forEach } from "../agents/report.ts";
import { keepAgent } from "../edits/keep.ts";
import { KEEPABLE } from "../edits/keep_rows.ts";
import { keepCommand } from "../doctor/routing.ts";

/** Begins the help page. */
export const EXAMPLES = `Examples:
  svc doctor                  what works, what does not, and what to do
  svc doctor --port 9000      of the proxy on this port
  svc doctor --fix            point agents that bypass the proxy to it
  svc doctor --json           for programs
`;

/** Ends the help page. */
export const NOTES = `
It starts nothing and contacts only this machine. It reads the agents' files in
this directory and in your home directory, and changes nothing. With --fix it
does what svc wrap --keep does, for agents without a base URL and while the
proxy answers; svc unwrap undoes it.
Exit codes: 0 all checks passed or were skipped, 1 warnings, 2 a check failed.
`;

/** Adds flags and action to the command. `done` takes the exit code. */
export const define: Define = (command, io, done) => {
  command
    .option("--port <number>", "port of the proxy", portOf)
    .option("--fix", "point agents that bypass the proxy to it, then check")
    .option("--json", "as JSON")
    .action(async ({ port, json = false, fix = false }) => {
      done(await runDoctor({ port, json, fix }, io, thisMachine()));
    });
};

/** What to check, and how to say it. */
interface DoctorRun {
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
  using found = await gather({ io, machine, port });
  const before = await checksOf(found);
  const checks = fix && await fixAgents(before, found)
    ? await checksOf(found)
    : before;
  const text = json ? doctorJson(checks) : doctorText(checks, lineWidth(io));
  print(io, text);
  return exitCodeOf(checks);
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

/** A check that was made. */
export interface Check extends Verdict {
  /** Its name for programs. */
  readonly id: string;
}

/** Exit codes by the worst that was found. */
const EXIT_CODES = { pass: 0, warn: 1, fail: 2 } as const;

/** The exit code: 2 when a check failed, 1 when one warns, else 0. */
export function exitCodeOf(checks: readonly Check[]): 0 | 1 | 2 {
  return EXIT_CODES[worstOf(checks)];
}

/** The report for programs. */
export function doctorJson(checks: readonly Check[]): string {
  const status = worstOf(checks);
  const report = { checks, status, exit_code: EXIT_CODES[status] };
  return `${safeJson(report, 2)}\n`;
}

/** The report for people: each check, then what to do. @param lineWidth Columns of the terminal that a line may have. */
export function doctorText(
  checks: readonly Check[],
  lineWidth: number,
): string {
  const width = Math.max(...checks.map(({ id }) => id.length));
  const indent = " ".repeat(6 + width + 2);
  const lines = checks.map(({ id, status, summary, hint }) => {
    const said = (start: string, text: string) =>
      `${wrapText(start + oneLine(text), lineWidth, indent)}\n`;
    const line = said(`${status}  ${id.padEnd(width)}  `, summary);
    const isCalled = hint !== null && ["warn", "fail"].includes(status);
    return isCalled ? line + said(indent, hint) : line;
  });
  return `${lines.join("")}\n${sumLine(checks)}\n`;
}

function sumLine(checks: readonly Check[]): string {
  const count = (status: CheckStatus) =>
    checks.filter((check) => check.status === status).length;
  return `${count("pass")} passed, ${manyText(count("warn"), "warning")}, ${
    count("fail")
  } failed, ${count("skip")} skipped`;
}

function oneLine(text: string): string {
  return cleanText(text).replaceAll("\n", " ");
}

function worstOf(checks: readonly Check[]): keyof typeof EXIT_CODES {
  const has = (status: CheckStatus) =>
    checks.some((check) => check.status === status);
  return has("fail") ? "fail" : has("warn") ? "warn" : "pass";
}

/**
 * Does what `svc wrap --keep` does, for each agent whose check names that as the fix. A failure with one does not keep
 * the others from their turn.
 *
 * @returns Whether anything was tried.
 */
async function fixAgents(
  checks: readonly Check[],
  found: Found,
): Promise<boolean> {
  const { io, proxy } = found;
  const agents = Object.values(KEEPABLE).filter(({ id }) =>
    checks.some((check) =>
      check.id === id && check.details["fix"] === keepCommand(id, found)
    )
  );
  if (agents.length === 0) {
    io.stderr("There is nothing that --fix can fix.\n");
    return false;
  }
  if (proxy.state !== "up") {
    io.stderr(
      `Nothing was fixed: no proxy answers at ${proxy.url}, and the agents would fail without. Start svc proxy, then try again\n`,
    );
    return false;
  }
  // Stdout carries the report.
  const stdout = (bytes: Uint8Array) =>
    io.stderr(new TextDecoder().decode(bytes));
  await forEach(io, agents, (agent) => {
    const request = { agent, base: proxy.url, dryRun: false };
    return keepAgent({ ...io, stdout }, request);
  });
  return true;
}
