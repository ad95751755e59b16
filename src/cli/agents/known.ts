/** Every agent that svc knows, and how one gets it. What svc does with an agent stands with that: wrap, keep, doctor, recover, mcp. @module */

type Row = readonly [title: string, install: string, program?: string];

/** Name for people, how to get it, and its program where that has another name than the command line gives the agent. */
const ROWS = {
  claude: ["Claude Code", "npm install -g @anthropic-ai/claude-code"],
  codex: ["Codex", "npm install -g @openai/codex"],
  opencode: ["OpenCode", "npm install -g opencode-ai"],
  gemini: ["Gemini CLI", "npm install -g @google/gemini-cli"],
  copilot: ["GitHub Copilot CLI", "npm install -g @github/copilot"],
  aider: ["Aider", "pipx install aider-chat"],
  goose: ["Goose", "see https://block.github.io/goose"],
  cline: ["Cline", "npm install -g cline"],
  continue: ["Continue", "npm install -g @continuedev/cli", "cn"],
  cursor: ["Cursor", "see https://cursor.com", "cursor-agent"],
  openhands: ["OpenHands", "uv tool install openhands --python 3.12"],
  openclaw: ["OpenClaw", "see https://docs.openclaw.ai"],
  vibe: ["Mistral Vibe", "uv tool install mistral-vibe"],
  cortex: [
    "Cortex Code",
    "see https://docs.snowflake.com/user-guide/cortex-code",
  ],
} as const satisfies Readonly<Record<string, Row>>;

/** Agents by the name on the command line. */
export type KnownId = keyof typeof ROWS;

/** What is known of one agent. */
export interface KnownAgent<Id extends KnownId = KnownId> {
  /** Name on the command line. */
  readonly id: Id;
  /** Name for people. */
  readonly title: string;
  /** Its program in `PATH`. */
  readonly program: string;
  /** How to get it, for those who do not have it. */
  readonly install: string;
  /** Its package in npm or PyPI: there its version stands. */
  readonly package: string | undefined;
}

/** The agents, in the order in which they are listed. */
export const KNOWN = Object.fromEntries(
  Object.entries<Row>(ROWS).map(([id, [title, install, program = id]]) => {
    const [, name] = /install (?:-g )?(\S+)/.exec(install) ?? [];
    return [id, { id, title, program, install, package: name }];
  }),
) as unknown as { readonly [Id in KnownId]: KnownAgent<Id> };
