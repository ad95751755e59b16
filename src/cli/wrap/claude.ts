/** Claude Code and the services it can use. Its settings files win over the environment; `--settings` wins over the files. @module */
import { KNOWN } from "../agents/agent.ts";
import { isJsonObject } from "../../bytes/json_parts.ts";
import {
  addressOf,
  type FoundAddress,
  hasOption,
  type Pointing,
  type PointRequest,
  userAddresses,
  type WrapAgent,
} from "./agent.ts";
import { type AgentFile, agentFiles } from "../doctor/routing.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";
import {
  CLAUDE_MANAGED,
  claudeSettingsFiles,
  isOn,
} from "../doctor/agent_checks.ts";
import { CliFailure } from "../failure.ts";

/** A variable as Claude Code sees it. */
interface SeenVariable {
  readonly text: string;
  /** Where it stands. */
  readonly from: string;
  /** Whether that is a file, which wins over the environment. */
  readonly isFile: boolean;
  /** Whether svc wrote it. */
  readonly isKept: boolean;
}

/** Looks a variable up. */
type SeeVariable = (name: string) => SeenVariable | undefined;

/** A service: the variable that chooses it, none for the default, and the one with its base URL. */
interface Service extends Omit<FoundAddress, "text" | "from"> {
  readonly choice?: string;
  readonly variable: string;
}

/** Anthropic's own. */
const DIRECT: Service = {
  variable: "ANTHROPIC_BASE_URL",
  upstream: "messages",
  form: "root",
};

/** Those that a variable chooses. */
const CHOSEN: readonly (Service & { readonly choice: string })[] = [
  {
    choice: "CLAUDE_CODE_USE_VERTEX",
    variable: "ANTHROPIC_VERTEX_BASE_URL",
    upstream: "vertex",
    form: "v1",
  },
  {
    choice: "CLAUDE_CODE_USE_FOUNDRY",
    variable: "ANTHROPIC_FOUNDRY_BASE_URL",
    upstream: "foundry",
    form: "root",
  },
];

/** What points a service to the proxy: variables, an empty one counts as not set; and what they replace. */
function servicePointing(service: Service, base: string, see: SeeVariable) {
  const { variable, form } = service;
  return service.upstream === "foundry"
    ? foundryPointing(service, base, see)
    : {
      variables: { [variable]: addressOf(base, form) },
      found: foundIn(service, see),
    };
}

/** The path of a resource's address. */
const FOUNDRY_PATH = "/anthropic";
const FOUNDRY_RESOURCE = "ANTHROPIC_FOUNDRY_RESOURCE";

/** The path of the address stays; a resource and an address exclude each other. */
function foundryPointing(service: Service, base: string, see: SeeVariable) {
  const { variable, upstream, form } = service;
  const resource = see(FOUNDRY_RESOURCE);
  const address = see(variable);
  const url = URL.parse(address?.text ?? "");
  const path = url?.pathname.replace(/\/+$/, "") ?? FOUNDRY_PATH;
  const found = address === undefined && resource !== undefined
    ? {
      ...{ upstream, form },
      text: `https://${resource.text}.services.ai.azure.com`,
      from: `${FOUNDRY_RESOURCE} in ${resource.from}`,
    }
    : foundIn(service, see);
  return {
    variables: {
      [variable]: base + (address?.isKept ? FOUNDRY_PATH : path),
      ...resource !== undefined && { [FOUNDRY_RESOURCE]: "" },
    },
    // Its path is in the proxy's address.
    found: found && { ...found, text: withoutPath(found.text) },
  };
}

function withoutPath(text: string | undefined): string | undefined {
  const url = URL.parse(text ?? "");
  if (url === null) return text;
  url.pathname = "/";
  return url.href;
}

function foundIn(
  { variable, upstream, form }: Service,
  see: SeeVariable,
): FoundAddress | undefined {
  const present = see(variable);
  if (present === undefined || present.isKept) return undefined;
  const from = `${variable} in ${present.from}`;
  return { text: present.text, from, upstream, form };
}

const BEDROCK = "CLAUDE_CODE_USE_BEDROCK";
const SEARCH = "ENABLE_TOOL_SEARCH";
const MODEL = "ANTHROPIC_MODEL";
/** Ending of a model's name that asks for the large context window. */
const LARGE = "[1m]";

/** Claude Code. */
export const WRAP_CLAUDE: WrapAgent = {
  ...KNOWN.claude,
  upstreams: ["messages"],
  async point(request) {
    const files = await agentFiles(
      claudeSettingsFiles(request),
      VALUE_FORMATS.jsonc,
      request,
    );
    const broken = files.find(({ fault }) => fault !== undefined);
    const see = variablesIn(files, request);
    const bedrock = see(BEDROCK);
    if (isOn(bedrock?.text)) {
      throw new CliFailure(
        `Cannot send Claude Code through svc: ${BEDROCK} in ${bedrock?.from} selects Bedrock, whose requests are signed for its own address`,
      );
    }
    const service = CHOSEN.find(({ choice }) => isOn(see(choice)?.text)) ??
      DIRECT;
    const pointing = pointed(request, service, see);
    if (broken === undefined) return pointing;
    const note =
      `${broken.path} cannot be read (${broken.fault}); it is left as it is, and this run is pointed by variables`;
    return { ...pointing, notes: [note] };
  },
};

function pointed(
  request: PointRequest,
  service: Service,
  see: SeeVariable,
): Pointing {
  const { base, args, largeModel } = request;
  const { variables: own, found } = servicePointing(service, base, see);
  const model = largeModel === undefined
    ? undefined
    : modelFor(args, largeModel, see);
  const fixed = { ...own, ...model !== undefined && { [MODEL]: model } };
  const pointing = {
    variables: {
      ...fixed,
      ...see(SEARCH) === undefined &&
        !(service === DIRECT && defersTools(request.env, found)) &&
        { [SEARCH]: "true" },
    },
    addresses: userAddresses(base, found === undefined ? [] : [found]),
    upstreams: [service.upstream],
  };
  // What a file says wins over the environment, so it has to be said with more weight.
  const overruled = Object.entries(fixed).filter(([name]) => see(name)?.isFile);
  if (overruled.length === 0) return pointing;
  refuseVain(overruled[0]!, args, see);
  const env = Object.fromEntries(overruled);
  return { ...pointing, args: ["--settings", JSON.stringify({ env })] };
}

/** Whether the proxy loads definitions on demand, which saves more than Claude Code's own search: with the provider's own API. */
function defersTools(
  env: PointRequest["env"],
  found: FoundAddress | undefined,
): boolean {
  return found === undefined && !env.MSG_TARGET_API_URL &&
    env.SVC_TOOL_DEFERRAL !== "off";
}

/** Refuses to overrule what stays in force whatever is given. */
function refuseVain(
  [name, target]: readonly [name: string, target: string],
  args: readonly string[],
  see: SeeVariable,
): void {
  const from = see(name)?.from ?? "";
  if (CLAUDE_MANAGED.includes(from)) {
    throw new CliFailure(
      `Cannot overrule ${name} in ${from}, the settings of your organisation: Claude Code lets nothing override them`,
    );
  }
  if (hasOption(args, "--settings")) {
    throw new CliFailure(
      `Cannot overrule ${name} in ${from}: your arguments have --settings already, and Claude Code uses only one. Set ${name} to ${target} there`,
    );
  }
}

/** The model to set; `undefined` where an argument names one. */
function modelFor(
  args: readonly string[],
  fallback: string,
  see: SeeVariable,
): string | undefined {
  if (hasOption(args, "--model")) return undefined;
  const name = (see(MODEL)?.text ?? fallback).trim();
  return name.toLowerCase().endsWith(LARGE) ? name : name + LARGE;
}

/** The variables that Claude Code sees: those of its settings, then those of the environment. */
function variablesIn(
  files: readonly AgentFile[],
  { env, kept }: PointRequest,
): SeeVariable {
  return (name) => {
    for (const { path, values } of files) {
      const { env: set } = values;
      const text = isJsonObject(set) ? set[name] : undefined;
      if (typeof text !== "string" || text === "") continue;
      return { text, from: path, isFile: true, isKept: kept.includes(path) };
    }
    const text = env[name];
    if (!text) return undefined;
    return { text, from: "the environment", isFile: false, isKept: false };
  };
}
