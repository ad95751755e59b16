/** Settings of what is asked of models: how long they answer, and which model answers. @module */
import { isJsonObject, parseJson } from "../bytes/json_parts.ts";
import type { ModelRule } from "../core/model_route.ts";
import { parseNumber, refusal } from "./row.ts";
import { integerRow, settingRow, switchRow, textRow } from "./row_kinds.ts";

/** Rows of the registry. */
export const OUTPUT_ROWS = {
  outputShaper: switchRow("Output", {
    name: "SVC_OUTPUT_SHAPER",
    label: "Shorter answers",
    tier: "basic",
    fallback: false,
    doc: "Ask for shorter answers, in the first message of new conversations.",
  }),
  verbosityLevel: integerRow("Output", {
    name: "SVC_VERBOSITY_LEVEL",
    tier: "basic",
    min: 1,
    max: 4,
    fallback: 2,
    doc:
      "What is left out of answers: 1 preambles and summaries, 2 also code that is in context, 3 also reasons, 4 everything but fragments.",
  }),
  verbosityAutotune: switchRow("Output", {
    name: "SVC_VERBOSITY_AUTOTUNE",
    fallback: false,
    doc: "Let SVC_VERBOSITY_LEVEL follow what users of a project ask for.",
  }),
  outputHoldout: settingRow<number>("Output", {
    name: "SVC_OUTPUT_HOLDOUT",
    type: "float",
    min: 0,
    max: 1,
    fallback: 0.1,
    parse: (env, raw) => parseNumber(env, raw, { min: 0, max: 1, unit: "" }),
    doc: "Share of new conversations without shorter answers, for comparison.",
  }),
  toolCompaction: switchRow("Output", {
    name: "SVC_TOOL_COMPACTION",
    label: "Shorter tool definitions",
    fallback: false,
    doc:
      "Leave white space, $schema, $comment and titles that repeat a name out of tool definitions that are not deferred.",
  }),
  modelRouter: switchRow("Output", {
    name: "SVC_MODEL_ROUTER",
    tier: "basic",
    fallback: false,
    doc:
      "Ask other models by the rules of SVC_MODEL_ROUTES, messages traffic only.",
  }),
  modelRoutes: textRow("Output", {
    name: "SVC_MODEL_ROUTES",
    fallback: "[]",
    parse(env, raw) {
      if (Array.isArray(parseJson(raw))) return raw;
      throw refusal(env, raw, "a JSON array of rules");
    },
    faults: (raw) => parseModelRoutes(raw).problems,
    doc:
      'Rules as a JSON array, the first that fits wins, e.g. [{"from_models":["claude-opus-*"],"max_input_tokens":2000,"require_no_tools":true,"to_model":"claude-haiku-4-5"}].',
  }),
  modelRouterLogOnly: switchRow("Output", {
    name: "SVC_MODEL_ROUTER_LOG_ONLY",
    fallback: false,
    doc: "Only log what the rules would do.",
  }),
} as const;

/**
 * Reads `SVC_MODEL_ROUTES`, a JSON array. A rule is left out where it is not understood to the last member, for it is
 * never widened, and where no request fits it.
 */
export function parseModelRoutes(text: string) {
  const json = parseJson(text) as readonly unknown[];
  const rules: ModelRule[] = [];
  const problems: string[] = [];
  for (const [i, value] of json.entries()) {
    const rule = ruleOf(value, i + 1);
    if (typeof rule !== "string") rules.push(rule);
    else problems.push(`Cannot use rule ${i + 1} of SVC_MODEL_ROUTES: ${rule}`);
  }
  return { rules, problems };
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string" && value !== "";
const isFlag: Check = (value) => typeof value === "boolean";
const isCount: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ||
  typeof value === "string" && /^\d{1,15}$/.test(value);

/** What each member must be. */
const MEMBERS: Readonly<Record<string, readonly [Check, string]>> = {
  name: [isText, "a text"],
  from_models: [
    (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
    "a list of names, left out for all models",
  ],
  to_model: [isText, "the name of a model"],
  min_input_tokens: [isCount, "a number of tokens"],
  max_input_tokens: [isCount, "a number of tokens"],
  require_tools: [isFlag, "true or false"],
  require_no_tools: [isFlag, "true or false"],
  mid_conversation: [isFlag, "true or false"],
};

/** The rule, or what is wrong with it. */
function ruleOf(value: unknown, number: number): ModelRule | string {
  if (!isJsonObject(value)) return "must be an object";
  for (const [key, member] of Object.entries(value)) {
    const known = Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined;
    if (known === undefined) return `"${key}" is not known`;
    const [isGood, wanted] = known;
    if (!isGood(member)) return `"${key}" must be ${wanted}`;
  }
  const { to_model, from_models, name } = value;
  if (to_model === undefined) return `"to_model" is missing`;
  const count = (key: string) =>
    value[key] === undefined ? undefined : Number(value[key]);
  const rule: ModelRule = {
    name: String(name ?? `rule ${number}`),
    fromModels: from_models as readonly string[] | undefined,
    toModel: String(to_model),
    minTokens: count("min_input_tokens"),
    maxTokens: count("max_input_tokens"),
    needsTools: value["require_tools"] === true,
    needsNoTools: value["require_no_tools"] === true,
    isMidway: value["mid_conversation"] === true,
  };
  return contradictionIn(rule) ?? rule;
}

/** Why no request can fit; `undefined` where some may. */
function contradictionIn(
  { minTokens = 0, maxTokens = Infinity, needsTools, needsNoTools }: ModelRule,
): string | undefined {
  if (needsTools && needsNoTools) {
    return 'no request fits both "require_tools" and "require_no_tools"';
  }
  if (minTokens > maxTokens) {
    return `no request fits: "min_input_tokens" (${minTokens}) is above "max_input_tokens" (${maxTokens})`;
  }
  return undefined;
}
