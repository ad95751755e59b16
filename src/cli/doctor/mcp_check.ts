/** Which agents can start the MCP server? Nothing is started: `svc mcp status` does that. @module */
import { isAbsolute } from "node:path";
import { ConfigFault } from "../agents/agent.ts";
import { entryOf } from "../agents/config_edit.ts";
import { locate, presentAgents } from "../agents/locate.ts";
import { systemCode } from "../failure.ts";
import type { Found } from "./found.ts";
import { passed, skipped, type Verdict, warned } from "./verdict.ts";

/** An agent of this machine. */
interface Registration {
  readonly agent: string;
  readonly file: string;
  readonly registered: boolean;
  /** What is wrong; `null` for nothing. */
  readonly problem: string | null;
}

/** Whether the server is registered, and its program is still there. */
export async function checkMcp(found: Found): Promise<Verdict> {
  const agents = await presentAgents(found.io);
  const all: Registration[] = [];
  for (const agent of agents) all.push(await registrationOf(agent, found));
  const details = { agents: all };
  const [bad] = all.filter(({ problem }) => problem !== null);
  if (bad !== undefined) {
    return warned(`${bad.agent}: ${bad.problem} (${bad.file})`, {
      hint:
        "svc mcp install registers the server again; svc mcp status tries it",
      details,
    });
  }
  const names = all.filter(({ registered }) => registered)
    .map(({ agent }) => agent);
  if (names.length > 0) {
    return passed(`registered with ${names.join(", ")}`, {
      hint: "svc mcp status tries it",
      details,
    });
  }
  return skipped(
    "not registered with any agent; the proxy works without it",
    { hint: "svc mcp install", details },
  );
}

async function registrationOf(
  agent: Awaited<ReturnType<typeof presentAgents>>[number],
  { io, machine }: Found,
): Promise<Registration> {
  const { fallback } = agent.places(io.env);
  const none = { agent: agent.title, file: fallback, registered: false };
  try {
    const { file, text } = await locate(agent, io);
    const entry = entryOf(agent, text ?? "");
    if (entry === undefined) return { ...none, file, problem: null };
    const [program = ""] = entry.launch?.command ?? [];
    const isGone = isAbsolute(program) &&
      await machine.file(program) === undefined;
    const problem = isGone ? `its program ${program} is gone` : null;
    return { ...none, file, registered: true, problem };
  } catch (error) {
    const reason = error instanceof ConfigFault
      ? error.message
      : systemCode(error);
    if (reason === undefined) throw error;
    return { ...none, problem: `its file cannot be read: ${reason}` };
  }
}
