/** Does Claude Code send its requests to the proxy? @module */
import { join } from "node:path";
import { homeOf, textValuesOf } from "../agents/agent.ts";
import { CLAUDE_CODE } from "../agents/claude_code.ts";
import { jsonFormat } from "../agents/json_format.ts";
import { presentAgents } from "../agents/locate.ts";
import type { CliIo } from "../io.ts";
import type { TextValues } from "../../settings/row.ts";
import { type AgentFile, agentFiles } from "./agent_files.ts";
import { targetOf } from "./base_url.ts";
import type { Found } from "./found.ts";
import { keepCommand, ownPlace, routeVerdict } from "./routing.ts";
import { skipped, type Verdict, warned } from "./verdict.ts";

const FORMAT = jsonFormat({ container: "env", comments: true });
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

/** Whether its settings, those of this directory included, or the shell send it to the proxy. */
export async function checkClaude(found: Found): Promise<Verdict> {
  const { io } = found;
  const present = await presentAgents(io);
  if (!present.includes(CLAUDE_CODE)) {
    return skipped("Claude Code is not on this machine");
  }
  const files = await agentFiles(claudeSettingsFiles(io), FORMAT, io);
  const [broken] = files.filter(({ fault }) => fault !== undefined);
  if (broken !== undefined) {
    return warned(`cannot read ${broken.path}: ${broken.fault}`, {
      hint: "fix the file: Claude Code cannot read it either",
      details: { file: broken.path },
    });
  }
  const value = (name: string) => valueOf(name, files, io.env);
  if (isOn(value(BEDROCK)?.text)) {
    return warned("Claude Code uses Bedrock, which svc does not serve yet", {
      hint: `unset ${BEDROCK} to send it through svc`,
    });
  }
  const [, name = BASE] =
    CLOUDS.find(([choice]) => isOn(value(choice)?.text)) ?? [];
  const verdict = baseVerdict(name, value(name), found);
  return verdict.status === "pass" && name === BASE
    ? withToolSearch(verdict, value(SEARCH), keepCommand(CLAUDE_CODE.id, found))
    : verdict;
}

/** With a base URL of its own it sends all definitions of tools with each request, unless it is asked to search them. */
function withToolSearch(
  verdict: Verdict,
  search: Value | undefined,
  keep: string,
): Verdict {
  const state = isOn(search?.text) ? "on" : "off";
  const summary = `${verdict.summary}; tool search is ${state}`;
  const details = { ...verdict.details, tool_search: state };
  // Who switched it off wants it so.
  if (search !== undefined) {
    const from = state === "off" ? ` (${SEARCH} in ${search.from})` : "";
    return { ...verdict, summary: summary + from, details };
  }
  return warned(summary, {
    hint: `${keep}; or set ${SEARCH}=true beside ${BASE}`,
    details: { ...details, fix: keep },
  });
}

function baseVerdict(
  name: string,
  base: Value | undefined,
  found: Found,
): Verdict {
  const { url } = found.proxy;
  const keep = keepCommand(CLAUDE_CODE.id, found);
  const fix =
    `set it to ${url}, in "env" of ~/.claude/settings.json or for one start: ${name}=${url} claude`;
  if (base === undefined) {
    return warned(
      `Claude Code does not use the proxy: ${name} is not set`,
      { hint: `${keep}; or ${fix}`, details: { from: null, fix: keep } },
    );
  }
  const target = targetOf(base.text, ownPlace(found));
  const isDoubled = name === BASE && target.path.endsWith("/v1");
  const fault = isDoubled
    ? "ends in /v1, so that requests go to /v1/v1"
    : undefined;
  const from = `${name} in ${base.from}`;
  return routeVerdict({ from, target, fault }, found, fix);
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
