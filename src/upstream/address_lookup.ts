/** Addresses of host names, bounded in time and in number. @module */
import { errorMessage, systemCode } from "../core/errors.ts";

/** Finds every address of a host name, IPv4 and IPv6, as IP literals; rejects when there is none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** Calls `callback` after `ms` milliseconds unless the returned function is called before. */
export type After = (ms: number, callback: () => void) => () => void;

/** Why there are no addresses. */
export type LookupFailure =
  | "unresolvable"
  | "lookup_timeout"
  | "lookup_overload";

/** What looking up needs. */
export interface AddressLookupParts {
  /** Asks the system. */
  readonly lookup: Lookup;
  /** Milliseconds that a caller waits. */
  readonly timeoutMs: number;
  /** Measures them. */
  readonly after: After;
  /** Takes what else went wrong than that the name has no address: a system's code, e.g. `EAI_AGAIN`, or a message. */
  readonly failed: (host: string, reason: string) => void;
}

/** Names that are being looked up at once; each may hold a thread of the system for as long as DNS likes. */
const MAX_OPEN = 64;

/**
 * Looks host names up. Nothing is remembered once an answer is there: the addresses of an answer are used for one
 * request. Only callers who ask for the same name at the same time share an answer.
 */
export class AddressLookup {
  readonly #parts: AddressLookupParts;
  readonly #open = new Map<
    string,
    Promise<readonly string[] | LookupFailure>
  >();

  /** Makes one without any name being looked up. */
  constructor(parts: AddressLookupParts) {
    this.#parts = parts;
  }

  /**
   * Every address of `host`, each once. Never rejects.
   * @returns `unresolvable` when there is none, `lookup_timeout` when the answer takes too long, `lookup_overload`
   * when too many other names are being looked up.
   */
  find(host: string): Promise<readonly string[] | LookupFailure> {
    const open = this.#open.get(host) ?? this.#start(host);
    if (open === undefined) return Promise.resolve("lookup_overload");
    const { after, timeoutMs } = this.#parts;
    return new Promise((resolve) => {
      const cancel = after(timeoutMs, () => resolve("lookup_timeout"));
      void open.then((found) => {
        cancel();
        resolve(found);
      });
    });
  }

  #start(
    host: string,
  ): Promise<readonly string[] | LookupFailure> | undefined {
    if (this.#open.size >= MAX_OPEN) return undefined;
    const answer = this.#ask(host);
    this.#open.set(host, answer);
    void answer.then(() => this.#open.delete(host));
    return answer;
  }

  async #ask(host: string): Promise<readonly string[] | LookupFailure> {
    try {
      const found = await this.#parts.lookup(host);
      return found.length === 0 ? "unresolvable" : [...new Set(found)];
    } catch (error) {
      const reason = systemCode(error) ?? errorMessage(error);
      if (reason !== "ENOTFOUND") this.#parts.failed(host, reason);
      return "unresolvable";
    }
  }
}

/** Names and addresses of this machine, IPv6 also as a URL writes it. */
const THIS_MACHINE = /^(127(\.\d+){3}|\[?::1\]?|(.+\.)?localhost\.?)$/;

/** Whether a host name or an address means this machine: no proxy could reach it. */
export function isThisMachine(host: string): boolean {
  return THIS_MACHINE.test(host);
}
