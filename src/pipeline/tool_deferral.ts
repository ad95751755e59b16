/** Which tool definitions a conversation will need, so that the others need not be in every prompt. @module */
import type { ToolDefinition } from "../bytes/tool_definitions.ts";
import { mayDefer } from "./added_tools.ts";
import { isRetrievalTool } from "./tool_policy.ts";

/** How often conversations use a tool. */
export interface ToolUse {
  /** Conversations that offered it. */
  readonly offered: number;
  /** Those in which it was called. */
  readonly used: number;
}

/** What the decision depends on. */
export interface DeferralInput {
  /** The client's tools. */
  readonly tools: readonly ToolDefinition[];
  /** Bytes of the whole request. */
  readonly bodyBytes: number;
  /** What is known of the client's tools. */
  readonly uses: ReadonlyMap<string, ToolUse>;
}

/** Fewer tools with fewer tokens are left alone. */
const MIN_TOOLS = 12;
const MIN_TOKENS = 4000;
/** Tokens that must be deferred in all: a search tool for less is not worth it. */
const MIN_DEFERRED = 600;
const BYTES_PER_TOKEN = 4;

/** Further requests of a conversation that are expected. */
const FURTHER_REQUESTS = 10;
/** Price of a definition: written to the provider's cache once and read with every further request, in tokens of input. */
const HELD = 1.25 + 0.1 * FURTHER_REQUESTS;
/** Tokens that a conversation has grown by when it searches. */
const GROWTH = 20_000;
/** Price of a search beside reading the prompt once more: some 50 tokens of output, and what they and the answer add. */
const SEARCH = 400;

/** Conversations that what is assumed of a tool counts for. */
const PRIOR_WEIGHT = 4;
/** Tools of an unknown client that its conversations use. */
const USED_OF_UNKNOWN = 3;
/** Most that is assumed of a tool of which nothing is known. */
const MAX_UNKNOWN = 0.5;

/** Share of conversations that use tools of these names, in lower case without `_`, `-` and a server's prefix. */
const PRIORS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    "bash shell exec execcommand localshell shellcommand runcommand runshellcommand runterminalcmd runinterminal executecommand":
      0.95,
    "read readfile view viewfile openfile readmanyfiles strreplaceeditor strreplacebasededittool texteditor":
      0.95,
    "edit multiedit applypatch applydiff replace replaceinfile editfile strreplace":
      0.9,
    "write writefile createfile writetofile": 0.8,
    "grep search searchfiles searchfilecontent greps codesearch ripgrep": 0.7,
    "glob find findfiles list ls listdir listdirectory listfiles": 0.6,
    "writestdin updateplan todowrite": 0.5,
    "task agent taskcreate": 0.3,
    "taskupdate skill": 0.2,
    "webfetch websearch googlewebsearch fetch": 0.1,
    "askuserquestion askfollowupquestion attemptcompletion exitplanmode": 0.15,
    "notebookedit notebookread todoread killshell bashoutput taskoutput taskstop taskget tasklist":
      0.05,
    "croncreate crondelete cronlist enterworktree exitworktree schedulewakeup sendmessage reportfindings workflow":
      0.02,
  }).flatMap(([names, share]) =>
    names.split(" ").map((name) => [name, share] as const)
  ),
);

/**
 * Names of the tools whose definitions stay in the prompt of a conversation that begins. A definition is deferred when
 * holding it costs more than searching for it, times the chance that it is needed.
 *
 * @returns `undefined` where nothing is to be deferred.
 */
export function residentTools(
  { tools, bodyBytes, uses }: DeferralInput,
): readonly string[] | undefined {
  if (tools.some(defersItself)) return undefined;
  const tokens = tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
  if (tools.length < MIN_TOOLS && tokens < MIN_TOKENS) return undefined;
  const search = 0.1 * (bodyBytes / BYTES_PER_TOKEN + GROWTH) + SEARCH;
  const unknown = tools.filter(({ name }) => priorOf(name) === undefined);
  const assumed = Math.min(MAX_UNKNOWN, USED_OF_UNKNOWN / unknown.length);
  const staysOf = (tool: ToolDefinition) => {
    if (!mayDefer(tool) || isRetrievalTool(tool.name)) return true;
    const { offered, used } = uses.get(tool.name) ?? NEVER_SEEN;
    const prior = priorOf(tool.name) ?? assumed;
    const share = (used + PRIOR_WEIGHT * prior) / (offered + PRIOR_WEIGHT);
    return tokensOf(tool) * HELD * (1 - share) <= share * search;
  };
  const deferred = tools.filter((tool) => !staysOf(tool));
  const saved = deferred.reduce((sum, tool) => sum + tokensOf(tool), 0);
  if (saved < MIN_DEFERRED) return undefined;
  const gone = new Set(deferred);
  return tools.filter((tool) => !gone.has(tool)).map(({ name }) => name);
}

const NEVER_SEEN: ToolUse = { offered: 0, used: 0 };

function tokensOf({ span }: ToolDefinition): number {
  return (span.end - span.start) / BYTES_PER_TOKEN;
}

/** Whether the client loads definitions on demand itself. */
function defersItself({ name, type, isDeferred }: ToolDefinition): boolean {
  return isDeferred === true || type.startsWith("tool_search") ||
    name === "ToolSearch";
}

function priorOf(name: string): number | undefined {
  const base = name.split(/__|[./:]/).at(-1) ?? name;
  return PRIORS.get(base.toLowerCase().replace(/[_-]/g, ""));
}
