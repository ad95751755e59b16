/** Mistral Vibe: providers in a variable win over those of its files, by their names. @module */
import { join, resolve } from "node:path";
import { isRecord } from "../agents/agent.ts";
import { tomlFormat } from "../agents/toml_format.ts";
import { agentFiles } from "../doctor/agent_files.ts";
import { CliFailure } from "../failure.ts";
import type { PointRequest, WrapAgent } from "./agent.ts";
import { userAddresses } from "./user_address.ts";

const VARIABLE = "VIBE_PROVIDERS";
/** Provider of the models that Vibe uses unless told otherwise, and its address. */
const NAME = "mistral";
const ADDRESS = "https://api.mistral.ai";

/** A provider with all its settings. */
type Provider = Readonly<Record<string, unknown>>;

/** Mistral Vibe. */
export const WRAP_VIBE: WrapAgent = {
  id: "vibe",
  title: "Mistral Vibe",
  program: "vibe",
  install: "uv tool install mistral-vibe",
  upstreams: ["chat"],
  async point(request) {
    const { base, env } = request;
    const given = givenIn(env[VARIABLE]);
    const place = await configured(request);
    const own = given.find(({ name }) => name === NAME);
    const present = own ?? place?.provider;
    const from = own === undefined && place !== undefined
      ? `providers.${NAME}.api_base in ${place.path}`
      : `${NAME} in the variable ${VARIABLE}`;
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
      variables: { [VARIABLE]: JSON.stringify([...others, entry]) },
      args: [],
      addresses: text === undefined
        ? [{ upstream: "chat", url: ADDRESS, from: "Vibe", isDefault: true }]
        : addresses,
      ...given.length > 0 && { secrets: [VARIABLE] },
    };
  },
};

/** The providers that the variable has already. */
function givenIn(text: string | undefined): readonly Provider[] {
  if (!text) return [];
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every(isRecord)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CliFailure(
    `Cannot add the proxy to ${VARIABLE}: it is not a JSON array of objects`,
  );
}

/** The provider in Vibe's files; those of the project win. */
async function configured(
  request: PointRequest,
): Promise<{ readonly path: string; readonly provider: Provider } | undefined> {
  const { env, cwd } = request;
  const home = env["VIBE_HOME"] || join(env.HOME ?? "", ".vibe");
  const paths = [join(cwd, ".vibe"), resolve(cwd, home)]
    .map((directory) => join(directory, "config.toml"));
  for (
    const file of await agentFiles(paths, tomlFormat("providers"), request)
  ) {
    const { providers } = file.values;
    if (!Array.isArray(providers)) continue;
    const provider = providers.find((each) =>
      isRecord(each) && each.name === NAME
    );
    if (provider !== undefined) return { path: file.path, provider };
  }
  return undefined;
}
