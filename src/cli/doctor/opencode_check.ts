/** Does OpenCode send its requests to the proxy? @module */
import { join } from "node:path";
import { isRecord } from "../agents/agent.ts";
import { presentAgents } from "../agents/locate.ts";
import { OPENCODE } from "../agents/opencode.ts";
import type { CliIo } from "../io.ts";
import { type AgentFile, agentFiles } from "./agent_files.ts";
import { targetOf } from "./base_url.ts";
import type { Found } from "./found.ts";
import {
  keepCommand,
  ownPlace,
  type Route,
  routeFacts,
  routeVerdict,
} from "./routing.ts";
import { passed, skipped, type Verdict, warned } from "./verdict.ts";

/** Whether one of its providers has the proxy as its base URL. */
export async function checkOpencode(found: Found): Promise<Verdict> {
  const { io, proxy } = found;
  if (!(await presentAgents(io)).includes(OPENCODE)) {
    return skipped("OpenCode is not on this machine");
  }
  const files = await agentFiles(configFiles(io), OPENCODE.format, io);
  const [broken] = files.filter(({ fault }) => fault !== undefined);
  if (broken !== undefined) {
    return warned(`cannot read ${broken.path}: ${broken.fault}`, {
      hint: "fix the file: OpenCode cannot read it either",
      details: { file: broken.path },
    });
  }
  const fix = `give the provider "options": {"baseURL": "${proxy.url}/v1"} in ${
    OPENCODE.places(io.env).fallback
  }`;
  const routes = files.flatMap((file) => routesIn(file, found));
  const [first] = routes;
  if (first === undefined) {
    const keep = keepCommand(OPENCODE.id, found);
    return warned(
      "OpenCode does not use the proxy: no provider has a baseURL",
      { hint: `${keep}; or ${fix}`, details: { providers: [], fix: keep } },
    );
  }
  const details = { providers: routes.map(routeFacts) };
  const here = routes.filter(({ target, fault }) =>
    target.kind === "here" && fault === undefined
  );
  if (here.length === 0) {
    return { ...routeVerdict(first, found, fix), details };
  }
  const names = here.map(({ from }) => from).join(", ");
  return passed(`${names} points to the proxy at ${here[0]!.target.shown}`, {
    details,
  });
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
  const providers = isRecord(values["provider"]) ? values["provider"] : {};
  return Object.entries(providers).flatMap(([name, provider]): Route[] => {
    const options = isRecord(provider) ? provider["options"] : undefined;
    const text = isRecord(options) ? options["baseURL"] : undefined;
    if (typeof text !== "string" || text === "") return [];
    const target = targetOf(text, ownPlace(found));
    const fault = target.path.endsWith("/v1")
      ? undefined
      : "has no /v1 at its end";
    return [{ from: `the provider "${name}" in ${path}`, target, fault }];
  });
}
