/** Header fields of the operator, for the hosts that may learn them. @module */
import type { Log } from "../core/log.ts";
import type { HeaderField } from "../core/upstream.ts";
import { DEFAULT_ORIGINS } from "./known_hosts.ts";
import { OncePerHost } from "./once_per_host.ts";

/** The two groups of requests that have fields of their own. */
export type HeaderGroup = "messages" | "chat";

/** What decides about the fields. */
export interface OperatorHeaderParts {
  /** Every configured base URL. */
  readonly bases: readonly URL[];
  /** Further hosts, exact names in lower case, IPv6 literals in brackets. */
  readonly headerHosts: readonly string[];
  /** Fields of messages traffic. */
  readonly messagesHeaders: readonly HeaderField[];
  /** Fields of chat completions and responses traffic. */
  readonly chatHeaders: readonly HeaderField[];
  /** Takes log records. */
  readonly log: Log;
}

/** Says which fields go to `base`; empty for a host that may not learn them. */
export type OperatorHeaders = (
  base: URL,
  group: HeaderGroup,
) => readonly HeaderField[];

/**
 * Makes the rule of who learns the operator's fields, which are secrets: the origins of the configured bases and of
 * the default providers, and the listed hosts. Host names are compared as a whole, as parsed. A listed host is known
 * by its name only and gets them on any port, but never unencrypted where the configuration or a default has https.
 *
 * A host that gets none is logged as `upstream_extra_headers_withheld`, once, if there was something to withhold.
 */
export function makeOperatorHeaders(
  parts: OperatorHeaderParts,
): OperatorHeaders {
  const { bases, headerHosts, log } = parts;
  const known = [...bases, ...DEFAULT_ORIGINS.map((one) => new URL(one))];
  const origins = new Set(known.map(originOf));
  const encrypted = new Set(
    known.filter(({ protocol }) => protocol === "https:").map(hostOf),
  );
  const said = new OncePerHost();
  const mayLearn = (base: URL): boolean => {
    if (origins.has(originOf(base))) return true;
    if (!headerHosts.includes(hostOf(base))) return false;
    return base.protocol === "https:" || !encrypted.has(hostOf(base));
  };
  return (base, group) => {
    const fields = group === "messages"
      ? parts.messagesHeaders
      : parts.chatHeaders;
    if (fields.length === 0 || mayLearn(base)) return fields;
    const host = hostOf(base);
    if (said.isFirst(host)) {
      log("warn", "upstream_extra_headers_withheld", { host });
    }
    return [];
  };
}

/** The host without a dot at its end, which names the same machine. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, "");
}

function originOf(base: URL): string {
  return `${base.protocol}//${hostOf(base)}:${base.port}`;
}
