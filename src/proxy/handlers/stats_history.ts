/** The durable history as JSON or CSV. @module */
import type { Handler } from "hono";
import type { ProxyEnv } from "../env.ts";
import { errorResponse } from "../errors.ts";
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
    const wrong: Wrong[] = [];
    const choice = <T extends string>(
      name: string,
      choices: readonly [T, ...T[]],
    ): T => {
      const given = c.req.query(name) ?? choices[0];
      const found = choices.find((choice) => choice === given);
      if (found === undefined) wrong.push({ name, given, choices });
      return found ?? choices[0];
    };
    const format = choice("format", FORMATS);
    const series = choice("series", SERIES);
    const mode = choice("history_mode", MODES);
    if (wrong.length > 0) return refusal(wrong);
    if (format === "csv") return csvResponse(await parts.csv(series), series);
    const body = await parts.json(mode);
    return Response.json(
      isTrustedCaller(c, parts.trust) ? body : parts.withhold(body),
      { headers: { "cache-control": "no-store" } },
    );
  };
}

/** A value that cannot be used. */
interface Wrong {
  readonly name: string;
  readonly given: string;
  readonly choices: readonly string[];
}

/** Characters of a wrong value that are given back. */
const MAX_SHOWN = 100;

function refusal(wrong: readonly Wrong[]): Response {
  const detail = wrong.map(({ name, given, choices }) => ({
    loc: ["query", name],
    msg: `Cannot use ${name}=${
      JSON.stringify(given.slice(0, MAX_SHOWN))
    }: must be ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`,
    type: "enum",
  }));
  return errorResponse(JSON.stringify({ detail }), 422);
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
