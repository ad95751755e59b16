/** Failures of the file system. @module */

/** The code of a failed system call, e.g. `EACCES`; `undefined` for any other error, which is a fault of the program. */
export function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, "code");
  return typeof code === "string" && /^E[A-Z]+$/.test(code) ? code : undefined;
}
