/** Addresses that a user has set for an agent: they become upstreams of the proxy, or the wrap is refused. @module */
import { leadsTo } from "../doctor/base_url.ts";
import { CliFailure } from "../failure.ts";
import type { UpstreamName, UserAddress } from "./agent.ts";

/** Characters that a message shows of a text that is no address. */
const SHOWN_LENGTH = 4;

/** How clients use an address: `root` appends `/v1/...`, `v1` is the address that ends in `/v1`. */
export type AddressForm = "root" | "v1";

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
 * @throws {CliFailure} If one cannot be the upstream of a proxy: it is no URL, has a user name, a query, or another path than the
 * proxy would use.
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
