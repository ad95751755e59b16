/** Which program listens on a port of this machine; known on Linux, for the user's own programs. @module */
import { systemCode } from "../../core/errors.ts";

/** Who listens on a port. */
interface PortOwner {
  /** Number of the process. */
  readonly pid: number;
  /** Name of its program. */
  readonly name: string;
}

/** Tables of sockets. */
const TABLES: readonly string[] = ["/proc/net/tcp", "/proc/net/tcp6"];
/** State of a socket that listens. */
const LISTENS = "0A";

/** Who listens on a port; `undefined` where nobody does or the system does not say. */
export async function portOwner(port: number): Promise<PortOwner | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  const texts = await Promise.all(TABLES.map(textOf));
  const sockets = new Set(texts.flatMap((text) => socketsIn(text, port)));
  if (sockets.size === 0) return undefined;
  for (const pid of await namesIn("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    for (const fd of await namesIn(`/proc/${pid}/fd`)) {
      const target = await orElse(
        () => Deno.readLink(`/proc/${pid}/fd/${fd}`),
        undefined,
      );
      if (target === undefined || !sockets.has(target)) continue;
      const name = (await textOf(`/proc/${pid}/comm`)).trim();
      return { pid: Number(pid), name };
    }
  }
  return undefined;
}

/** Names of the sockets that listen on a port, as `/proc/<pid>/fd` has them. */
export function socketsIn(table: string, port: number): readonly string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table.split("\n").map((line) => line.trim().split(/\s+/))
    .filter((cells) => cells[1]?.endsWith(ending) && cells[3] === LISTENS)
    .map((cells) => `socket:[${cells[9]}]`);
}

/** What cannot be looked at says nothing. */
async function orElse<T>(look: () => Promise<T>, none: T): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const isRefused = error instanceof Deno.errors.PermissionDenied ||
      error instanceof Deno.errors.NotCapable;
    if (systemCode(error) === undefined && !isRefused) throw error;
    return none;
  }
}

function textOf(path: string): Promise<string> {
  return orElse(() => Deno.readTextFile(path), "");
}

function namesIn(directory: string): Promise<readonly string[]> {
  return orElse(async () => {
    const names: string[] = [];
    for await (const { name } of Deno.readDir(directory)) names.push(name);
    return names;
  }, []);
}
