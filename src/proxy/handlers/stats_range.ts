/** What happened between given times, as JSON. @module */
import type { Handler } from "hono";
import type { Dimension } from "../../core/ledger_reader.ts";
import type { ProxyEnv } from "../env.ts";
import { wrongQueries, type WrongQuery } from "../errors.ts";
import type { Trust } from "../gates/caller.ts";
import { isTrustedCaller } from "../gates/trusted.ts";

/** What is asked. */
export interface RangeAsked {
  /** Milliseconds since the Unix epoch, ascending, at least two. */
  readonly edges: readonly number[];
  /** Which table is added; `undefined` for none. */
  readonly by: Dimension | undefined;
}

/** What the route needs. */
export interface StatsRangeParts<Body extends object> {
  /** The body, in wire names. */
  readonly report: (asked: RangeAsked) => Body | Promise<Body>;
  /** The body without what strangers may not see. */
  readonly withhold: (body: Body) => object;
  /** Who sees it all beside this machine; nobody unless given. */
  readonly trust?: Trust;
}

/** Intervals of one answer at most. */
const MAX_INTERVALS = 400;
/** Digits of a time: enough for the year 5138. */
const EDGES = /^\d{1,14}(?:,\d{1,14})+$/;

const DIMENSIONS: Readonly<Record<Dimension, true>> = {
  provider: true,
  model: true,
  project: true,
  stack: true,
  agent: true,
  kind: true,
  tool: true,
};

/**
 * Makes the handler of `GET /stats-range?edges=<ms>,<ms>,…&by=<dimension>`: open to all, names to trusted callers only.
 * Edges that do not ascend, or another word for `by`: 422.
 */
export function statsRange<Body extends object>(
  parts: StatsRangeParts<Body>,
): Handler<ProxyEnv> {
  return async (c) => {
    const wrong: WrongQuery[] = [];
    const edges = edgesOf(c.req.query("edges") ?? "");
    if (edges === undefined) {
      wrong.push({
        name: "edges",
        given: c.req.query("edges") ?? "",
        must: `2 to ${
          MAX_INTERVALS + 1
        } ascending times in milliseconds since 1970, separated by commas`,
        type: "value_error",
      });
    }
    const by = c.req.query("by");
    if (by !== undefined && !isDimension(by)) {
      const names = Object.keys(DIMENSIONS);
      const must = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
      wrong.push({ name: "by", given: by, must, type: "enum" });
    }
    if (edges === undefined || wrong.length > 0) return wrongQueries(wrong);
    const body = await parts.report({
      edges,
      by: by !== undefined && isDimension(by) ? by : undefined,
    });
    return Response.json(
      isTrustedCaller(c, parts.trust) ? body : parts.withhold(body),
      { headers: { "cache-control": "no-store" } },
    );
  };
}

function edgesOf(text: string): readonly number[] | undefined {
  if (!EDGES.test(text)) return undefined;
  const edges = text.split(",").map(Number);
  const ascends = edges.every((edge, i) => i === 0 || edge > edges[i - 1]!);
  return ascends && edges.length <= MAX_INTERVALS + 1 ? edges : undefined;
}

function isDimension(word: string): word is Dimension {
  return Object.hasOwn(DIMENSIONS, word);
}
