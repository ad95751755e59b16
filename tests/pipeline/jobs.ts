/** Jobs for tests: everything that does not matter has a value. */
import { ccrKey } from "../../src/ccr/key.ts";
import type { BlockJob } from "../../src/core/decision.ts";

/** A job for `text`, with whatever else is given. */
export function jobOf(text: string, facts: Partial<BlockJob> = {}): BlockJob {
  return {
    text,
    original: ccrKey(text),
    toolName: "Bash",
    rule: "normal",
    path: "",
    query: "",
    mayElide: true,
    notElided: [],
    model: "m",
    options: { exact: false, folds: true, codeAware: true },
    ...facts,
  };
}
