/** Profiles: how much is saved, in one word. @module */
import { choiceRow } from "./row_kinds.ts";
import type { TextValues } from "./row.ts";

/** Names, from the most careful on. */
export type ProfileName = keyof typeof PROFILES;

/** What each profile sets, by variable. What is given of a setting counts before it. */
export const PROFILES = {
  safe: {},
  balanced: {
    SVC_DEDUPE: "1",
    SVC_OUTPUT_SHAPER: "1",
    SVC_VERBOSITY_LEVEL: "2",
  },
  max: {
    SVC_DEDUPE: "1",
    SVC_OUTPUT_SHAPER: "1",
    SVC_VERBOSITY_LEVEL: "3",
    SVC_TOOL_COMPACTION: "1",
    SVC_MODEL_ROUTER: "1",
  },
} as const satisfies Readonly<Record<string, TextValues>>;

/** Rows of the registry. */
export const PROFILE_ROWS = {
  savingsProfile: choiceRow("Compression", {
    name: "SVC_SAVINGS_PROFILE, --profile <safe|balanced|max>",
    tier: "basic",
    choices: ["safe", "balanced", "max"],
    fallback: "safe",
    doc:
      "How much is saved: balanced also asks for shorter answers and sends repeated text once, max also shortens definitions and follows SVC_MODEL_ROUTES. Settings set explicitly take precedence.",
  }),
} as const;
