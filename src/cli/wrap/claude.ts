/** Claude Code. Its settings files win over the environment; `--settings` wins over the files. @module */
import { isRecord } from "../agents/agent.ts";
import { jsonFormat } from "../agents/json_format.ts";
import { type AgentFile, agentFiles } from "../doctor/agent_files.ts";
import {
  CLAUDE_MANAGED,
  claudeSettingsFiles,
  isOn,
} from "../doctor/claude_check.ts";
import { CliFailure } from "../failure.ts";
import type {
  Pointing,
  PointRequest,
  UpstreamName,
  WrapAgent,
} from "./agent.ts";
import { userAddresses } from "./user_address.ts";

const FORMAT = jsonFormat({ container: "env", comments: true });

/** A service that Claude Code can use, and how its base URL is set. */
interface Service {
  /** Variable that chooses it; none for the default. */
  readonly choice?: string;
  /** Variable of its base URL. */
  readonly variable: string;
  /** Upstream of the proxy for it. */
  readonly upstream: UpstreamName;
  /** What follows the proxy's URL. */
  readonly ending: string;
}

const DEFAULT: Service = {
  variable: "ANTHROPIC_BASE_URL",
  upstream: "messages",
  ending: "",
};
const SERVICES: readonly Service[] = [
  {
    choice: "CLAUDE_CODE_USE_VERTEX",
    variable: "ANTHROPIC_VERTEX_BASE_URL",
    upstream: "vertex",
    ending: "/v1",
  },
];
/** Services whose requests are signed or named for their own host. */
const UNREACHABLE: readonly (readonly [choice: string, name: string])[] = [
  ["CLAUDE_CODE_USE_BEDROCK", "Bedrock"],
  ["CLAUDE_CODE_USE_FOUNDRY", "Foundry"],
];
const SEARCH = "ENABLE_TOOL_SEARCH";
const MODEL = "ANTHROPIC_MODEL";
/** Ending of a model's name that asks for the large context window. */
const LARGE = "[1m]";

/** Claude Code. */
export const WRAP_CLAUDE: WrapAgent = {
  id: "claude",
  title: "Claude Code",
  program: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  upstreams: ["messages"],
  async point(request) {
    const files = await agentFiles(
      claudeSettingsFiles(request),
      FORMAT,
      request,
    );
    const broken = files.find(({ fault }) => fault !== undefined);
    const seen = new Settings(files, request);
    for (const [choice, name] of UNREACHABLE) {
      const value = seen.value(choice);
      if (!isOn(value?.text)) continue;
      throw new CliFailure(
        `Cannot send Claude Code through svc: ${choice} in ${value?.from} selects ${name}. docs/proxy.md says which services svc serves`,
      );
    }
    const service =
      SERVICES.find(({ choice }) =>
        choice !== undefined && isOn(seen.value(choice)?.text)
      ) ?? DEFAULT;
    const pointing = pointed(request, { seen, service });
    if (broken === undefined) return pointing;
    const note =
      `${broken.path} cannot be read (${broken.fault}); it is left as it is, and this run is pointed by variables`;
    return { ...pointing, notes: [...pointing.notes ?? [], note] };
  },
};

function pointed(
  request: PointRequest,
  { seen, service }: { readonly seen: Settings; readonly service: Service },
): Pointing {
  const { base, args, largeModel } = request;
  const { variable, upstream, ending } = service;
  const target = base + ending;
  const present = seen.value(variable);
  const addresses = userAddresses(base, [{
    text: present?.isKept ? undefined : present?.text,
    from: `${variable} in ${present?.from}`,
    upstream,
    form: ending === "" ? "root" : "v1",
  }]);
  const model = largeModel === undefined
    ? undefined
    : modelFor(args, largeModel, seen);
  const variables = {
    [variable]: target,
    ...seen.value(SEARCH) === undefined && { [SEARCH]: "true" },
    ...model !== undefined && { [MODEL]: model },
  };
  // What a file says wins over the environment, so it has to be said with more weight.
  const overruled = [variable, ...model === undefined ? [] : [MODEL]]
    .filter((name) => seen.value(name)?.isFile);
  if (overruled.length === 0) return { variables, args: [], addresses };
  refuseVain(overruled, { args, seen, target });
  const env = Object.fromEntries(
    overruled.map((name) => [name, variables[name as keyof typeof variables]]),
  );
  return {
    variables,
    args: ["--settings", JSON.stringify({ env })],
    addresses,
  };
}

/** Refuses to overrule what stays in force whatever is given. */
function refuseVain(
  [name = ""]: readonly string[],
  { args, seen, target }: {
    readonly args: readonly string[];
    readonly seen: Settings;
    readonly target: string;
  },
): void {
  const from = seen.value(name)?.from ?? "";
  if (CLAUDE_MANAGED.includes(from)) {
    throw new CliFailure(
      `Cannot overrule ${name} in ${from}, the settings of your organisation: Claude Code lets nothing override them`,
    );
  }
  if (args.some((arg) => /^--settings(=|$)/.test(arg))) {
    throw new CliFailure(
      `Cannot overrule ${name} in ${from}: your arguments have --settings already, and Claude Code uses only one. Set ${name} to ${target} there`,
    );
  }
}

/** The model to set; `undefined` where an argument names one. */
function modelFor(
  args: readonly string[],
  fallback: string,
  seen: Settings,
): string | undefined {
  if (args.some((arg) => /^--model(=|$)/.test(arg))) return undefined;
  const name = (seen.value(MODEL)?.text ?? fallback).trim();
  return name.toLowerCase().endsWith(LARGE) ? name : name + LARGE;
}

/** A variable as Claude Code sees it. */
interface Seen {
  readonly text: string;
  /** Where it stands. */
  readonly from: string;
  readonly isFile: boolean;
  /** Whether svc wrote it. */
  readonly isKept: boolean;
}

/** The variables that Claude Code sees: those of its settings, then those of the environment. */
class Settings {
  readonly #files: readonly AgentFile[];
  readonly #request: PointRequest;

  constructor(files: readonly AgentFile[], request: PointRequest) {
    this.#files = files;
    this.#request = request;
  }

  value(name: string): Seen | undefined {
    const { env, kept } = this.#request;
    for (const { path, values } of this.#files) {
      const { env: set } = values;
      const text = isRecord(set) ? set[name] : undefined;
      if (typeof text !== "string" || text === "") continue;
      return { text, from: path, isFile: true, isKept: kept.includes(path) };
    }
    const text = env[name];
    if (!text) return undefined;
    return { text, from: "the environment", isFile: false, isKept: false };
  }
}
