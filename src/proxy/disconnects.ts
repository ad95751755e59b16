/** Notices clients that close their connection while they wait for a response: the runtime's server does not report it. @module */
import { errorMessage } from "../core/errors.ts";

/** Where connections are looked up, and how often. */
export interface DisconnectsParts {
  /**
   * The kernel's tables of connections, as in `/proc/net/tcp`: one per address family.
   *
   * @throws {Error} If they may not be read.
   */
  readonly tables: () => Promise<readonly string[]>;
  /** Port of the listener. */
  readonly port: () => number;
  /** Milliseconds between two looks; a request that is answered sooner costs none. */
  readonly everyMs: number;
  /** Called once, when the tables cannot be used: from then on nothing is noticed. */
  readonly onUnusable: (reason: string) => void;
}

/** A request whose response has not begun. */
interface Waiting {
  readonly remotePort: number;
  readonly onLeft: () => void;
  /** Whether it waited for the whole time between two looks. */
  isOld: boolean;
}

/** Longer tables, in characters, are not searched: that would take milliseconds of the event loop. */
const MAX_TABLE = 2 * 1024 * 1024;
/** States of a connection, as the kernel writes them. */
const ESTABLISHED = "01";
const LISTEN = "0A";

/**
 * Watches connections whose request waits for its response. A client that only closes its sending side counts as gone
 * too, as it does for other servers.
 */
export class Disconnects {
  readonly #parts: DisconnectsParts;
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isUnusable = false;

  /** Reads nothing before a request waits. */
  constructor(parts: DisconnectsParts) {
    this.#parts = parts;
  }

  /**
   * Calls `onLeft` at most once, when the connection from `remotePort` is no longer open at both ends.
   * Addresses are not compared: a client whose port number another open connection shares is noticed later.
   *
   * @returns Ends the watch; may be called again.
   */
  watch(remotePort: number, onLeft: () => void): () => void {
    if (this.#isUnusable) return () => {};
    const one: Waiting = { remotePort, onLeft, isOld: false };
    this.#waiting.add(one);
    this.#schedule();
    // The timer goes on: most requests end before it, and one for each would cost more than the look.
    return () => void this.#waiting.delete(one);
  }

  #schedule(): void {
    if (this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#look(), this.#parts.everyMs);
  }

  async #look(): Promise<void> {
    const old = [...this.#waiting].filter(({ isOld }) => isOld);
    for (const one of this.#waiting) one.isOld = true;
    try {
      if (old.length > 0) this.#compare(old, await this.#openPorts());
    } catch (error) {
      this.#isUnusable = true;
      this.#waiting.clear();
      const reason = errorMessage(error);
      this.#parts.onUnusable(reason);
    }
    this.#timer = undefined;
    this.#schedule();
  }

  #compare(old: readonly Waiting[], open: ReadonlySet<number>): void {
    for (const one of old) {
      if (open.has(one.remotePort) || !this.#waiting.delete(one)) continue;
      one.onLeft();
    }
  }

  async #openPorts(): Promise<ReadonlySet<number>> {
    const tables = await this.#parts.tables();
    return openPorts(tables, this.#parts.port());
  }
}

/**
 * Remote ports of the open connections of a listener.
 *
 * @throws {Error} If the tables do not show the listener, or are too long to search.
 */
export function openPorts(
  tables: readonly string[],
  port: number,
): ReadonlySet<number> {
  const local = port.toString(16).toUpperCase().padStart(4, "0");
  const row = new RegExp(
    `: [0-9A-F]+:${local} [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]{2}) `,
    "g",
  );
  const open = new Set<number>();
  let isListed = false;
  for (const table of tables) {
    if (table.length > MAX_TABLE) {
      throw new Error(
        `the table of connections has ${table.length} characters`,
      );
    }
    for (const [, remote = "", state] of table.matchAll(row)) {
      if (state === LISTEN) isListed = true;
      if (state === ESTABLISHED) open.add(parseInt(remote, 16));
    }
  }
  if (!isListed) throw new Error(`no listener on port ${port} in the table`);
  return open;
}
