/** Composition of the routes that say what the proxy does: statistics, metrics, the live feed, the dashboard. @module */
import type { Handler, MiddlewareHandler } from "hono";
import type { AppIo } from "./core/app_io.ts";
import type { ProxyEnv } from "./proxy/env.ts";
import type { Trust } from "./proxy/gates/caller.ts";
import { requireSameOrigin } from "./proxy/gates/same_origin.ts";
import { requireLoopback, requireTrusted } from "./proxy/gates/trusted.ts";
import { icon, root } from "./proxy/handlers/root.ts";
import type { Route } from "./proxy/routes.ts";
import type {
  ReportHandlers,
  ReportRouteParts,
} from "./proxy/handlers/report_handlers.ts";
import type { Config } from "./settings/resolve.ts";

/** The routes, in the order in which they are asked. Most proxies answer none of them: their handlers are loaded on first use. */
export function reportRoutes(
  config: Config,
  io: AppIo,
  parts: ReportRouteParts,
): Route[] {
  const on = onFirstUse(async () => {
    const { reportHandlers } = await import(
      "./proxy/handlers/report_handlers.ts"
    );
    return reportHandlers(config, io, parts);
  });
  // A report holds every request whose response has ended, counted to the last token.
  const counted: MiddlewareHandler<ProxyEnv> = async (_, next) => {
    await parts.settled();
    await next();
  };
  const rows = { on, log: io.log, trust: parts.trust, counted };
  return [...statistics(rows), ...inspection(rows)];
}

/** The handler of a route. */
type On = (name: keyof ReportHandlers) => Handler<ProxyEnv>;

function onFirstUse(load: () => Promise<ReportHandlers>): On {
  let loaded: Promise<ReportHandlers> | undefined;
  const handlers = async () => {
    try {
      return await (loaded ??= load());
    } catch (error) {
      // The next one tries again.
      loaded = undefined;
      throw error;
    }
  };
  return (name) => async (c, next) => await (await handlers())[name](c, next);
}

/** What the routes share. */
interface Rows {
  readonly on: On;
  readonly log: AppIo["log"];
  readonly trust: Trust;
  readonly counted: MiddlewareHandler<ProxyEnv>;
}

/** Open to all; some fields for trusted callers only. */
function statistics({ on, log, trust, counted }: Rows): Route[] {
  const gates = [counted];
  return [
    { method: "GET", path: "/stats", handler: on("stats") },
    {
      method: "GET",
      path: "/stats-lifetime",
      gates,
      handler: on("lifetime"),
    },
    { method: "GET", path: "/stats-history", gates, handler: on("history") },
    { method: "GET", path: "/stats-range", gates, handler: on("range") },
    {
      method: "POST",
      path: "/stats/reset",
      gates: [requireLoopback(log, trust), requireSameOrigin(trust)],
      handler: on("reset"),
    },
    { method: "GET", path: "/metrics", gates, handler: on("metrics") },
  ];
}

/** Single requests, and the page that shows it all. */
function inspection({ on, log, trust, counted }: Rows): Route[] {
  const gates = [
    requireLoopback(log, trust),
    requireSameOrigin(trust),
    counted,
  ];
  return [
    {
      method: "GET",
      path: "/transformations/feed",
      gates,
      handler: on("feed"),
    },
    { method: "GET", path: "/transformations/:id", gates, handler: on("one") },
    { method: "GET", path: "/", handler: root() },
    // A base URL with a project is asked without a slash at its end.
    { method: "GET", path: "/p/:project", handler: root() },
    { method: "GET", path: "/favicon.ico", handler: icon() },
    {
      method: "GET",
      path: "/stats-conversations",
      gates,
      handler: on("conversations"),
    },
    { method: "GET", path: "/dashboard", handler: on("page") },
    {
      method: "GET",
      path: "/dashboard/settings",
      gates: [requireTrusted(log, trust)],
      handler: on("page"),
    },
  ];
}
