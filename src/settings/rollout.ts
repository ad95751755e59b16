/** Which features are on. @module */
import { refusal } from "./row.ts";
import { choiceRow, listRow, switchRow } from "./row_kinds.ts";

/** Channels, each with all that those before it have. */
export const CHANNELS = ["stable", "beta", "canary", "dev"] as const;

/** How new a feature may be. */
export type Channel = typeof CHANNELS[number];

/** Settings of which features may be used: rows of the registry. */
export const ROLLOUT_ROWS = {
  rolloutChannel: choiceRow("Rollout", {
    name: "SVC_ROLLOUT_CHANNEL",
    choices: CHANNELS,
    fallback: "stable",
    doc:
      "Newest channel of features that SVC_FEATURES can name: stable, beta, canary, dev.",
  }),
  features: listRow("Rollout", {
    name: "SVC_FEATURES",
    parse: namesIn,
    doc: "Features to enable; svc config features lists them.",
  }),
  disableFeatures: listRow("Rollout", {
    name: "SVC_DISABLE_FEATURES",
    parse: namesIn,
    doc:
      "Features to disable, with priority over everything else; svc config features lists them.",
  }),
  unsafeFeatures: switchRow("Rollout", {
    name: "SVC_UNSAFE_ALLOW_UNSTABLE_FEATURES",
    label: "Allow unstable features",
    persisted: false,
    fallback: false,
    doc: "Allow features that are too new for the channel.",
  }),
} as const;

function namesIn(env: string, raw: string): readonly string[] {
  const names = raw.toLowerCase().split(/[\s,]+/).filter((name) => name !== "");
  if (names.every((name) => /^[\w-]+$/.test(name))) {
    return [...new Set(names.map((name) => name.replaceAll("-", "_")))];
  }
  throw refusal(env, raw, "names of features, separated by commas");
}

/** A feature that can be switched. */
export interface FeatureRow {
  /** First channel on which it may be asked for. */
  readonly channel: Channel;
  /** Variables of settings of its own that turn it on or off; absent for none. */
  readonly settings?: readonly string[];
  /** `false`: this version does not have it. */
  readonly available?: false;
}

/** Every feature by name. The settings of those that are here say whether they are on. */
export const FEATURES = {
  compression: { channel: "stable", settings: ["SVC_OPTIMIZE"] },
  code_aware: { channel: "stable", settings: ["SVC_CODE_AWARE_ENABLED"] },
  lossless_compaction: {
    channel: "stable",
    settings: ["SVC_LOSSLESS_COMPACTION"],
  },
  ccr: { channel: "stable", settings: ["SVC_NO_CCR", "SVC_LOSSLESS"] },
  response_cache: { channel: "stable", settings: ["SVC_CACHE_ENABLED"] },
  intercept_tool_results: {
    channel: "canary",
    settings: ["SVC_INTERCEPT_TOOL_RESULTS"],
  },
  model_router: { channel: "beta", settings: ["SVC_MODEL_ROUTER"] },
  output_shaper: { channel: "beta", settings: ["SVC_OUTPUT_SHAPER"] },
  effort_router: { channel: "beta", available: false },
  thinking_compact: { channel: "beta", settings: ["SVC_THINKING_COMPACT"] },
  cold_recompact: { channel: "beta", settings: ["SVC_COLD_RECOMPACT"] },
  dedupe: { channel: "beta", settings: ["SVC_DEDUPE"] },
  cache_ttl_learn: { channel: "beta", settings: ["SVC_CACHE_TTL_LEARN"] },
  read_maturation: { channel: "beta", available: false },
  memory: { channel: "beta", available: false },
  learn: { channel: "beta", available: false },
  kompress: { channel: "canary", available: false },
} as const satisfies Readonly<Record<string, FeatureRow>>;

/** What the settings say of features. */
export interface FeatureWishes {
  /** How new they may be. */
  readonly channel: Channel;
  /** Features whose own settings turn them on or off. */
  readonly own: Readonly<Record<string, boolean>>;
  /** Features that are asked for. */
  readonly wanted: readonly string[];
  /** The same, by a setting of their own. */
  readonly wantedBySetting?: readonly string[];
  /** Features that are off, whatever else says. */
  readonly disabled: readonly string[];
  /** Whether the channel does not count. */
  readonly unsafe: boolean;
}

/** Features of a running proxy. */
export type Features = Readonly<
  ReturnType<typeof resolveFeatures>["features"]
>;

/** One wish: the feature, and the setting that asks for it. */
interface Wish {
  readonly name: string;
  readonly by: string;
}

/** What becomes of one wish. */
interface Answer {
  readonly isOn: boolean;
  /** Given where it is not fulfilled, and that may be a slip. */
  readonly refused?: string;
  readonly warning?: string;
}

/**
 * Decides which features are on: a disabled one never is; one that has a setting of its own is as that says; any other
 * is where it is asked for and the channel allows it.
 *
 * @param table The features; {@linkcode FEATURES} unless given.
 */
export function resolveFeatures(
  wishes: FeatureWishes,
  table: Readonly<Record<string, FeatureRow>> = FEATURES,
) {
  const refused: string[] = [];
  const warnings: string[] = [];
  const on = new Set(
    Object.keys(wishes.own).filter((name) => wishes.own[name]),
  );
  for (const wish of wishesIn(wishes, table)) {
    const answer = answerTo(wish, wishes, table);
    if (answer.isOn) on.add(wish.name);
    if (answer.refused !== undefined) refused.push(answer.refused);
    if (answer.warning !== undefined) warnings.push(answer.warning);
  }
  for (const name of wishes.disabled) {
    if (!Object.hasOwn(table, name)) {
      warnings.push(unknownFeature("SVC_DISABLE_FEATURES", name, table));
    }
    on.delete(name);
  }
  const here = namesHere(table);
  return {
    /** The result. */
    features: {
      /** How new they may be. */
      channel: wishes.channel,
      /** Those that are on, in the order of the alphabet. */
      enabled: here.filter((name) => on.has(name)) as readonly string[],
      /** Those that this version has and that are off. */
      disabled: here.filter((name) => !on.has(name)) as readonly string[],
      /** Those that were asked for and are not turned on, one sentence each. */
      refused: refused as readonly string[],
    },
    /** What the user should be told, one sentence each. */
    warnings: [...refused, ...warnings],
  };
}

function wishesIn(
  { wanted, wantedBySetting = [] }: FeatureWishes,
  table: Readonly<Record<string, FeatureRow>>,
): readonly Wish[] {
  return [
    ...wanted.map((name) => ({ name, by: FEATURES_VARIABLE })),
    ...wantedBySetting.filter((name) => !wanted.includes(name)).map((name) => ({
      name,
      by: table[name]?.settings?.[0] ?? name,
    })),
  ];
}

const FEATURES_VARIABLE = "SVC_FEATURES";

function answerTo(
  { name, by }: Wish,
  { channel, own, disabled, unsafe }: FeatureWishes,
  table: Readonly<Record<string, FeatureRow>>,
): Answer {
  const row = Object.hasOwn(table, name) ? table[name] : undefined;
  const off = { isOn: false };
  if (row === undefined) {
    return { ...off, refused: unknownFeature(by, name, table) };
  }
  if (disabled.includes(name)) {
    const warning =
      `Feature ${name} stays off: SVC_DISABLE_FEATURES names it, and that wins over ${by}`;
    return { ...off, warning };
  }
  if (row.available === false) {
    return {
      ...off,
      refused: `Feature ${name} of ${by} is not in this version`,
    };
  }
  if (own[name] === false) {
    const warning =
      `Feature ${name} stays off: its own setting turns it off, and that wins over ${by}`;
    return { ...off, warning };
  }
  if (isIn(row.channel, channel)) return { isOn: true };
  if (unsafe) {
    const warning =
      `UNSAFE: feature ${name} is for the channel ${row.channel}, this is ${channel}; SVC_UNSAFE_ALLOW_UNSTABLE_FEATURES turns it on`;
    return { isOn: true, warning };
  }
  const refused =
    `Feature ${name} of ${by} needs SVC_ROLLOUT_CHANNEL=${row.channel}, this is ${channel}: it stays off`;
  return { ...off, refused };
}

function namesHere(table: Readonly<Record<string, FeatureRow>>): string[] {
  return Object.keys(table).sort()
    .filter((name) => table[name]?.available !== false);
}

function isIn(first: Channel, channel: Channel): boolean {
  return CHANNELS.indexOf(first) <= CHANNELS.indexOf(channel);
}

function unknownFeature(
  variable: string,
  name: string,
  table: Readonly<Record<string, FeatureRow>>,
): string {
  const known = namesHere(table).join(", ");
  return `${variable} names ${name}, which is no feature of this version: it has ${known}`;
}
