/** Codex: arguments `-c` win over its configuration. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { systemCode } from "../../core/errors.ts";
import { join, resolve } from "node:path";
import { ConfigFault, type ConfigValues, KNOWN } from "../agents/agent.ts";
import { CODEX } from "../agents/registry.ts";
import { fileFailure } from "../agents/report.ts";
import { CliFailure } from "../failure.ts";
import {
  optionIn,
  type Pointing,
  type PointRequest,
  userAddresses,
  type WrapAgent,
} from "./agent.ts";

/** The provider that Codex has by itself. Its entry cannot be changed. */
const BUILT_IN = "openai";
/** The provider that svc defines where there is a key only. */
const OWN = "svc";
/** Its key for another address. */
const ADDRESS = "openai_base_url";
const KEY = "OPENAI_API_KEY";
const BASE = "OPENAI_BASE_URL";

/** Codex. */
export const WRAP_CODEX: WrapAgent = {
  ...KNOWN.codex,
  upstreams: ["chat"],
  async point(request) {
    const file = await configuration(request);
    const named = providerIn(request.args, file.values);
    return named === BUILT_IN || named === OWN
      ? await ownProvider(request, file)
      : givenProvider(request, file, named);
  },
};

/** Codex's configuration. */
interface Configuration {
  readonly path: string;
  readonly values: ConfigValues;
}

async function configuration(request: PointRequest): Promise<Configuration> {
  const path = resolve(request.cwd, CODEX.places(request.env).fallback);
  try {
    const text = await request.files.read(path);
    return { path, values: CODEX.format.parse(text ?? "") };
  } catch (error) {
    if (!(error instanceof ConfigFault) && systemCode(error) === undefined) {
      throw error;
    }
    const failure = fileFailure(CODEX, path, error);
    throw failure instanceof CliFailure
      ? new CliFailure(`${failure.message}. Codex cannot read it either`)
      : failure;
  }
}

/** The provider that Codex will use: of the arguments, else of a profile, else of the configuration. */
function providerIn(args: readonly string[], values: ConfigValues): string {
  const given = valueGiven(args, "model_provider");
  if (given !== undefined) return given;
  const profile = optionIn(args, "--profile", "-p") ?? values["profile"];
  const { profiles } = values;
  const chosen = isJsonObject(profiles) && typeof profile === "string"
    ? profiles[profile]
    : undefined;
  const provider =
    (isJsonObject(chosen) ? chosen["model_provider"] : undefined) ??
      values["model_provider"];
  return typeof provider === "string" ? provider : BUILT_IN;
}

/** The value of `-c <key>=<value>`. */
function valueGiven(args: readonly string[], key: string): string | undefined {
  const words = args.map((arg) => arg.replace(/^(-c|--config=)(?=\S)/, ""));
  const word = words.findLast((text) => text.startsWith(`${key}=`));
  return word?.slice(key.length + 1).trim().replace(/^(["'])(.*)\1$/, "$2");
}

/** Codex's own provider with another address: conversations belong to a provider, so theirs stay visible. */
async function ownProvider(
  request: PointRequest,
  { path, values }: Configuration,
): Promise<Pointing> {
  const { base, env } = request;
  const configured = values[ADDRESS];
  const isText = typeof configured === "string";
  const addresses = userAddresses(base, [{
    text: isText ? configured : env[BASE],
    from: isText ? `${ADDRESS} in ${path}` : `${BASE} in the environment`,
    upstream: "chat",
    form: "v1",
  }]);
  const address = JSON.stringify(`${base}/v1`);
  if (!await needsKey(request, values)) {
    return { args: ["-c", `${ADDRESS}=${address}`], addresses };
  }
  const provider =
    `{name="${OWN}",base_url=${address},wire_api="responses",env_key="${KEY}"}`;
  return {
    args: [
      ...["-c", `model_provider=${OWN}`],
      ...["-c", `model_providers.${OWN}=${provider}`],
    ],
    addresses,
  };
}

/** Without a login, Codex's own provider would send no key at all. */
async function needsKey(
  { env, cwd, files }: PointRequest,
  values: ConfigValues,
): Promise<boolean> {
  if (!env[KEY] || env["CODEX_API_KEY"]) return false;
  const { directory } = CODEX.places(env);
  const store = values["cli_auth_credentials_store"] ?? "file";
  return store === "file" &&
    !await files.exists(resolve(cwd, join(directory, "auth.json")));
}

/** The user's own provider with another address: its key, headers and the conversations under its name stay. */
function givenProvider(
  { base }: PointRequest,
  { path, values }: Configuration,
  named: string,
): Pointing {
  const { model_providers: providers } = values;
  const provider = isJsonObject(providers) ? providers[named] : undefined;
  const url = isJsonObject(provider) ? provider["base_url"] : undefined;
  if (typeof url !== "string") {
    throw new CliFailure(
      `Cannot send Codex through svc: it uses the provider ${
        JSON.stringify(named)
      }, which has no base_url in ${path}. Choose another with svc wrap codex -- -c model_provider=${BUILT_IN}`,
    );
  }
  const addresses = userAddresses(base, [{
    text: url,
    from: `model_providers.${named}.base_url in ${path}`,
    upstream: "chat",
    form: "v1",
  }]);
  const key = /^[\w-]+$/.test(named) ? named : JSON.stringify(named);
  const address = JSON.stringify(`${base}/v1`);
  return {
    args: ["-c", `model_providers.${key}.base_url=${address}`],
    addresses,
  };
}
