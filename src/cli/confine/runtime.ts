/** What the running program may do. @module */
import { startedFile } from "../../build_info.ts";
import { isAllowed } from "../permissions.ts";
import { wordsOfThisProcess } from "../worker_process.ts";
import type { Runtime } from "./decide.ts";

/** The real runtime. */
export function denoRuntime(): Runtime {
  const module = new URL("../../confined_worker.ts", import.meta.url);
  return { isAllowed, mayAsk, module };
}

const NO_PROMPT = "DENO_NO_PROMPT";

/**
 * Whether the runtime asks the user for a permission instead of refusing. It only does on a terminal, and says nowhere
 * whether it would: without a sign that it will not, it will.
 */
function mayAsk(): boolean {
  const isTerminal = Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  // Both forms of the one file are built so that it does not.
  const isBuilt = Deno.build.standalone || startedFile() !== undefined;
  if (!isTerminal || isBuilt) return false;
  const hasVariable = isAllowed({ name: "env", variable: NO_PROMPT }) &&
    Deno.env.get(NO_PROMPT) === "1";
  return !hasVariable && !startWords().includes("--no-prompt");
}

function startWords(): readonly string[] {
  try {
    return wordsOfThisProcess() ?? [];
  } catch (error) {
    // The system shows them to a program that may do everything.
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    return [];
  }
}
