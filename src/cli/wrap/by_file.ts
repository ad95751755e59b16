/** Cline, OpenClaw and Continue: only their files say where requests go. @module */
import { join, resolve } from "node:path";
import {
  ConfigFault,
  type ConfigValues,
  homeOf,
  KNOWN,
  valueAt,
} from "../agents/agent.ts";
import { fileFailure } from "../agents/report.ts";
import {
  clineKeepable,
  type Keepable,
  keptFile,
  OPENCLAW,
} from "../edits/keep_rows.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";
import {
  type FoundAddress,
  hasOption,
  optionIn,
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
  point: (request) =>
    byFile(request, clineKeepable(optionIn(request.args, "--provider", "-P"))),
};

/** OpenClaw. */
export const WRAP_OPENCLAW: WrapAgent = {
  ...KNOWN.openclaw,
  upstreams: ["messages", "chat"],
  point: (request) => byFile(request, OPENCLAW),
};

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
      .map(({ path: keys, value }): FoundAddress => ({
        text: kept.includes(path) ? undefined : textAt(present, keys),
        from: `${keys.join(".")} in ${path}`,
        upstream: keys.includes("anthropic") ? "messages" : "chat",
        form: value === base ? "root" : "v1",
      }));
    return { addresses: userAddresses(base, found), edit: agent };
  } catch (error) {
    throw fileFailure(agent, path, error);
  }
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
    if (hasOption(args, OPTION)) {
      throw new CliFailure(
        `Cannot send ${TITLE} through svc: your arguments have ${OPTION} already. Leave it out, or set apiBase of its models to ${request.base}/v1`,
      );
    }
    const home = env["CONTINUE_GLOBAL_DIR"] || join(homeOf(env), ".continue");
    const path = resolve(cwd, home, "config.yaml");
    const text = await textOf(request, path);
    // The parser is for this agent only.
    const yaml = await import("yaml");
    const file = yaml.parseDocument(text);
    const [fault] = file.errors;
    if (fault !== undefined) {
      const line = fault.linePos?.[0].line;
      const place = line === undefined ? path : `${path}:${line}`;
      throw new CliFailure(
        `Cannot read ${place} of ${TITLE}: it is not valid YAML. It was left as it is`,
      );
    }
    const models = modelsIn(file.get("models"), yaml);
    const { changes, ...pointing } = pointed(request.base, path, models);
    const made = { from: path, ending: ".config.yaml", text: String(file) };
    return { ...pointing, scratch: { ...made, changes, option: OPTION } };
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

/** Sends the models to the proxy that it can serve, and says which and what that replaces. */
function pointed(base: string, path: string, models: readonly Model[]) {
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
  const names = models.filter((model) => !routed.includes(model))
    .map(({ name }) => name).join(", ");
  return {
    addresses: userAddresses(base, found),
    changes: routed.map(({ name }) => `${ADDRESS} of ${name}: ${address}`),
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
