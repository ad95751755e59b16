/** What to say where a port is taken by another program. @module */
import { CliFailure } from "../failure.ts";
import type { WrapSystem } from "./system.ts";

/** Ports after the taken one that are looked at. */
const MAX_TRIES = 100;
const MAX_PORT = 65_535;

/** The taken port, and who asks. */
export interface TakenPort {
  readonly host: string;
  readonly port: number;
  /** HTTP status that it answered; `undefined` where it does not speak HTTP. */
  readonly status: number | undefined;
  /** Start of the command to give again with another port. */
  readonly command: string;
}

/** A failure that says what is on the port, and offers the next free one. */
export async function takenFailure(
  { host, port, status, command }: TakenPort,
  system: Pick<WrapSystem, "isFree" | "ownerOf">,
): Promise<CliFailure> {
  const owner = await system.ownerOf(port);
  const who = owner === undefined
    ? "another program"
    : `${owner.name} (process ${owner.pid})`;
  const what = status === undefined
    ? "does not answer like svc"
    : `answers /health with HTTP status ${status}, not like svc`;
  const free = nextFree({ host, port }, system);
  const way = free === undefined
    ? "give another one with --port"
    : `port ${free} is free: ${command} --port ${free}`;
  return new CliFailure(
    `Cannot use port ${port} of ${host}: ${who} has it and ${what}; ${way}`,
  );
}

/** The first port after a taken one on which nothing listens. */
export function nextFree(
  { host, port }: { readonly host: string; readonly port: number },
  { isFree }: Pick<WrapSystem, "isFree">,
): number | undefined {
  const last = Math.min(port + MAX_TRIES, MAX_PORT);
  for (let next = port + 1; next <= last; next++) {
    if (isFree(host, next)) return next;
  }
  return undefined;
}
