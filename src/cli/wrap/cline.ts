/** Cline and OpenClaw: only their files say where requests go. @module */
import { resolve } from "node:path";
import { ConfigFault, type ConfigValues } from "../agents/agent.ts";
import { fileFailure } from "../agents/report.ts";
import { valueAt } from "../edits/file_plan.ts";
import {
  clineKeepable,
  type Keepable,
  keptFile,
  OPENCLAW,
} from "../edits/keep_rows.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";
import type {
  Pointing,
  PointRequest,
  UpstreamName,
  WrapAgent,
} from "./agent.ts";
import { type AddressForm, userAddresses } from "./user_address.ts";

/** Cline. */
export const WRAP_CLINE: WrapAgent = {
  id: "cline",
  title: "Cline",
  program: "cline",
  install: "npm install -g cline",
  upstreams: ["messages", "chat"],
  point: (request) => byFile(request, clineKeepable(providerIn(request.args))),
};

/** OpenClaw. */
export const WRAP_OPENCLAW: WrapAgent = {
  id: "openclaw",
  title: "OpenClaw",
  program: "openclaw",
  install: "see https://docs.openclaw.ai",
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
