/** Variables of the environment, wherever the client runs. @module */

/** What runtimes with an environment have. */
interface Runtime {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
  };
}

/**
 * Reads a variable in Deno, Node and Bun.
 *
 * @param name Its name.
 * @returns `undefined` where it is not set or empty, where there is no environment, or where it may not be read.
 */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[name] || undefined;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** Whether the runtime's permissions forbid it. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error &&
    (error.name === "NotCapable" || error.name === "PermissionDenied");
}
