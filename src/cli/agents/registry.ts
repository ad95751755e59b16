/** One row per agent. @module */
import type { Agent, AgentId } from "./agent.ts";
import { CLAUDE_CODE } from "./claude_code.ts";
import { CODEX } from "./codex.ts";
import { OPENCODE } from "./opencode.ts";

/** Agents in the order in which they are reported. */
export const AGENTS: Readonly<Record<AgentId, Agent>> = {
  claude: CLAUDE_CODE,
  codex: CODEX,
  opencode: OPENCODE,
};

/** Whether a word is the name of an agent. */
export function isAgentId(word: unknown): word is AgentId {
  return typeof word === "string" && Object.hasOwn(AGENTS, word);
}
