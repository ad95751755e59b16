/** The agents that `svc wrap` starts. @module */
import type { WrapAgent } from "./agent.ts";
import { WRAP_CLAUDE } from "./claude.ts";
import { WRAP_CODEX } from "./codex.ts";
import { WRAP_OPENCODE } from "./opencode.ts";

/** One row per agent. */
export const WRAPPED: readonly WrapAgent[] = [
  WRAP_CLAUDE,
  WRAP_CODEX,
  WRAP_OPENCODE,
];
