/** The durable history as JSON or CSV. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { wrongQueries, type WrongQuery } from "../errors.ts";
import type { Trust } from "../gates/caller.ts";
import { isTrustedCaller } from "../gates/trusted.ts";

const FORMATS = ["json", "csv"] as const;
const SERIES = ["history", "hourly", "daily", "weekly", "monthly"] as const;
const MODES = ["compact", "full", "none"] as const;

/** What the route needs. */
export interface StatsHistoryParts<Body extends object> {
  /** The JSON body, in wire names. */
  readonly json: (mode: typeof MODES[number]) => Body | Promise<Body>;
  /** One series as CSV; it names nothing that is withheld. */
  readonly csv: (series: typeof SERIES[number]) => string | Promise<string>;
  /** The body without what strangers may not see. */
  readonly withhold: (body: Body) => object;
  /** Who sees it all beside this machine; nobody unless given. */
  readonly trust?: Trust;
}

/**
 * Makes the handler of `GET /stats-history`: `format` (json), `series` of a CSV (history) and `history_mode` of the JSON
 * (compact). Another value of one of them: 422, with all that are wrong in `detail`.
 */
export function statsHistory<Body extends object>(
  parts: StatsHistoryParts<Body>,
): Handler<ProxyEnv> {
  return async (c) => {
    const wrong: WrongQuery[] = [];
    const choice = <T extends string>(
      name: string,
      choices: readonly [T, ...T[]],
    ): T => {
      const given = c.req.query(name) ?? choices[0];
      const found = choices.find((choice) => choice === given);
      if (found === undefined) {
        const must = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
        wrong.push({ name, given, must, type: "enum" });
      }
      return found ?? choices[0];
    };
    const format = choice("format", FORMATS);
    const series = choice("series", SERIES);
    const mode = choice("history_mode", MODES);
    if (wrong.length > 0) return wrongQueries(wrong);
    if (format === "csv") return csvResponse(await parts.csv(series), series);
    const body = await parts.json(mode);
    return Response.json(
      isTrustedCaller(c, parts.trust) ? body : parts.withhold(body),
      { headers: { "cache-control": "no-store" } },
    );
  };
}

function csvResponse(text: string, series: string): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition":
        `attachment; filename="svc-stats-history-${series}.csv"`,
      "cache-control": "no-store",
    },
  });
}
