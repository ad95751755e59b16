/** Gemini CLI with a key. With a login it uses another service, which the proxy does not serve. @module */
import { join } from "node:path";
import { homeOf } from "../agents/agent.ts";
import { jsonFormat } from "../agents/json_format.ts";
import { agentFiles } from "../doctor/agent_files.ts";
import { leadsTo } from "../doctor/base_url.ts";
import { valueAt } from "../edits/file_plan.ts";
import { CliFailure } from "../failure.ts";
import type { PointRequest, WrapAgent } from "./agent.ts";

const VARIABLE = "GOOGLE_GEMINI_BASE_URL";
/** Where its settings say how it logs in, and the only way that leads to the proxy. */
const LOGIN = ["security", "auth", "selectedType"];
const KEY = "gemini-api-key";
const FORMAT = jsonFormat({ container: "security", comments: true });

/** Gemini CLI. */
export const WRAP_GEMINI: WrapAgent = {
  id: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  install: "npm install -g @google/gemini-cli",
  upstreams: [],
  async point(request) {
    const { base, env } = request;
    const present = env[VARIABLE];
    const url = URL.parse(present ?? "");
    if (present && (url === null || !leadsTo(url, base))) {
      throw new CliFailure(
        `Cannot replace ${VARIABLE} in the environment: the proxy sends Gemini's requests to Google only. Unset it, or start gemini without svc`,
      );
    }
    const login = await loginOf(request);
    if (login !== undefined && login.type !== KEY) {
      throw new CliFailure(
        `Cannot send Gemini CLI through svc: ${login.path} selects the login ${login.type}, whose service svc does not serve. Choose an API key with /auth in gemini`,
      );
    }
    return {
      variables: { [VARIABLE]: base },
      args: [],
      addresses: [],
      notes: [
        "Gemini's requests are forwarded and counted, not compressed",
        ...login === undefined
          ? [
            "Gemini CLI has no login selected, and refuses another address then: choose an API key with /auth in gemini",
          ]
          : [],
      ],
    };
  },
};

/** The login that its settings select, those of the project first. */
async function loginOf(
  request: PointRequest,
): Promise<{ readonly path: string; readonly type: string } | undefined> {
  const { env, cwd } = request;
  const paths = [cwd, env["GEMINI_CLI_HOME"] || homeOf(env)]
    .map((directory) => join(directory, ".gemini", "settings.json"));
  for (const { path, values } of await agentFiles(paths, FORMAT, request)) {
    const type = valueAt(values, LOGIN);
    if (typeof type === "string") return { path, type };
  }
  return undefined;
}
