/** What becomes of a base URL that was found, in one verdict for all clients. @module */
import type { OwnPlace, Target } from "./base_url.ts";
import type { Found } from "./found.ts";
import { failed, passed, type Verdict, warned } from "./verdict.ts";

/** A base URL and where it stands. */
export interface Route {
  /** File or variable that names it. */
  readonly from: string;
  /** Where it leads. */
  readonly target: Target;
  /** What is wrong with its path; `undefined` for nothing. */
  readonly fault?: string | undefined;
}

/** The proxy as clients may name it. */
export function ownPlace({ proxy, io }: Found): OwnPlace {
  return { host: proxy.host, port: proxy.port, names: io.ownNames() };
}

/** Port that svc wrap takes when it is told of none. */
const USUAL_PORT = 8787;

/** The command that points an agent to this proxy for good. */
export function keepCommand(
  id: string,
  { proxy }: { readonly proxy: Pick<Found["proxy"], "port"> },
): string {
  const port = proxy.port === USUAL_PORT ? "" : ` --port ${proxy.port}`;
  return `svc wrap ${id} --keep${port}`;
}

/** Facts of a route, for programs. */
export function routeFacts({ from, target }: Route): Record<string, unknown> {
  return { from, leads: target.kind, to: target.shown };
}

/**
 * The verdict on a client with a base URL.
 *
 * @param fix How to route it, a sentence without a final period.
 */
export function routeVerdict(
  route: Route,
  { proxy }: Pick<Found, "proxy">,
  fix: string,
): Verdict {
  const { from, target, fault } = route;
  const details = routeFacts(route);
  switch (target.kind) {
    case "here":
      if (fault !== undefined) {
        return failed(`${from} points to the proxy, but ${fault}`, {
          hint: fix,
          details,
        });
      }
      return passed(`${from} points to the proxy at ${target.shown}`, {
        details,
      });
    case "https":
      return failed(
        `${from} has https, but the proxy speaks http: ${target.shown}`,
        { hint: fix, details },
      );
    case "other_port":
      return warned(
        `${from} points to ${target.shown}; the proxy is expected at ${proxy.url}`,
        { hint: `${fix}; or svc doctor --port <number>`, details },
      );
    case "elsewhere":
      return warned(`${from} leads past the proxy, to ${target.shown}`, {
        hint:
          `${fix}; svc sends requests there itself if that is its upstream (docs/settings.md)`,
        details,
      });
    case "invalid":
      return failed(`${from} holds no URL`, { hint: fix, details });
  }
}
