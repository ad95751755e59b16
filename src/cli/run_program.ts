/** Runs another program. @module */
import type { ProgramResult } from "./io.ts";

/**
 * Runs a program without input until it ends.
 *
 * @returns `undefined` when there is none of that name.
 */
export async function runProgram(
  [program, ...args]: readonly string[],
): Promise<ProgramResult | undefined> {
  const command = new Deno.Command(program!, { args, stdin: "null" });
  try {
    const { code, stdout, stderr } = await command.output();
    const [out, err] = [stdout, stderr].map((bytes) =>
      new TextDecoder().decode(bytes)
    );
    return { code, text: `${out}${err}` };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
