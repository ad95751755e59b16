/** Names of features that this version does not have: known, listed and refused. @module */
import {
  GROUPS,
  parseChoice,
  parseInteger,
  parseNumber,
  parseSwitch,
  type SettingRow,
  type SettingType,
} from "./row.ts";
import { settingRow } from "./row_kinds.ts";

/**
 * Settings: heading and tier, variable without `SVC_` and placeholder of its flag, type with its words or bounds,
 * default, purpose. Only the default can be given.
 */
const SETTINGS = `
Compression basic | TARGET_RATIO <share> | float 0..1 |  | Share of a text that should stay.
Compression basic | DISABLE_KOMPRESS | bool |  | Whether no model shortens prose.
Compression | DISABLE_KOMPRESS_FALLBACK | bool |  | Whether no model shortens what no other way fits.
Compression | DISABLE_KOMPRESS_ANTHROPIC | optional-bool |  | Whether no model shortens prose of messages traffic.
Compression | DISABLE_KOMPRESS_OPENAI | optional-bool |  | Whether no model shortens prose of chat and responses traffic.
Compression | NO_CCR_PROACTIVE_EXPANSION | bool |  | Whether originals are given back only when the model asks.
Compression | COMPRESSION_MAX_WORKERS <number> | int 1.. |  | Threads that compress; there is one per process.
Limits basic | TPM <number> | int 1.. |  | Tokens to models per minute and caller.
CCR | READ_MATURATION | bool |  | Whether file reads are shortened once they are old.
CCR | READ_MATURATION_QUIESCE_TURNS <number> | int 1.. | 5 | Turns without an edit after which a file read is old.
CCR | READ_MATURATION_MAX_HOLD_TURNS <number> | int 1.. | 25 | Turns after which a file read is old in any case.
CCR | READ_MATURATION_MIN_SIZE_BYTES <bytes> | int 0.. | 2048 | Bytes below which a file read stays whole.
Backend | NO_SUBSCRIPTION_TRACKING | bool |  | Whether the use of a subscription is left unwatched.
Backend | SUBSCRIPTION_POLL_INTERVAL <seconds> | int 1..3600 |  | Seconds between two looks at the use of a subscription.
Backend basic | BACKEND <name> | str | anthropic | Provider that messages traffic is translated for.
Backend | ANYLLM_PROVIDER <name> | str | openai | Provider behind a general backend.
Backend | REGION <name> | str | us-west-2 | Region of a cloud backend.
Timeouts | CONNECT_TIMEOUT_SECONDS <seconds> | int 1..300 |  | Seconds for a connection to an upstream.
Timeouts | ANTHROPIC_BUFFERED_REQUEST_TIMEOUT_SECONDS <seconds> | int 1.. |  | Seconds for a messages request that is not streamed.
Timeouts | ANTHROPIC_PRE_UPSTREAM_CONCURRENCY <number> | int 0.. |  | Messages requests that are compressed at a time.
Timeouts | ANTHROPIC_PRE_UPSTREAM_ACQUIRE_TIMEOUT_SECONDS <seconds> | float 0.. |  | Seconds that a messages request waits for its turn.
Timeouts | ANTHROPIC_PRE_UPSTREAM_MEMORY_CONTEXT_TIMEOUT_SECONDS <seconds> | float 0.. |  | Seconds in which memories for a request are looked up.
Memory | MEMORY_BACKEND | enum local,qdrant-neo4j | local | Where memories are kept.
Memory | MEMORY_DB_PATH <path> | str |  | Database of memories.
Memory | MEMORY_PROJECT_ROOT <path> | str |  | Directory of the project that memories belong to.
Memory basic | NO_MEMORY_TOOLS | bool |  | Whether the model gets no tools for memories.
Memory basic | NO_MEMORY_CONTEXT | bool |  | Whether requests get no memories.
Memory | MEMORY_TOP_K <number> | int 1..100 | 10 | Memories that a request gets at most.
Memory | MIN_EVIDENCE <number> | int 1.. |  | Times that something must be seen before it is learned.
`;

/** Flags that are no settings, with the placeholders of their values. */
const FLAGS = `
memory
memory-storage <scope>
learn
no-learn
no-rate-limit
no-ccr-inject-tool
no-ccr-marker
code-graph
no-read-lifecycle
enable-kompress-anthropic
enable-kompress-openai
codex-wire-debug
codex-wire-debug-dir <path>
gemini-api-url <url>
cloudcode-api-url <url>
bedrock-api-url <url>
bedrock-profile <name>
embedding-server
embedding-server-socket <path>
`;

/** Settings whose flags are not made of their variables: another one, or none. */
const OTHER_FLAGS: Readonly<Record<string, string>> = {
  MEMORY_BACKEND: "",
};

/** Defaults of those that name none. */
const NO_DEFAULT: Readonly<Record<string, unknown>> = {
  bool: false,
  str: "",
  "csv-list": [],
};

/** Rows of the registry; each has `available: false`. */
export const PLANNED_ROWS: readonly SettingRow<unknown>[] = SETTINGS.trim()
  .split("\n").map(plannedRow);

/** A flag of a feature that this version does not have, and that is no setting. */
interface PlannedFlag {
  /** Name without dashes. */
  readonly flag: string;
  /** Placeholder of its value; absent for a switch. */
  readonly placeholder?: string;
}

/** Flags that other versions of this command know. */
export const PLANNED_FLAGS: readonly PlannedFlag[] = FLAGS.trim().split("\n")
  .map((line) => {
    const [flag = "", placeholder] = line.split(" ");
    return { flag, ...placeholder !== undefined && { placeholder } };
  });

function plannedRow(line: string): SettingRow<unknown> {
  const [place = "", name = "", taken = "", given = "", doc = ""] = line
    .split(" | ");
  const [heading, tier] = place.split(" ");
  const [variable = "", ...placeholder] = name.split(" ");
  const [type, limits = ""] = taken.split(" ");
  const flag = OTHER_FLAGS[variable] ??
    `--${variable.toLowerCase().replaceAll("_", "-")}`;
  const flags = [flag, ...placeholder].filter(Boolean).join(" ");
  const [min = "", max = ""] = limits.split("..");
  const choices = type === "enum" ? limits.split(",") : undefined;
  return settingRow<unknown>(GROUPS.find((group) => group === heading)!, {
    name: flags === "" ? `SVC_${variable}` : `SVC_${variable}, ${flags}`,
    type: type as SettingType,
    available: false,
    fallback: given === "" ? NO_DEFAULT[type!] : valueOf(type, given),
    parse: (env, raw) =>
      choices ? parseChoice(env, raw, choices) : valueOf(type, raw, env),
    doc,
    ...tier !== undefined && { tier: "basic" },
    ...variable === "TPM" && { label: "Tokens per minute" },
    ...choices && { choices },
    ...limits.includes("..") && { min: Number(min) },
    ...max !== "" && { max: Number(max) },
  });
}

/** The value that a text means; what is none of the type is refused, or not the default. */
function valueOf(type: string | undefined, raw: string, env = ""): unknown {
  switch (type) {
    case "bool":
    case "optional-bool":
      return parseSwitch(env, raw);
    case "int":
      return parseInteger(env, raw, { min: 0 });
    case "float":
      return parseNumber(env, raw, { min: 0 });
    case "csv-list":
      return raw.split(",").map((one) => one.trim()).filter(Boolean);
    default:
      return raw;
  }
}
