/** Rows of the tables by what requests have in common. @module */
import type { Lifetime, Stats, SumsReport } from "./api.ts";
import { type Money, moneyOf } from "./scope.ts";

/** What requests can have in common, and the heading of the first column. */
export const DIMENSIONS = {
  kind: "Kind",
  tool: "Tool",
  model: "Model",
  stack: "Stack",
  project: "Project",
  agent: "Agent",
  provider: "Provider",
} as const;

/** One of them. */
export type Dimension = keyof typeof DIMENSIONS;

/** A row of any of the tables. Those by kind and by tool have tokens only. */
export interface Row extends Partial<SumsReport> {
  /** What its requests have in common. */
  readonly name: string;
  /** Net tokens. */
  readonly tokens_saved: number;
  /** Missing where there are tokens only. */
  readonly money?: Money;
}

/** Rows of this run; `undefined` for what is not for this reader. */
export function rowsOfRun(stats: Stats, by: Dimension): Row[] | undefined {
  const { savings } = stats;
  switch (by) {
    case "kind":
      return tokenRows(stats.tokens_saved_by_strategy);
    case "tool":
      return tokenRows(stats.tokens_saved_by_tool);
    case "model":
      return sumRows(savings.per_model);
    case "stack":
      return sumRows(savings.per_stack);
    case "project":
      return sumRows(savings.per_project);
    case "agent":
      return sumRows(stats.agent_usage);
    case "provider":
      return sumRows(savings.per_provider);
  }
}

/** The same of all time. */
export function rowsOfLifetime(
  body: Lifetime,
  by: Dimension,
): Row[] | undefined {
  return sumRows(by === "project" ? body.projects : body[`by_${by}`]);
}

function tokenRows(
  table: Readonly<Record<string, number>> | undefined,
): Row[] | undefined {
  return table &&
    Object.entries(table).map(([name, tokens_saved]) => ({
      name,
      tokens_saved,
    }));
}

type Sums = Pick<Row, "tokens_saved"> & Partial<SumsReport>;

/** Rows of a table of sums. */
export function sumRows(
  table: Readonly<Record<string, Sums>> | undefined,
): Row[] | undefined {
  return table &&
    Object.entries(table).map(([name, sums]) => ({
      ...sums,
      name,
      ...sums.total_cost_usd !== undefined && {
        money: moneyOf({
          net: sums.compression_savings_usd ?? null,
          gross: sums.gross_savings_usd ?? null,
          cost: sums.total_cost_usd,
          unpriced: sums.unpriced_requests ?? 0,
        }),
      },
    }));
}
