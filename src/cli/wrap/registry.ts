/** The agents that `svc wrap` starts, and those that variables alone send to the proxy. @module */
import type { TextValues } from "../../settings/row.ts";
import { CliFailure } from "../failure.ts";
import {
  type AddressForm,
  addressOf,
  type PointRequest,
  type UpstreamName,
  userAddresses,
  type WrapAgent,
} from "./agent.ts";
import { join } from "node:path";
import { homeOf, KNOWN, valueAt } from "../agents/agent.ts";
import { agentFiles, leadsTo } from "../doctor/routing.ts";
import { VALUE_FORMATS } from "../edits/value_format.ts";
import { WRAP_CLAUDE } from "./claude.ts";
import { WRAP_CLINE, WRAP_CONTINUE, WRAP_OPENCLAW } from "./by_file.ts";
import { WRAP_CODEX } from "./codex.ts";
import { WRAP_OPENCODE, WRAP_VIBE } from "./opencode.ts";

/** A variable with a base URL. */
interface BaseVariable {
  readonly name: string;
  readonly upstream: UpstreamName;
  readonly form: AddressForm;
}

/** Variables as the SDKs of the providers read them. */
const chat = (name: string): BaseVariable => ({
  ...{ name, upstream: "chat", form: "v1" },
});
const messages = (name: string): BaseVariable => ({
  ...{ name, upstream: "messages", form: "root" },
});

/** Points an agent by variables; an address that the environment has in one is the user's. */
function byVariables(
  { base, env }: PointRequest,
  rows: readonly BaseVariable[],
) {
  const found = rows.map(({ name, ...row }) => ({
    text: env[name],
    from: `${name} in the environment`,
    ...row,
  }));
  return {
    variables: Object.fromEntries(
      rows.map(({ name, form }) => [name, addressOf(base, form)]),
    ),
    addresses: userAddresses(base, found),
  };
}

/** Aider reads both names of each, also by what it is built on. */
export const WRAP_AIDER: WrapAgent = {
  ...KNOWN.aider,
  upstreams: ["messages", "chat"],
  point: (request) =>
    byVariables(request, [
      messages("ANTHROPIC_BASE_URL"),
      messages("ANTHROPIC_API_BASE"),
      chat("OPENAI_API_BASE"),
      chat("OPENAI_BASE_URL"),
    ]),
};

/** Goose appends `v1/...` to its hosts; its other variables are those of SDKs. */
export const WRAP_GOOSE: WrapAgent = {
  ...KNOWN.goose,
  upstreams: ["messages", "chat"],
  point: (request) =>
    byVariables(request, [
      messages("ANTHROPIC_HOST"),
      { ...chat("OPENAI_HOST"), form: "root" },
      chat("OPENAI_BASE_URL"),
    ]),
};

/** Cortex Code. */
export const WRAP_CORTEX: WrapAgent = {
  ...KNOWN.cortex,
  upstreams: ["chat"],
  point: (request) => ({
    ...byVariables(request, [chat("OPENAI_BASE_URL")]),
    notes: [
      "requests of Cortex Code to Snowflake's own models do not go through the proxy",
    ],
  }),
};

/** OpenHands has one model at a time; what follows its address depends on the model's provider. */
export const WRAP_OPENHANDS: WrapAgent = {
  ...KNOWN.openhands,
  upstreams: ["messages", "chat"],
  point(request) {
    const { LLM_MODEL: model } = request.env;
    if (!model) {
      throw new CliFailure(
        "Cannot send OpenHands through svc: LLM_MODEL is not set, and the address depends on the model. Set LLM_MODEL and LLM_API_KEY",
      );
    }
    const variable = /^(anthropic\/|claude)/.test(model) ? messages : chat;
    const flag = "--override-with-envs";
    return {
      ...byVariables(request, [variable("LLM_BASE_URL")]),
      args: request.args.includes(flag) ? [] : [flag],
    };
  },
};

/** Copilot CLI with a provider of the user's own; GitHub's models cannot be pointed elsewhere. */
export const WRAP_COPILOT: WrapAgent = {
  ...KNOWN.copilot,
  upstreams: ["messages", "chat"],
  point(request) {
    const { env } = request;
    const type = env["COPILOT_PROVIDER_TYPE"] || typeFor(env);
    if (type !== "anthropic" && type !== "openai") {
      throw new CliFailure(
        `Cannot send Copilot through svc: COPILOT_PROVIDER_TYPE is ${type}, and svc serves anthropic and openai`,
      );
    }
    const variable = type === "anthropic" ? messages : chat;
    const { variables, addresses } = byVariables(request, [
      variable("COPILOT_PROVIDER_BASE_URL"),
    ]);
    const key =
      env[type === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"];
    const hasKey = [
      ...["COPILOT_PROVIDER_API_KEY", "COPILOT_PROVIDER_BEARER_TOKEN"],
      "COPILOT_PROVIDER_API_KEY_COMMAND",
    ].some((name) => env[name]);
    return {
      variables: {
        COPILOT_PROVIDER_TYPE: type,
        ...variables,
        ...!hasKey && key && { COPILOT_PROVIDER_API_KEY: key },
      },
      secrets: ["COPILOT_PROVIDER_API_KEY"],
      addresses,
      ...!env["COPILOT_MODEL"] && {
        notes: ["Copilot needs a model of that provider: set COPILOT_MODEL"],
      },
    };
  },
};

/** The kind of provider for the key that is there. */
function typeFor(env: TextValues): "anthropic" | "openai" {
  if (env["COPILOT_PROVIDER_BASE_URL"]) return "openai";
  if (env["ANTHROPIC_API_KEY"]) return "anthropic";
  if (env["OPENAI_API_KEY"]) return "openai";
  throw new CliFailure(
    "Cannot send Copilot through svc: without a provider of your own it talks to GitHub, which cannot be pointed elsewhere. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, and COPILOT_MODEL",
  );
}

/** Cursor cannot use a proxy on this machine. */
export const WRAP_CURSOR: WrapAgent = {
  ...KNOWN.cursor,
  upstreams: [],
  point() {
    throw new CliFailure(
      "Cannot send Cursor through svc: Cursor sends requests to models from its own servers, which cannot reach this machine. docs/agents/cursor.md says what works instead",
    );
  },
};

const VARIABLE = "GOOGLE_GEMINI_BASE_URL";
/** Where its settings say how it logs in, and the only way that leads to the proxy. */
const LOGIN = ["security", "auth", "selectedType"];
const KEY = "gemini-api-key";

/** Gemini CLI. */
export const WRAP_GEMINI: WrapAgent = {
  ...KNOWN.gemini,
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
async function loginOf(request: PointRequest) {
  const { env, cwd } = request;
  const paths = [cwd, env["GEMINI_CLI_HOME"] || homeOf(env)]
    .map((directory) => join(directory, ".gemini", "settings.json"));
  const files = await agentFiles(paths, VALUE_FORMATS.jsonc, request);
  return files.flatMap(({ path, values }) => {
    const type = valueAt(values, LOGIN);
    return typeof type === "string" ? [{ path, type }] : [];
  })[0];
}

/** One row per agent. */
export const WRAPPED: readonly WrapAgent[] = [
  WRAP_CLAUDE,
  WRAP_CODEX,
  WRAP_OPENCODE,
  WRAP_GEMINI,
  WRAP_COPILOT,
  WRAP_AIDER,
  WRAP_GOOSE,
  WRAP_CLINE,
  WRAP_CONTINUE,
  WRAP_CURSOR,
  WRAP_OPENHANDS,
  WRAP_OPENCLAW,
  WRAP_VIBE,
  WRAP_CORTEX,
];
