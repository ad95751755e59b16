/** What hosts do not take of what the proxy adds to requests. @module */
import type { Upstream } from "../core/upstream.ts";
import type { CompressParts } from "../pipeline/compress_parts.ts";
import type { CompressedBody } from "../pipeline/compressed_body.ts";
import { pinKey } from "../pipeline/conversation_keys.ts";
import { forgetRoute } from "../pipeline/routing.ts";

/** Refusals kept; the oldest are forgotten. */
const MAX_REFUSALS = 1000;

/** The retrieval tool, deferred definitions, a model that was not asked for, breakpoints, or usage in streams. */
export type Addition =
  | "tool"
  | "deferral"
  | "route"
  | "breakpoints"
  | "usage";

/**
 * What is known of requests for usage with one model: `taken`, so that another reason for a refusal is likelier, or
 * `in_doubt` since one that was refused was refused without it too.
 */
export type UsageFact = "taken" | "in_doubt";

/** Remembers, while the process runs, what is not added to requests for which host. */
export class HostRefusals {
  readonly #refused = new Set<string>();
  readonly #usage = new Map<string, UsageFact>();

  /** Whether `host` refused `addition`; `model` for what it may take of one model and not of another. */
  has(host: string, addition: Addition, model = ""): boolean {
    return this.#refused.has(`${host} ${addition} ${model}`);
  }

  /** Notes a refusal. */
  add(host: string, addition: Addition, model = ""): void {
    this.#refused.add(`${host} ${addition} ${model}`);
    const [oldest] = this.#refused;
    if (this.#refused.size > MAX_REFUSALS && oldest) {
      this.#refused.delete(oldest);
    }
  }

  /** What is known of requests for usage. */
  usage(host: string, model: string): UsageFact | undefined {
    return this.#usage.get(`${host} ${model}`);
  }

  /** Notes what is known of requests for usage; `undefined` when that is nothing any more. */
  noteUsage(host: string, model: string, fact: UsageFact | undefined): void {
    const key = `${host} ${model}`;
    this.#usage.delete(key);
    if (fact !== undefined) this.#usage.set(key, fact);
    const [oldest] = this.#usage.keys();
    if (this.#usage.size > MAX_REFUSALS && oldest) this.#usage.delete(oldest);
  }
}

/** Notes that the upstream takes the body of a call only without an addition. */
export type OnHostRefused = (
  call: CompressedBody,
  upstream: Upstream,
  addition: Addition,
) => void;

/** Notes refusals for later requests, and takes back what a conversation remembers of a refused addition. */
export function refusalNotes(
  refusals: HostRefusals,
  compressing: CompressParts,
): OnHostRefused {
  return ({ conversation, scan, tools, routing }, { base }, addition) => {
    const { host } = base;
    const model = scan?.model ?? "";
    const key = conversation && scan && pinKey(conversation, scan);
    switch (addition) {
      case "tool":
        refusals.add(
          host,
          tools.deferred.size > 0 ? "deferral" : "tool",
          model,
        );
        if (key) compressing.conversations.undeclare(key);
        return;
      case "route":
        if (routing === undefined || !key) return;
        refusals.add(host, "route", routing.route.to);
        forgetRoute(compressing, key);
        return;
      case "usage":
        return refusals.add(host, "usage");
      default:
        refusals.add(host, addition, model);
    }
  };
}
