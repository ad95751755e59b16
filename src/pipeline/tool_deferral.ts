/** Which tool definitions a conversation will need, so that the others need not be in every prompt. @module */
import type { ToolDefinition } from "../bytes/tool_definitions.ts";
import type { ByteSpan } from "../core/block.ts";
import type { PromptCache } from "../core/format.ts";
import type { DeferralFormat } from "../core/deferral.ts";
import { heldPrice } from "./older_blocks.ts";
import type { ToolHabit } from "./tool_habits.ts";
import { isRetrievalTool } from "./tool_policy.ts";
import { mayDefer } from "./deferred_marks.ts";

/** What the decision depends on. */
export interface DeferralInput {
  /** The client's tools. */
  readonly tools: readonly ToolDefinition[];
  /** Bytes of the whole request. */
  readonly bodyBytes: number;
  /** What is known of the client's tools. */
  readonly habits: ReadonlyMap<string, ToolHabit>;
  /** Of the request's format. */
  readonly deferral: DeferralFormat;
  /** What the provider asks for prompts that it holds. */
  readonly promptCache: Pick<PromptCache, "write" | "read">;
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

/** Tokens that must be left out in a conversation, so that the retrieval tool in all of its requests is paid for. */
const MIN_LEFT_OUT = 80 * HELD / (1.25 + 0.1 * FURTHER_REQUESTS / 2);
/** Tokens that are assumed to be left out of the results of a tool of which nothing is known. */
const LEFT_OUT_OF_UNKNOWN = 200;

/** Conversations that what is assumed of a tool counts for. */
const PRIOR_WEIGHT = 4;
/** Tools of an unknown client that its conversations use. */
const USED_OF_UNKNOWN = 3;
/** Most that is assumed of a tool of which nothing is known. */
const MAX_UNKNOWN = 0.5;

/** What is assumed of a tool by its name. */
interface Prior {
  /** Share of conversations that use it. */
  readonly used: number;
  /** Tokens that are left out of its results in one conversation. */
  readonly saved: number;
}

/** Names in lower case without `_`, `-` and a server's prefix; share of use; tokens left out. */
const PRIORS: ReadonlyMap<string, Prior> = new Map(
  ([
    [
      "bash shell exec execcommand localshell shellcommand runcommand runshellcommand runterminalcmd runinterminal executecommand",
      0.95,
      600,
    ],
    [
      "read readfile view viewfile openfile readmanyfiles strreplaceeditor strreplacebasededittool texteditor",
      0.95,
      150,
    ],
    [
      "edit multiedit applypatch applydiff replace replaceinfile editfile strreplace",
      0.9,
      0,
    ],
    ["write writefile createfile writetofile", 0.8, 0],
    [
      "grep search searchfiles searchfilecontent codesearch ripgrep",
      0.7,
      300,
    ],
    ["glob find findfiles list ls listdir listdirectory listfiles", 0.6, 100],
    ["updateplan todowrite", 0.5, 0],
    ["writestdin", 0.5, 300],
    ["agent task taskcreate", 0.3, 0],
    ["skill taskupdate", 0.2, 0],
    [
      "askfollowupquestion askuserquestion attemptcompletion exitplanmode",
      0.15,
      0,
    ],
    ["fetch googlewebsearch webfetch websearch", 0.1, 300],
    ["bashoutput taskoutput", 0.05, 100],
    [
      "killshell notebookedit notebookread taskget tasklist taskstop todoread",
      0.05,
      0,
    ],
    [
      "croncreate crondelete cronlist enterworktree exitworktree reportfindings schedulewakeup sendmessage workflow",
      0.02,
      0,
    ],
  ] as const).flatMap(([names, used, saved]) =>
    names.split(" ").map((name) => [name, { used, saved }] as const)
  ),
);

/**
 * Names of the tools whose definitions stay in the prompt of a conversation that begins. A definition is deferred when
 * holding it costs more than searching for it, times the chance that it is needed.
 *
 * @returns `undefined` where nothing is to be deferred.
 */
export function residentTools(
  { tools, bodyBytes, habits, deferral, promptCache }: DeferralInput,
): readonly string[] | undefined {
  const { isSchemaOnly, conflicts } = deferral;
  if (tools.some(defersItself)) return undefined;
  if (tools.some(({ name }) => conflicts?.test(name))) return undefined;
  const { read } = promptCache;
  const held = heldPrice(promptCache);
  const savedOf = (tool: ToolDefinition) =>
    isSchemaOnly ? sizeOf(tool.parameters) : sizeOf(tool.span);
  const tokens = tools.reduce((sum, { span }) => sum + sizeOf(span), 0);
  if (tools.length < MIN_TOOLS && tokens < MIN_TOKENS) return undefined;
  // The definitions themselves are hardly in the prompt that is read again.
  const rest = Math.max(0, bodyBytes / BYTES_PER_TOKEN - tokens);
  const search = read * (rest + GROWTH) + SEARCH;
  const unknown = tools.filter(({ name }) => priorOf(name) === undefined);
  const assumed = Math.min(MAX_UNKNOWN, USED_OF_UNKNOWN / unknown.length);
  const staysOf = (tool: ToolDefinition) => {
    if (!mayDefer(tool, deferral) || isRetrievalTool(tool.name)) return true;
    const { offered, used } = habits.get(tool.name) ?? NEVER_SEEN;
    const prior = priorOf(tool.name)?.used ?? assumed;
    const share = (used + PRIOR_WEIGHT * prior) / (offered + PRIOR_WEIGHT);
    return savedOf(tool) * held * (1 - share) <= share * search;
  };
  const deferred = tools.filter((tool) => !staysOf(tool));
  const saved = deferred.reduce((sum, tool) => sum + savedOf(tool), 0);
  if (saved < MIN_DEFERRED) return undefined;
  const gone = new Set(deferred);
  return tools.filter((tool) => !gone.has(tool)).map(({ name }) => name);
}

const NEVER_SEEN = { offered: 0, used: 0, tried: 0, saved: 0 };

/**
 * Whether a conversation that begins with these tools is expected to save more by leaving things out than it costs to
 * declare the tool that gives them back.
 *
 * @param names Names of the client's tools.
 * @param habits What is known of them.
 */
export function isRetrievalWorthIt(
  names: readonly string[],
  habits: ReadonlyMap<string, ToolHabit>,
): boolean {
  const expected = names.reduce((sum, name) => {
    const { tried, saved } = habits.get(name) ?? NEVER_SEEN;
    const prior = priorOf(name)?.saved ?? LEFT_OUT_OF_UNKNOWN;
    return sum + (saved + PRIOR_WEIGHT * prior) / (tried + PRIOR_WEIGHT);
  }, 0);
  return expected > MIN_LEFT_OUT;
}

/** Tokens, by length. */
function sizeOf(span: ByteSpan | undefined): number {
  return span === undefined ? 0 : (span.end - span.start) / BYTES_PER_TOKEN;
}

/** Whether the client loads definitions on demand itself. */
function defersItself({ name, type, isDeferred }: ToolDefinition): boolean {
  return isDeferred === true || type.startsWith("tool_search") ||
    name === "ToolSearch";
}

function priorOf(name: string): Prior | undefined {
  const base = name.split(/__|[./:]/).at(-1) ?? name;
  return PRIORS.get(base.toLowerCase().replace(/[_-]/g, ""));
}
