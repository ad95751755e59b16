/** OpenCode: configuration in a variable is merged over its files. @module */
import { join, resolve } from "node:path";
import { ConfigFault, isRecord } from "../agents/agent.ts";
import { jsonFormat } from "../agents/json_format.ts";
import { OPENCODE } from "../agents/opencode.ts";
import { type AgentFile, agentFiles } from "../doctor/agent_files.ts";
import { valueAt } from "../edits/file_plan.ts";
import { CliFailure } from "../failure.ts";
import type { PointRequest, UpstreamName, WrapAgent } from "./agent.ts";
import { type FoundAddress, userAddresses } from "./user_address.ts";

const VARIABLE = "OPENCODE_CONFIG_CONTENT";
const FORMAT = jsonFormat({ container: "provider", comments: true });

/** OpenCode's providers that the proxy serves. */
const PROVIDERS: readonly (readonly [name: string, upstream: UpstreamName])[] =
  [["anthropic", "messages"], ["openai", "chat"]];

/** OpenCode. */
export const WRAP_OPENCODE: WrapAgent = {
  id: "opencode",
  title: OPENCODE.title,
  program: OPENCODE.program,
  install: "npm install -g opencode-ai",
  upstreams: ["messages", "chat"],
  async point(request) {
    const { base, kept } = request;
    const files = await configurations(request);
    const given = contentOf(request);
    const found = PROVIDERS.flatMap(([name, upstream]): FoundAddress[] => {
      const path = ["provider", name, "options", "baseURL"];
      const place = given !== undefined && valueAt(given, path) !== undefined
        ? { path: `the variable ${VARIABLE}`, values: given }
        : files.find(({ values }) => valueAt(values, path) !== undefined);
      const text = place && valueAt(place.values, path);
      if (place === undefined || kept.includes(place.path)) return [];
      const from = `${path.join(".")} in ${place.path}`;
      return [{ text: String(text), from, upstream, form: "v1" }];
    });
    const content = PROVIDERS.reduce(
      (all, [name]) => withAddress(all, name, `${base}/v1`),
      given ?? {},
    );
    return {
      variables: { [VARIABLE]: JSON.stringify(content) },
      args: [],
      addresses: userAddresses(base, found),
      ...given !== undefined && { secrets: [VARIABLE] },
      notes: otherProviders(files),
    };
  },
};

/** Its files, the one that wins first. */
async function configurations(
  request: PointRequest,
): Promise<readonly AgentFile[]> {
  const { env, cwd } = request;
  const local = ["opencode.jsonc", "opencode.json"];
  const paths = [
    ...local.map((name) => join(cwd, ".opencode", name)),
    ...local.map((name) => join(cwd, name)),
    ...OPENCODE.places(env).candidates.map((path) => resolve(cwd, path)),
  ];
  return await agentFiles(paths, FORMAT, request);
}

/** What the variable says already. */
function contentOf(
  { env }: PointRequest,
): Readonly<Record<string, unknown>> | undefined {
  const text = env[VARIABLE];
  if (!text) return undefined;
  try {
    return FORMAT.parse(text);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    throw new CliFailure(
      `Cannot add the proxy to ${VARIABLE}: ${error.message}`,
    );
  }
}

function withAddress(
  content: Readonly<Record<string, unknown>>,
  name: string,
  baseURL: string,
): Readonly<Record<string, unknown>> {
  const inner = (value: unknown) => isRecord(value) ? value : {};
  const providers = inner(content["provider"]);
  const provider = inner(providers[name]);
  const options = { ...inner(provider["options"]), baseURL };
  return {
    ...content,
    provider: { ...providers, [name]: { ...provider, options } },
  };
}

/** Providers of the user that have addresses of their own go there as before. */
function otherProviders(files: readonly AgentFile[]): readonly string[] {
  const names = files.flatMap(({ values }) => {
    const { provider } = values;
    if (!isRecord(provider)) return [];
    return Object.keys(provider).filter((name) =>
      !PROVIDERS.some(([own]) => own === name)
    );
  });
  if (names.length === 0) return [];
  const shown = [...new Set(names)].join(", ");
  return [
    `Requests to ${shown} do not go through the proxy: it serves anthropic and openai`,
  ];
}
