/** Which agents have the MCP server, and whether it starts. @module */
import { say } from "../terminal.ts";
import { EXIT_FAILED } from "../failure.ts";
import type { CliIo } from "../io.ts";
import type { Agent, AgentId, Launch } from "./agent.ts";
import { isEqual } from "../edits/file_plan.ts";
import { entryOf } from "./plan.ts";
import { openRecord, type RecordFile } from "./record.ts";
import { atItsFile, launchFor, presentAgents, proxyUrlOf } from "./locate.ts";
import { AGENTS } from "./registry.ts";
import { commandText, forEach, programOf, toolNames } from "./report.ts";

/** State of one agent. Names are those of the JSON report. */
export interface AgentStatus {
  /** Name that `--agent` takes. */
  readonly agent: AgentId;
  /** Whether anything of the agent is on this machine. */
  readonly found: boolean;
  /** Its configuration file. */
  readonly file: string;
  /** Whether a server with our name is registered, and whether this workspace's record has it. */
  readonly registered: "no" | "by_svc" | "by_others";
  /** What is registered: program and arguments; of others only the program. `null` when there is none. */
  readonly command: readonly string[] | null;
  /** Program and arguments that would be registered now, if they or their variables differ; else `null`. */
  readonly outdated: readonly string[] | null;
  /** What is wrong with the registered program; `null` when it starts, or was not tried. */
  readonly problem: string | null;
  /** Whether the registered program answered; `null` when it was not tried. */
  readonly starts: boolean | null;
  /** Names of the tools as the agent's model sees them; empty when nothing is registered. */
  readonly tools: readonly string[];
}

/**
 * Reports every agent. A registered program is started only if this workspace's record has it.
 *
 * @returns Exit code: 1 if a file cannot be read, or a program that we registered does not start.
 */
export async function reportStatus(io: CliIo, json: boolean): Promise<number> {
  const record = await openRecord(io);
  const present = await presentAgents(io);
  const all: AgentStatus[] = [];
  const exitCode = await forEach(io, Object.values(AGENTS), async (agent) => {
    const found = present.includes(agent);
    all.push(await statusOf(io, agent, { found, record }));
  });
  if (json) say(io, JSON.stringify({ agents: all }, null, 2));
  else for (const status of all) say(io, linesOf(status).join("\n"));
  return all.some(({ starts }) => starts === false) ? EXIT_FAILED : exitCode;
}

async function statusOf(
  io: CliIo,
  agent: Agent,
  { found, record }: { readonly found: boolean; readonly record: RecordFile },
): Promise<AgentStatus> {
  return await atItsFile(io, agent, async ({ file, text = "" }) => {
    const entry = entryOf(agent, text);
    const isOurs = entry?.launch !== undefined &&
      isEqual(entry.launch, record.of(agent.id, file)?.launch);
    const problem = isOurs ? await io.probeMcp(entry.launch) : undefined;
    return {
      agent: agent.id,
      found,
      file,
      registered: entry === undefined ? "no" : isOurs ? "by_svc" : "by_others",
      command: entry?.launch === undefined
        ? null
        : isOurs
        ? entry.launch.command
        : programOf(entry.launch),
      outdated: isOurs ? outdated(io, entry.launch) : null,
      starts: isOurs ? problem === undefined : null,
      problem: problem ?? null,
      tools: isOurs ? toolNames(agent) : [],
    };
  });
}

/** What would be registered now, if that matters; the choice of a proxy and variables that are not set now stay. */
function outdated(io: CliIo, launch: Launch): readonly string[] | null {
  const now = launchFor(io, proxyUrlOf(launch));
  const isCurrent = isEqual(now.command, launch.command) &&
    Object.entries(now.env).every(([name, value]) =>
      launch.env[name] === value
    );
  return isCurrent ? null : now.command;
}

function linesOf(status: AgentStatus): string[] {
  const { title } = AGENTS[status.agent];
  const { file, registered, command, starts, problem, tools } = status;
  if (registered === "no") {
    const place = status.found ? file : `${file}, not found on this machine`;
    return [`${title}: not registered (${place})`];
  }
  const started = command === null ? "" : commandText(command);
  if (registered === "by_others") {
    return [
      `${title}: a server "svc" that this workspace did not register (${file})`,
      ...(started ? [`  starts: ${started}`] : []),
    ];
  }
  return [
    `${title}: registered (${file})`,
    `  starts: ${started}`,
    `  tools:  ${tools.join(", ")}`,
    starts
      ? "  the program answers"
      : `  the program does not start: ${problem}`,
    ...(status.outdated === null ? [] : [
      `  outdated, svc mcp install would register: ${
        commandText(status.outdated)
      }`,
    ]),
  ];
}
