/** OpenCode and Mistral Vibe: configuration in a variable wins over their files. @module */
import { isJsonObject, parseJson } from "../../bytes/json_parts.ts";
import { CliFailure } from "../failure.ts";
import { join, resolve } from "node:path";
import {
  ConfigFault,
  type ConfigValues,
  type KeyPath,
  KNOWN,
  valueAt,
  valuesWith,
} from "../agents/agent.ts";
import { OPENCODE } from "../agents/registry.ts";
import { type AgentFile, agentFiles } from "../doctor/routing.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";
import {
  type FoundAddress,
  type PointRequest,
  type UpstreamName,
  userAddresses,
  type WrapAgent,
} from "./agent.ts";

const VARIABLE = "OPENCODE_CONFIG_CONTENT";

/** OpenCode's providers that the proxy serves. */
const PROVIDERS: readonly (readonly [name: string, upstream: UpstreamName])[] =
  [["anthropic", "messages"], ["openai", "chat"]];

function addressPath(provider: string): KeyPath {
  return ["provider", provider, "options", "baseURL"];
}

/** OpenCode. */
export const WRAP_OPENCODE: WrapAgent = {
  ...KNOWN.opencode,
  upstreams: ["messages", "chat"],
  async point(request) {
    const { base, kept } = request;
    const files = await configurations(request);
    const given = contentOf(request);
    const found = PROVIDERS.flatMap(([name, upstream]): FoundAddress[] => {
      const path = addressPath(name);
      const place = given !== undefined && valueAt(given, path) !== undefined
        ? { path: `the variable ${VARIABLE}`, values: given }
        : files.find(({ values }) => valueAt(values, path) !== undefined);
      const text = place && valueAt(place.values, path);
      if (place === undefined || kept.includes(place.path)) return [];
      const from = `${path.join(".")} in ${place.path}`;
      return [{ text: String(text), from, upstream, form: "v1" }];
    });
    const content = PROVIDERS.reduce(
      (all, [name]) => valuesWith(all, addressPath(name), `${base}/v1`),
      given ?? {},
    );
    return {
      variables: { [VARIABLE]: JSON.stringify(content) },
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
  return await agentFiles(paths, VALUE_FORMATS.jsonc, request);
}

/** What the variable says already. */
function contentOf({ env }: PointRequest): ConfigValues | undefined {
  const text = env[VARIABLE];
  if (!text) return undefined;
  try {
    return VALUE_FORMATS.jsonc.parse(text);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    throw new CliFailure(
      `Cannot add the proxy to ${VARIABLE}: ${error.message}`,
    );
  }
}

/** Providers of the user that have addresses of their own go there as before. */
function otherProviders(files: readonly AgentFile[]): readonly string[] {
  const names = files.flatMap(({ values }) => {
    const { provider } = values;
    if (!isJsonObject(provider)) return [];
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

const VIBE_VARIABLE = "VIBE_PROVIDERS";
/** Provider of the models that Vibe uses unless told otherwise, and its address. */
const NAME = "mistral";
const ADDRESS = "https://api.mistral.ai";

/** Mistral Vibe. */
export const WRAP_VIBE: WrapAgent = {
  ...KNOWN.vibe,
  upstreams: ["chat"],
  async point(request) {
    const { base, env } = request;
    const given = givenIn(env[VIBE_VARIABLE]);
    const place = await configured(request);
    const own = given.find(({ name }) => name === NAME);
    const present = own ?? place?.provider;
    const from = own === undefined && place !== undefined
      ? `providers.${NAME}.api_base in ${place.path}`
      : `${NAME} in the variable ${VIBE_VARIABLE}`;
    const text = present?.["api_base"];
    const addresses = userAddresses(base, [{
      text: typeof text === "string" ? text : undefined,
      from,
      upstream: "chat",
      form: "v1",
    }]);
    const entry = {
      name: NAME,
      api_key_env_var: "MISTRAL_API_KEY",
      backend: NAME,
      ...present,
      api_base: `${base}/v1`,
    };
    const others = given.filter(({ name }) => name !== NAME);
    return {
      variables: { [VIBE_VARIABLE]: JSON.stringify([...others, entry]) },
      addresses: text === undefined
        ? [{ upstream: "chat", url: ADDRESS, from: "Vibe", isDefault: true }]
        : addresses,
      ...given.length > 0 && { secrets: [VIBE_VARIABLE] },
    };
  },
};

/** The providers that the variable has already. */
function givenIn(text: string | undefined): readonly ConfigValues[] {
  if (!text) return [];
  const value = parseJson(text);
  if (Array.isArray(value) && value.every(isJsonObject)) return value;
  throw new CliFailure(
    `Cannot add the proxy to ${VIBE_VARIABLE}: it is not a JSON array of objects`,
  );
}

/** The provider in Vibe's files; those of the project win. */
async function configured(
  request: PointRequest,
): Promise<
  { readonly path: string; readonly provider: ConfigValues } | undefined
> {
  const { env, cwd } = request;
  const home = env["VIBE_HOME"] || join(env.HOME ?? "", ".vibe");
  const paths = [join(cwd, ".vibe"), resolve(cwd, home)]
    .map((directory) => join(directory, "config.toml"));
  for (
    const file of await agentFiles(paths, VALUE_FORMATS.toml, request)
  ) {
    const { providers } = file.values;
    if (!Array.isArray(providers)) continue;
    const provider = providers.find((each) =>
      isJsonObject(each) && each.name === NAME
    );
    if (provider !== undefined) return { path: file.path, provider };
  }
  return undefined;
}
