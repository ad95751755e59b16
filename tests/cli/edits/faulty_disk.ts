/** A disk that fails at a step, for good or once. @module */
import { denoDisk, type Disk } from "../../../src/cli/files.ts";
import { systemError } from "../../../src/cli/failure.ts";

/** The end of the program. */
export class Killed extends Error {}

/** A disk whose steps are counted. */
export interface CountedDisk extends Disk {
  /** Steps that were begun. */
  steps(): number;
}

/** Ends the program at a step, counted from 1: a text is half written then, and nothing more is done. */
export function killedAt(step: number): CountedDisk {
  const real = denoDisk();
  return counted(async (count, name, args) => {
    if (count < step) return;
    if (count === step && name === "write") {
      const [path, text, mode] = args as Parameters<Disk["write"]>;
      await real.write(path, text.slice(0, text.length / 2), mode);
    }
    throw new Killed();
  });
}

/** A disk that is full from the write with this number on, counted from 1; half of that text is written. */
export function fullAt(write: number): CountedDisk {
  const real = denoDisk();
  let writes = 0;
  return counted(async (_, name, args) => {
    if (name !== "write" || ++writes < write) return;
    const [path, text, mode] = args as Parameters<Disk["write"]>;
    await real.write(path, text.slice(0, text.length / 2), mode);
    throw systemError("ENOSPC", "no space left");
  });
}

/** A disk that nothing outside the workspace can be written to. */
export function readOnlyOutside(workspace: string): CountedDisk {
  return counted((_, name, args) =>
    name === "syncNames" || String(args[0]).startsWith(workspace)
      ? Promise.resolve()
      : Promise.reject(systemError("EROFS", "read-only"))
  );
}

type Before = (
  count: number,
  name: keyof Disk,
  args: readonly unknown[],
) => Promise<void>;

/** The real disk with something before each step. */
function counted(before: Before): CountedDisk {
  const real = denoDisk();
  let count = 0;
  const step = <A extends unknown[]>(
    name: keyof Disk,
    act: (...args: A) => Promise<void>,
  ) =>
  async (...args: A) => {
    await before(++count, name, args);
    await act(...args);
  };
  return {
    steps: () => count,
    makeDirectory: step("makeDirectory", real.makeDirectory),
    write: step("write", real.write),
    likeOther: step("likeOther", real.likeOther),
    rename: step("rename", real.rename),
    syncNames: step("syncNames", real.syncNames),
    remove: step("remove", real.remove),
  };
}
