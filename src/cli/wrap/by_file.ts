/** Cline, OpenClaw and Continue: only their files say where requests go. @module */
import { join, resolve } from "node:path";
import {
  ConfigFault,
  type ConfigValues,
  homeOf,
  KNOWN,
} from "../agents/agent.ts";
import { fileFailure } from "../agents/report.ts";
import { valueAt } from "../edits/file_plan.ts";
import {
  clineKeepable,
  type Keepable,
  keptFile,
  OPENCLAW,
} from "../edits/keep_rows.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";
import {
  type AddressForm,
  type FoundAddress,
  type Pointing,
  type PointRequest,
  type UpstreamName,
  userAddresses,
  type WrapAgent,
} from "./agent.ts";
import type { YAMLMap } from "yaml";
import { CliFailure } from "../failure.ts";

/** Cline. */
export const WRAP_CLINE: WrapAgent = {
  ...KNOWN.cline,
  upstreams: ["messages", "chat"],
  point: (request) => byFile(request, clineKeepable(providerIn(request.args))),
};

/** OpenClaw. */
export const WRAP_OPENCLAW: WrapAgent = {
  ...KNOWN.openclaw,
  upstreams: ["messages", "chat"],
  point: (request) => byFile(request, OPENCLAW),
};

/** The provider of an argument. */
function providerIn(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg) => /^(-P|--provider)$/.test(arg));
  const inline = args.find((arg) => arg.startsWith("--provider="));
  return inline?.slice("--provider=".length) ??
    (at < 0 ? undefined : args[at + 1]);
}

/** Looks into the file for addresses that the edit would replace. */
async function byFile(
  request: PointRequest,
  agent: Keepable,
): Promise<Pointing> {
  const { base, kept } = request;
  const path = resolve(request.cwd, await keptFile(agent, request));
  try {
    const text = await request.files.read(path);
    const present = VALUE_FORMATS[agent.format].parse(text ?? "");
    const found = agent.values(base, present)
      .filter(({ value }) => typeof value === "string")
      .map(({ path: keys, value }) => ({
        ...placeOf(keys, String(value) === base ? "root" : "v1"),
        text: kept.includes(path) ? undefined : textAt(present, keys),
        from: `${keys.join(".")} in ${path}`,
      }));
    return {
      variables: {},
      args: [],
      addresses: userAddresses(base, found),
      edit: agent,
    };
  } catch (error) {
    throw fileFailure(agent, path, error);
  }
}

function placeOf(
  keys: readonly string[],
  form: AddressForm,
): { readonly upstream: UpstreamName; readonly form: AddressForm } {
  const upstream = keys.includes("anthropic") ? "messages" : "chat";
  return { upstream, form };
}

function textAt(
  present: ConfigValues,
  keys: readonly string[],
): string | undefined {
  const value = valueAt(present, keys);
  if (value === undefined || typeof value === "string") return value;
  throw new ConfigFault(`${keys.join(".")} is no text`);
}

const TITLE = "Continue";
/** Providers of Continue that the proxy serves. Each appends its paths to an address that ends in `/v1`. */
const PROVIDERS: Readonly<Record<string, UpstreamName>> = {
  anthropic: "messages",
  openai: "chat",
};
const ADDRESS = "apiBase";
/** Option that names a configuration. */
const OPTION = "--config";

/** Continue. */
export const WRAP_CONTINUE: WrapAgent = {
  ...KNOWN.continue,
  upstreams: ["messages", "chat"],
  async point(request) {
    const { env, cwd, args } = request;
    if (args.some((arg) => /^--config(=|$)/.test(arg))) {
      throw new CliFailure(
        `Cannot send ${TITLE} through svc: your arguments have ${OPTION} already. Leave it out, or set apiBase of its models to ${request.base}/v1`,
      );
    }
    const home = env["CONTINUE_GLOBAL_DIR"] || join(homeOf(env), ".continue");
    const path = resolve(cwd, home, "config.yaml");
    const text = await textOf(request, path);
    // The parser is for this agent only.
    return pointed(request, { path, text, yaml: await import("yaml") });
  },
};

async function textOf(request: PointRequest, path: string): Promise<string> {
  try {
    const text = await request.files.read(path);
    if (text !== undefined) return text;
  } catch (error) {
    throw fileFailure({ title: TITLE }, path, error);
  }
  throw new CliFailure(
    `Cannot send ${TITLE} through svc: there is no ${path}, so its models are those of Continue's own service. Add models with provider anthropic or openai to that file`,
  );
}

/** The parser. */
type Yaml = typeof import("yaml");

/** A model in the file. */
interface Model {
  readonly node: YAMLMap;
  readonly name: string;
  readonly provider: string;
  readonly address: string | undefined;
}

function pointed(
  { base }: PointRequest,
  { path, text, yaml }: {
    readonly path: string;
    readonly text: string;
    readonly yaml: Yaml;
  },
): Pointing {
  const file = yaml.parseDocument(text);
  const [fault] = file.errors;
  if (fault !== undefined) {
    const line = fault.linePos?.[0].line;
    throw new CliFailure(
      `Cannot read ${path}${
        line === undefined ? "" : `:${line}`
      } of ${TITLE}: it is not valid YAML. It was left as it is`,
    );
  }
  const models = modelsIn(file.get("models"), yaml);
  const routed = models.filter(isRouted(models));
  if (routed.length === 0) {
    throw new CliFailure(
      `Cannot send ${TITLE} through svc: no model in ${path} has provider anthropic or openai`,
    );
  }
  const found = routed.map(({ name, provider, address }): FoundAddress => ({
    text: address,
    from: `${ADDRESS} of ${name} in ${path}`,
    upstream: PROVIDERS[provider]!,
    form: "v1",
  }));
  const address = `${base}/v1/`;
  for (const { node } of routed) node.set(ADDRESS, address);
  const others = models.filter((model) => !routed.includes(model));
  const names = others.map(({ name }) => name).join(", ");
  return {
    variables: {},
    args: [],
    addresses: userAddresses(base, found),
    scratch: {
      from: path,
      ending: ".config.yaml",
      changes: routed.map(({ name }) => `${ADDRESS} of ${name}: ${address}`),
      text: String(file),
      option: OPTION,
    },
    ...names !== "" && {
      notes: [`Requests to ${names} do not go through the proxy`],
    },
  };
}

function modelsIn(
  models: unknown,
  { isMap, isSeq }: Yaml,
): readonly Model[] {
  if (!isSeq(models)) return [];
  return models.items.flatMap((node) => {
    if (!isMap(node)) return [];
    const address = node.get(ADDRESS);
    return [{
      node,
      name: String(node.get("name") ?? "a model"),
      provider: String(node.get("provider") ?? ""),
      address: typeof address === "string" ? address : undefined,
    }];
  });
}

/** The proxy has one upstream per provider: models with addresses of their own stay where others have none. */
function isRouted(models: readonly Model[]): (model: Model) => boolean {
  return ({ provider, address }) => {
    if (PROVIDERS[provider] === undefined) return false;
    const hasPlain = models.some((other) =>
      other.provider === provider && other.address === undefined
    );
    return !hasPlain || address === undefined;
  };
}
