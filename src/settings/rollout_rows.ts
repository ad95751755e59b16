/** Settings of which features may be used. @module */
import { listRow, switchRow } from "./row_kinds.ts";
import { choiceRow } from "./row_kinds.ts";
import { refusal } from "./row.ts";

/** Channels, each with all that those before it have. */
export const CHANNELS = ["stable", "beta", "canary", "dev"] as const;

/** How new a feature may be. */
export type Channel = typeof CHANNELS[number];

const rolloutChannel = choiceRow({
  env: "SVC_ROLLOUT_CHANNEL",
  group: "Rollout",
  fallback: "stable",
  choices: CHANNELS,
  doc:
    "Newest channel of features that SVC_FEATURES can name: stable, beta, canary, dev.",
});

const features = listRow({
  env: "SVC_FEATURES",
  group: "Rollout",
  parse: (raw) => namesIn("SVC_FEATURES", raw),
  doc: "Features to enable.",
});

const disableFeatures = listRow({
  env: "SVC_DISABLE_FEATURES",
  group: "Rollout",
  parse: (raw) => namesIn("SVC_DISABLE_FEATURES", raw),
  doc:
    "Features to disable, with priority over everything else: code_aware, lossless_compaction, ccr, response_cache, compression.",
});

const unsafeFeatures = switchRow({
  env: "SVC_UNSAFE_ALLOW_UNSTABLE_FEATURES",
  label: "Allow unstable features",
  group: "Rollout",
  persisted: false,
  fallback: false,
  doc: "Allow features that are too new for the channel.",
});

function namesIn(env: string, raw: string): readonly string[] {
  const names = raw.toLowerCase().split(/[\s,]+/).filter((name) => name !== "");
  if (names.every((name) => /^[\w-]+$/.test(name))) {
    return [...new Set(names.map((name) => name.replaceAll("-", "_")))];
  }
  throw refusal(env, raw, "names of features, separated by commas");
}

/** Rows of the registry. */
export const ROLLOUT_ROWS = {
  rolloutChannel,
  features,
  disableFeatures,
  unsafeFeatures,
} as const;
