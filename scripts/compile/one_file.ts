/** Building with `deno compile`, where the runtime's base for the target can be had. @module */
import { join } from "node:path";
import { ProgramFailure, runProgram } from "./run_program.ts";
import type { Target } from "./targets.ts";

/** What to build. */
export interface OneFileOptions {
  /** Directory with `main.js`, the bundle. */
  readonly app: string;
  /** Machine the file shall run on. */
  readonly target: Target;
  /** Flags of the runtime. */
  readonly flags: readonly string[];
  /** The file to make. */
  readonly out: string;
}

/** The step of `deno compile` that fetches denort, the runtime's base for compiled programs. */
const NO_BASE = /Setting up base binary|denort/;

/**
 * Compiles a bundle.
 *
 * @returns `undefined` when the file is there; else why denort cannot be had, in the words of `deno compile`.
 * @throws {Error} If it fails for another reason.
 */
export async function compileOneFile(
  { app, target, flags, out }: OneFileOptions,
): Promise<string | undefined> {
  try {
    await runProgram({
      command: [
        ...[Deno.execPath(), "compile", "--quiet", "--no-check"],
        ...["--no-config", "--no-lock", ...flags, "--target", target],
        ...["--include", app, "--output", out, join(app, "main.js")],
      ],
    });
    return undefined;
  } catch (error) {
    if (error instanceof ProgramFailure && NO_BASE.test(error.said)) {
      return lastWords(error.said);
    }
    throw error;
  }
}

/** The chain of causes as one line. */
function lastWords(said: string): string {
  const lines = said.split("\n").map((line) => line.trim());
  const causes = lines.filter((line) => /^\d+: /.test(line));
  const text = causes.map((line) => line.replace(/^\d+: /, "")).slice(1, 2);
  return text[0] ?? lines.find((line) => line !== "") ?? "no reason given";
}
