/** Does Codex send its requests to the proxy? @module */
import { type ConfigValues, isRecord } from "../agents/agent.ts";
import { CODEX } from "../agents/codex.ts";
import { presentAgents } from "../agents/locate.ts";
import type { TextValues } from "../../settings/row.ts";
import { agentFiles } from "./agent_files.ts";
import { targetOf } from "./base_url.ts";
import type { Found } from "./found.ts";
import { keepCommand, ownPlace, routeVerdict } from "./routing.ts";
import { skipped, type Verdict, warned } from "./verdict.ts";

/** Provider of a configuration that names none. */
const DEFAULT_PROVIDER = "openai";
const SHELL_BASE = "OPENAI_BASE_URL";

/** Whether its configuration, or the shell, sends it to the proxy. */
export async function checkCodex(found: Found): Promise<Verdict> {
  const { io, proxy } = found;
  if (!(await presentAgents(io)).includes(CODEX)) {
    return skipped("Codex is not on this machine");
  }
  const { candidates, fallback } = CODEX.places(io.env);
  const [file] = await agentFiles(candidates, CODEX.format, io);
  if (file?.fault !== undefined) {
    return warned(`cannot read ${file.path}: ${file.fault}`, {
      hint: "fix the file: Codex cannot read it either",
      details: { file: file.path },
    });
  }
  const path = file?.path ?? fallback;
  const base = baseOf(file?.values ?? {}, path, io.env);
  const fix = `in ${path}: openai_base_url = "${proxy.url}/v1"`;
  if ("missing" in base) {
    const keep = keepCommand(CODEX.id, found);
    return warned(base.missing, {
      hint: `${keep}; or ${fix}`,
      details: { from: null, fix: keep },
    });
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
  return isRecord(value) ? value : {};
}
