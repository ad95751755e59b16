/** A server that shows the page and answers its questions with what a test says. @module */
import { dashboard } from "../../src/proxy/handlers/report_handlers.ts";
import { Hono, type MiddlewareHandler } from "hono";
import type { ProxyEnv } from "../../src/proxy/env.ts";
import { HEALTH, LIFETIME, STATS } from "./canned.ts";
import { feedAnswer, inspected } from "./canned_feed.ts";
import { conversationsAnswer, rangeAnswer } from "./canned_range.ts";
import {
  type SettingsInMemory,
  settingsInMemory,
} from "./settings_in_memory.ts";

/** What the routes answer at present. Tests change it. */
export interface Answers {
  /** `/stats`. */
  stats: object;
  /** `/stats-lifetime`. */
  lifetime: object;
  /** `/stats-range`. */
  range: (edges: readonly number[], by: string | undefined) => object;
  /** `/health`. */
  health: object;
  /** Place of the newest request in the feed. */
  newest: number;
  /** Requests in the feed. */
  rows: number;
  /** Whether guarded routes answer as they do to strangers. */
  isStranger: boolean;
  /** Whether every route fails. */
  isBroken: boolean;
}

/** Answers after some work. */
export function someWork(): Answers {
  return {
    stats: STATS,
    lifetime: LIFETIME,
    range: rangeAnswer,
    health: HEALTH,
    newest: 1000,
    rows: 50,
    isStranger: false,
    isBroken: false,
  };
}

/** What a page sent with POST. */
export interface Posted {
  /** Where. */
  readonly path: string;
  /** What. */
  readonly body: unknown;
}

/** A running server. */
export interface CannedServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** What is answered. */
  readonly answers: Answers;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** What came by POST, in order. */
  readonly posted: readonly Posted[];
  /** What is in the settings file. */
  readonly stored: SettingsInMemory["stored"];
}

/** Starts a server on a port of the system's choice. */
export function serveCanned(): CannedServer {
  const answers = someWork();
  const asked: string[] = [];
  const posted: Posted[] = [];
  const app = new Hono<ProxyEnv>();
  app.use(async (c, next) => {
    asked.push(c.req.url.slice(new URL(c.req.url).origin.length));
    const isPage = c.req.path.startsWith("/dashboard");
    const isGuarded = /^\/(settings|transformations|stats-conversations)/.test(
      c.req.path,
    );
    if (answers.isBroken && !isPage) return c.text("down", 500);
    if (answers.isStranger && isGuarded) return c.text("", 404);
    await next();
  });
  app.get("/dashboard", dashboard());
  app.get("/dashboard/settings", dashboard());
  app.get("/stats", (c) => c.json(answers.stats));
  app.get("/stats-lifetime", (c) => c.json(answers.lifetime));
  app.get("/stats-range", (c) => {
    const edges = (c.req.query("edges") ?? "").split(",").map(Number);
    return c.json(answers.range(edges, c.req.query("by")));
  });
  app.get(
    "/stats-conversations",
    (c) => c.json(conversationsAnswer(c.req.query("after"))),
  );
  app.get("/health", (c) => c.json(answers.health));
  app.get(
    "/transformations/feed",
    (c) =>
      c.json(feedAnswer({
        newest: Number(c.req.query("before") ?? answers.newest + 1) - 1,
        rows: Math.min(answers.rows, Number(c.req.query("limit") ?? 20)),
        hasProblem: c.req.query("problems") === "1",
      })),
  );
  app.get("/transformations/:id", (c) => c.json(inspected(c.req.param("id"))));
  const settings = settingsInMemory();
  app.get("/settings/schema", settings.schema);
  const noted: MiddlewareHandler<ProxyEnv> = async (c, next) => {
    posted.push({
      path: c.req.path,
      body: await c.req.raw.clone().json(),
    });
    await next();
  };
  app.post("/settings", noted, settings.post);
  app.post("/settings/apply", noted, settings.apply);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    app.fetch,
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    answers,
    asked,
    posted,
    stored: settings.stored,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
