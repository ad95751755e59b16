/** The agents that `svc wrap` starts. @module */
import type { WrapAgent } from "./agent.ts";
import { WRAP_CLAUDE } from "./claude.ts";
import { WRAP_CLINE, WRAP_OPENCLAW } from "./cline.ts";
import { WRAP_CODEX } from "./codex.ts";
import { WRAP_CONTINUE } from "./continue.ts";
import { WRAP_GEMINI } from "./gemini.ts";
import { WRAP_OPENCODE } from "./opencode.ts";
import {
  WRAP_AIDER,
  WRAP_COPILOT,
  WRAP_CORTEX,
  WRAP_CURSOR,
  WRAP_GOOSE,
  WRAP_OPENHANDS,
} from "./variables.ts";
import { WRAP_VIBE } from "./vibe.ts";

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
