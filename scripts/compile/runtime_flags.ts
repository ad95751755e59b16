/** The runtime's flags under which svc runs, from `deno.json`: a built file runs as its source does. @module */

/** The part of `deno.json` that is read. */
export interface ProjectFile {
  /** Command lines by name; `svc` is the one that is copied. */
  readonly tasks: Readonly<Record<string, string>>;
  /** Unstable features that are on. */
  readonly unstable: readonly string[];
}

/**
 * Flags for `deno run` and `deno compile`: unstable features, memory, no questions.
 *
 * @throws {Error} If the task `svc` is not `… deno run <flags> main.ts`.
 */
export function runtimeFlags({ tasks, unstable }: ProjectFile): string[] {
  const words = tasks.svc?.split(" ") ?? [];
  const [from, to] = [words.indexOf("run"), words.indexOf("main.ts")];
  if (from < 0 || to !== words.length - 1) {
    throw new Error(
      `Cannot read the flags of the task svc in deno.json, "${tasks.svc}": must be \`deno run <flags> main.ts\``,
    );
  }
  return [
    ...words.slice(from + 1, to),
    ...unstable.map((feature) => `--unstable-${feature}`),
  ];
}
