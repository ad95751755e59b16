/** A request on its way to a provider, read once. @module */
import type { Context } from "hono";
import { pathOf } from "../upstream/forward.ts";
import {
  type Attribution,
  attributionOf,
  splitProject,
} from "./attribution.ts";
import { bindingsOf, type ProxyEnv } from "./env.ts";

/** What is known of a request before anything is asked about it. */
export interface Incoming {
  /** As it came; its URL may begin with `/p/<project>`. */
  readonly request: Request;
  /** What the server knows about it. */
  readonly env: Partial<ProxyEnv["Bindings"]>;
  /** Path and query as they were written, without the project. */
  readonly path: string;
  /** The path alone. */
  readonly pathname: string;
  /** Percent-encoded name in the path; `undefined` when it names none. */
  readonly project: string | undefined;
  /** Names that it is counted under. */
  readonly names: Attribution;
}

/** Reads the request in `c`. */
export function incomingOf(c: Context<ProxyEnv>): Incoming {
  const request = c.req.raw;
  const { project, path } = splitProject(pathOf(request.url));
  return {
    request,
    env: bindingsOf(c),
    path,
    pathname: path.replace(/[?#].*$/s, ""),
    project,
    names: attributionOf(request.headers, project),
  };
}
