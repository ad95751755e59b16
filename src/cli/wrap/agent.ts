/** A coding agent that `svc wrap` can start: what sends it to the proxy, and which addresses of the user that replaces. @module */
import type { KnownAgent } from "../agents/agent.ts";
import type { FileWorld } from "../io.ts";
import type { Keepable } from "../edits/keep_rows.ts";
import type { TextValues } from "../../settings/row.ts";
import { leadsTo } from "../doctor/routing.ts";
import { CliFailure } from "../failure.ts";

/** Upstreams of the proxy that a user may have set for an agent as well. */
export type UpstreamName = "messages" | "chat" | "vertex" | "foundry";

/** What an agent is to be pointed to, and how it is started. */
export interface PointRequest extends FileWorld {
  /** URL of the proxy with the project, without a slash at its end. */
  readonly base: string;
  /** Arguments for the agent. */
  readonly args: readonly string[];
  /** Model with a large context window to use where the agent is told of none; `undefined` for the agent's own. */
  readonly largeModel: string | undefined;
  /** Files that `svc wrap --keep` has edited: their addresses are the proxy's. */
  readonly kept: readonly string[];
}

/** An address that the user has set for an agent. */
export interface UserAddress {
  /** Which upstream it would be. */
  readonly upstream: UpstreamName;
  /** The address, without what clients append to it. */
  readonly url: string;
  /** Where it stands, e.g. `ANTHROPIC_BASE_URL in the environment`. */
  readonly from: string;
  /** Whether it is the agent's own default: a setting of the proxy wins over it. */
  readonly isDefault?: true;
}

/** What makes one run of an agent use the proxy. */
export interface Pointing {
  /** Variables to set for it. */
  readonly variables?: TextValues;
  /** Arguments to put before its own. */
  readonly args?: readonly string[];
  /** Addresses that these replace: the proxy must send requests there. */
  readonly addresses?: readonly UserAddress[];
  /** Upstreams that this run uses; those of the agent unless given. */
  readonly upstreams?: readonly UpstreamName[];
  /** Names of variables whose values may hold a secret. */
  readonly secrets?: readonly string[];
  /** The agent's own file that has to say so while it runs; it is given back at the end. */
  readonly edit?: Keepable;
  /** A file for this run only, and how the agent is told of it. */
  readonly scratch?: ScratchFile;
  /** What the user should know, one sentence each without a final period. */
  readonly notes?: readonly string[];
}

/** A file for one run. */
interface ScratchFile {
  /** The user's file that it is made from. */
  readonly from: string;
  /** End of its name. */
  readonly ending: string;
  /** What it says otherwise, one line each. */
  readonly changes: readonly string[];
  /** Its text. */
  readonly text: string;
  /** Option before its path. */
  readonly option: string;
}

/** An agent that can be started. */
export interface WrapAgent extends KnownAgent {
  /** Upstreams that it may use. */
  readonly upstreams: readonly UpstreamName[];
  /**
   * Says what sends it to the proxy. Nothing is written.
   *
   * @throws {CliFailure} If it cannot be sent there, with the reason.
   */
  point(request: PointRequest): Promise<Pointing> | Pointing;
}

/** The argument behind an option, or behind `=` in it; `short` is another name of it. */
export function optionIn(
  args: readonly string[],
  name: string,
  short?: string,
): string | undefined {
  const inline = args.find((arg) => arg.startsWith(`${name}=`));
  const at = args.findIndex((arg) => arg === name || arg === short);
  return inline?.slice(name.length + 1) ?? (at < 0 ? undefined : args[at + 1]);
}

/** Whether an option is given, with a value behind `=` or without. */
export function hasOption(args: readonly string[], name: string): boolean {
  return args.some((arg) => arg === name || arg.startsWith(`${name}=`));
}

/** Characters that a message shows of a text that is no address. */
const SHOWN_LENGTH = 4;

/** How clients use an address: `root` appends `/v1/...`, `v1` is the address that ends in `/v1`. */
export type AddressForm = "root" | "v1";

/** The proxy as a client is told. */
export function addressOf(base: string, form: AddressForm): string {
  return form === "root" ? base : `${base}/v1`;
}

/** An address as it was found. */
export interface FoundAddress {
  /** Its text. */
  readonly text: string | undefined;
  /** Where it stands. */
  readonly from: string;
  /** Which upstream it would be. */
  readonly upstream: UpstreamName;
  /** How clients use it. */
  readonly form: AddressForm;
}

/**
 * The addresses among what was found; none for what is not set, and for the proxy's own.
 *
 * @param base URL of the proxy.
 * @throws {CliFailure} If one cannot be the upstream of a proxy: it is no URL, has a user name, a query, or another path
 * than the proxy would use.
 */
export function userAddresses(
  base: string,
  found: readonly FoundAddress[],
): readonly UserAddress[] {
  return found.flatMap(({ text, from, upstream, form }) => {
    if (!text?.trim()) return [];
    const url = URL.parse(text.trim());
    if (url === null || !/^https?:$/.test(url.protocol)) {
      throw refused(from, `it is no http or https URL (${shown(text)})`);
    }
    if (leadsTo(url, base)) return [];
    if (url.username !== "" || url.password !== "") {
      throw refused(from, `a user name in it cannot be kept (${url.origin})`);
    }
    if (url.search !== "") {
      throw refused(from, `a query in it cannot be kept (${url.origin})`);
    }
    const path = url.pathname.replace(/\/+$/, "");
    if (form === "root") return [{ upstream, url: url.origin + path, from }];
    if (!path.endsWith("/v1")) {
      throw refused(
        from,
        `it does not end in /v1, so the proxy cannot send the same requests there (${url.origin})`,
      );
    }
    return [{ upstream, url: url.origin + path.slice(0, -3), from }];
  });
}

/** A text as messages may have it: it may be a key, or hold a password. */
function shown(text: string): string {
  const whole = text.trim();
  const start = JSON.stringify(whole.slice(0, SHOWN_LENGTH));
  return whole.length <= SHOWN_LENGTH
    ? start
    : `${whole.length} characters that begin with ${start}`;
}

function refused(from: string, reason: string): CliFailure {
  return new CliFailure(
    `Cannot replace ${from}: ${reason}. Take it out for this run`,
  );
}
