/** Machines that svc can be built for. @module */

/** The runtime's names of them. */
export const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
] as const;

/** Name of a machine's kind. */
export type Target = (typeof TARGETS)[number];

/**
 * The target of that name.
 *
 * @throws {Error} If there is none; names all that are there.
 */
export function targetNamed(name: string): Target {
  const found = TARGETS.find((target) => target === name);
  if (found !== undefined) return found;
  throw new Error(
    `Cannot build for "${name}": the targets are ${TARGETS.join(", ")}`,
  );
}

/** Name of the program for a target: `svc`, on Windows `svc.exe`. */
export function fileNameFor(target: Target, name = "svc"): string {
  return target.includes("windows") ? `${name}.exe` : name;
}

/** What `uname -sm` says on machines of a target that can run a self-extracting file; `undefined` for others. */
export function unameOf(target: Target): string | undefined {
  const [machine, , system] = target.split("-");
  return system === "linux" ? `Linux ${machine}` : undefined;
}
