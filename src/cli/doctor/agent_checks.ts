/** Do Claude Code, Codex and OpenCode send their requests to the proxy? @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { join } from "node:path";
import {
  type Agent,
  type ConfigValues,
  homeOf,
  textValuesOf,
} from "../agents/agent.ts";
import { CLAUDE_CODE, CODEX, OPENCODE } from "../agents/registry.ts";
import { presentAgents } from "../agents/locate.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";
import type { CliIo } from "../io.ts";
import type { TextValues } from "../../settings/row.ts";
import {
  type AgentFile,
  agentFiles,
  keepCommand,
  ownPlace,
  type Route,
  routeFacts,
  routesVerdict,
  routeVerdict,
  targetOf,
} from "./routing.ts";
import {
  type Details,
  type Found,
  skipped,
  type Verdict,
  verdictOf,
  warned,
} from "./found.ts";

/** Settings of an organisation, on Linux and on macOS: nothing overrules them. */
export const CLAUDE_MANAGED: readonly string[] = [
  "/etc/claude-code/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
];
/** Variables that choose a cloud, and those that name its base URL then. */
const CLOUDS: readonly (readonly [choice: string, base: string])[] = [
  ["CLAUDE_CODE_USE_VERTEX", "ANTHROPIC_VERTEX_BASE_URL"],
  ["CLAUDE_CODE_USE_FOUNDRY", "ANTHROPIC_FOUNDRY_BASE_URL"],
];
const BEDROCK = "CLAUDE_CODE_USE_BEDROCK";
const BASE = "ANTHROPIC_BASE_URL";
const SEARCH = "ENABLE_TOOL_SEARCH";

/** The check of an agent that is here, once its files could be read. */
function checkWith(
  agent: Agent,
  pathsOf: (io: CliIo) => readonly string[],
  verdictOn: (files: readonly AgentFile[], found: Found) => Verdict,
): (found: Found) => Promise<Verdict> {
  const { title } = agent;
  const format = agent === CODEX ? VALUE_FORMATS.toml : VALUE_FORMATS.jsonc;
  return async (found) => {
    const { io } = found;
    if (!(await presentAgents(io)).includes(agent)) {
      return skipped(`${title} is not on this machine`);
    }
    const files = await agentFiles(pathsOf(io), format, io);
    const broken = files.find(({ fault }) => fault !== undefined);
    return broken === undefined
      ? verdictOn(files, found)
      : verdictOf({ file: broken.path }, [warned(
        `cannot read ${broken.path}: ${broken.fault}`,
        `fix the file: ${title} cannot read it either`,
      )]);
  };
}

/** Whether its settings, those of this directory included, or the shell send it to the proxy. */
export const checkClaude = checkWith(
  CLAUDE_CODE,
  claudeSettingsFiles,
  claudeVerdict,
);

function claudeVerdict(files: readonly AgentFile[], found: Found): Verdict {
  const value = (name: string) => valueOf(name, files, found.io.env);
  if (isOn(value(BEDROCK)?.text)) {
    return warned(
      "Claude Code uses Bedrock, which svc does not serve yet",
      `unset ${BEDROCK} to send it through svc`,
    );
  }
  const [, name = BASE] =
    CLOUDS.find(([choice]) => isOn(value(choice)?.text)) ?? [];
  const { url } = found.proxy;
  const fix =
    `set it to ${url}, in "env" of ~/.claude/settings.json or for one start: ${name}=${url} claude`;
  const base = value(name);
  if (base === undefined) {
    const what = `Claude Code does not use the proxy: ${name} is not set`;
    return unrouted(CLAUDE_CODE, found, { what, fix });
  }
  const target = targetOf(base.text, ownPlace(found));
  const fault = name === BASE && target.path.endsWith("/v1")
    ? "ends in /v1, so that requests go to /v1/v1"
    : undefined;
  const from = `${name} in ${base.from}`;
  const verdict = routeVerdict({ from, target, fault }, found, fix);
  return verdict.status === "pass" && name === BASE
    ? withToolSearch(verdict, value(SEARCH))
    : verdict;
}

/** The verdict on an agent without a base URL: the command in its details is what `svc doctor --fix` does. */
function unrouted(
  { id }: Agent,
  found: Found,
  { what, fix, details = { from: null } }: {
    readonly what: string;
    readonly fix: string;
    readonly details?: Details;
  },
): Verdict {
  const keep = keepCommand(id, found);
  return verdictOf({ ...details, fix: keep }, [
    warned(what, `${keep}; or ${fix}`),
  ]);
}

/** Where it searches for tools itself, svc leaves its definitions alone. */
function withToolSearch(verdict: Verdict, search: Value | undefined): Verdict {
  const isSearching = isOn(search?.text);
  return {
    ...verdict,
    summary: isSearching
      ? `${verdict.summary}; it searches for tools itself (${SEARCH} in ${search?.from}), and svc defers none of its definitions`
      : verdict.summary,
    details: { ...verdict.details, tool_search: isSearching ? "on" : "off" },
  };
}

/** The value of a variable. */
interface Value {
  readonly text: string;
  /** Where it stands. */
  readonly from: string;
}

/** Settings files that Claude Code reads in this directory, the one that wins first. */
export function claudeSettingsFiles(
  { env, cwd }: Pick<CliIo, "env" | "cwd">,
): string[] {
  const home = env.CLAUDE_CONFIG_DIR || join(homeOf(env), ".claude");
  return [
    ...CLAUDE_MANAGED,
    join(cwd, ".claude", "settings.local.json"),
    join(cwd, ".claude", "settings.json"),
    join(home, "settings.json"),
  ];
}

/** A variable as Claude Code sees it: its settings win over the shell. */
function valueOf(
  name: string,
  files: readonly AgentFile[],
  shell: TextValues,
): Value | undefined {
  for (const { path, values } of files) {
    const text = textValuesOf(values["env"])?.[name];
    if (text) return { text, from: path };
  }
  const text = shell[name];
  return text ? { text, from: "the shell" } : undefined;
}

/** Whether a switch of Claude Code is on. */
export function isOn(text: string | undefined): boolean {
  return text !== undefined && !/^(|0|false|no|off)$/i.test(text.trim());
}

/** Provider of a configuration that names none. */
const DEFAULT_PROVIDER = "openai";
const SHELL_BASE = "OPENAI_BASE_URL";

/** Whether its configuration, or the shell, sends it to the proxy. */
export const checkCodex = checkWith(
  CODEX,
  ({ env }) => CODEX.places(env).candidates,
  codexVerdict,
);

function codexVerdict([file]: readonly AgentFile[], found: Found): Verdict {
  const { io, proxy } = found;
  const path = file?.path ?? CODEX.places(io.env).fallback;
  const base = baseOf(file?.values ?? {}, path, io.env);
  const fix = `in ${path}: openai_base_url = "${proxy.url}/v1"`;
  if ("missing" in base) {
    return unrouted(CODEX, found, { what: base.missing, fix });
  }
  const target = targetOf(base.text, ownPlace(found));
  return routeVerdict({ from: base.from, target }, found, fix);
}

/** A base URL and where it stands, or why there is none. */
type Base =
  | { readonly text: string; readonly from: string }
  | { readonly missing: string };

function baseOf(values: ConfigValues, path: string, shell: TextValues): Base {
  const profile = textOf(values["profile"]);
  const profiles = recordOf(values["profiles"]);
  const chosen = profile === undefined ? {} : recordOf(profiles[profile]);
  const provider = textOf(chosen["model_provider"]) ??
    textOf(values["model_provider"]) ?? DEFAULT_PROVIDER;
  const row = recordOf(recordOf(values["model_providers"])[provider]);
  const own = textOf(row["base_url"]);
  if (own !== undefined) {
    return {
      text: own,
      from: `base_url of the provider "${provider}" in ${path}`,
    };
  }
  if (provider !== DEFAULT_PROVIDER) {
    return {
      missing:
        `Codex uses the provider "${provider}", which has no base_url in ${path}`,
    };
  }
  const key = textOf(values["openai_base_url"]);
  if (key !== undefined) {
    return { text: key, from: `openai_base_url in ${path}` };
  }
  const text = shell[SHELL_BASE];
  if (text) return { text, from: `${SHELL_BASE} in the shell` };
  return {
    missing: `Codex does not use the proxy: no base URL in ${path}`,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function recordOf(value: unknown): ConfigValues {
  return isJsonObject(value) ? value : {};
}

/** Whether one of its providers has the proxy as its base URL. */
export const checkOpencode = checkWith(OPENCODE, configFiles, opencodeVerdict);

function opencodeVerdict(files: readonly AgentFile[], found: Found): Verdict {
  const { io, proxy } = found;
  const fix = `give the provider "options": {"baseURL": "${proxy.url}/v1"} in ${
    OPENCODE.places(io.env).fallback
  }`;
  const routes = files.flatMap((file) => routesIn(file, found));
  const details = { providers: routes.map(routeFacts) };
  const what = "OpenCode does not use the proxy: no provider has a baseURL";
  return routesVerdict(routes, found, { fix, details }) ??
    unrouted(OPENCODE, found, { what, fix, details });
}

/** Those that OpenCode reads in this directory, the one that wins first. */
function configFiles({ env, cwd }: Pick<CliIo, "env" | "cwd">): string[] {
  const names = ["opencode.jsonc", "opencode.json"];
  const { OPENCODE_CONFIG: _, ...others } = env;
  return [
    ...names.map((name) => join(cwd, name)),
    ...env.OPENCODE_CONFIG ? [env.OPENCODE_CONFIG] : [],
    ...OPENCODE.places(others).candidates,
  ];
}

function routesIn({ path, values }: AgentFile, found: Found): Route[] {
  const providers = isJsonObject(values["provider"]) ? values["provider"] : {};
  return Object.entries(providers).flatMap(([name, provider]): Route[] => {
    const options = isJsonObject(provider) ? provider["options"] : undefined;
    const text = isJsonObject(options) ? options["baseURL"] : undefined;
    if (typeof text !== "string" || text === "") return [];
    const target = targetOf(text, ownPlace(found));
    const fault = target.path.endsWith("/v1")
      ? undefined
      : "has no /v1 at its end";
    return [{ from: `the provider "${name}" in ${path}`, target, fault }];
  });
}
