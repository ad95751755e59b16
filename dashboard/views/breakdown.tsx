/** Where savings come from: by kind, tool, model, stack, project, agent. @module */
import { useState } from "preact/hooks";
import { reasonText } from "../../src/cli/reasons.ts";
import type { Lifetime, Stats, SumsReport } from "../api.ts";
import { count, share, usd } from "../format.ts";
import { Choice } from "../parts/choice.tsx";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import { type Column, SortedTable } from "../parts/sorted_table.tsx";
import { type Polled, usePolled } from "../poll.ts";
import { type Money, moneyOf } from "../scope.ts";
import { KEPT_MS, LIFETIME_PATH } from "./overview.tsx";

/** What requests can have in common, and the heading of the first column. */
const DIMENSIONS = {
  kind: "Kind",
  tool: "Tool",
  model: "Model",
  stack: "Stack",
  project: "Project",
  agent: "Agent",
  provider: "Provider",
} as const;

type Dimension = keyof typeof DIMENSIONS;

const WHILES = [["run", "This run"], ["lifetime", "Lifetime"]] as const;

/** What has no name is in a row of its own. */
const NAMELESS = "unknown";

/** A row of any of the tables. Those by kind and by tool have tokens only. */
interface Row extends Partial<SumsReport> {
  readonly name: string;
  readonly tokens_saved: number;
  /** Missing where there are tokens only. */
  readonly money?: Money;
}

/** Draws the section. */
export function Breakdown(
  { stats }: { readonly stats: Polled<Stats> },
) {
  const [by, setBy] = useState<Dimension>("kind");
  const [over, setOver] = useState<"run" | "lifetime">("run");
  const lifetime = usePolled<Lifetime>(LIFETIME_PATH, KEPT_MS);
  const source = over === "run" ? stats : lifetime;
  return (
    <>
      <div class="bar">
        <Choice
          label="Broken down by"
          options={Object.entries(DIMENSIONS) as [Dimension, string][]}
          value={by}
          onChange={setBy}
        />
        <Choice label="Over" options={WHILES} value={over} onChange={setOver} />
      </div>
      <Panel
        title={`By ${DIMENSIONS[by].toLowerCase()}`}
        aside={over === "run"
          ? "since the proxy started"
          : "all runs in this workspace"}
      >
        {source.data === undefined ? <Waiting /> : (
          <Rows
            // Another table starts with its own order.
            key={`${by} ${over}`}
            by={by}
            rows={over === "run"
              ? stats.data && rowsOfRun(stats.data, by)
              : lifetime.data && rowsOfLifetime(lifetime.data, by)}
          />
        )}
      </Panel>
      {by === "kind" && over === "run" && stats.data && (
        <LeftAlone table={stats.data.left_alone_by_reason} />
      )}
    </>
  );
}

function LeftAlone({ table }: { table: Readonly<Record<string, number>> }) {
  const rows = Object.entries(table).toSorted(([, a], [, b]) => b - a);
  return rows.length > 0 && (
    <Panel
      title="Left alone"
      aside="new tool results of this run, by reason"
      place="next"
    >
      <dl class="facts">
        {rows.flatMap(([reason, times]) => [
          <dt key={`${reason} words`}>{reasonText(reason)}</dt>,
          <dd key={`${reason} times`}>{count(times)}</dd>,
        ])}
      </dl>
    </Panel>
  );
}

function Rows({ by, rows }: { by: Dimension; rows: Row[] | undefined }) {
  if (rows === undefined) {
    return <OnlyHere what={`Figures by ${by} are`} />;
  }
  if (rows.length === 0) return <p class="soft">Nothing yet.</p>;
  const isTokensOnly = by === "kind" || by === "tool";
  const columns = isTokensOnly
    ? TOKEN_COLUMNS.filter(({ title }) =>
      title !== "Requests" || rows.some(({ requests }) => requests)
    )
    : SUM_COLUMNS;
  return (
    <>
      <SortedTable
        caption={`Tokens saved by ${by}; a click on a heading sorts`}
        columns={[
          {
            title: DIMENSIONS[by],
            sortBy: ({ name }) => name,
            show: ({ name }) => name || NAMELESS,
          },
          ...columns,
        ]}
        rows={rows}
        start={1}
        bar={({ tokens_saved }) => tokens_saved}
      />
      {rows.some(({ money }) => money?.unpriced) && (
        <p class="note">
          Unpriced requests have no known price: they are in no sum of money.
        </p>
      )}
      {isTokensOnly && (
        <p class="note">
          A form counts each time it is sent. (added) is what the retrieval
          tool's definition and its answers cost: the rows sum up to the net
          tokens saved.
        </p>
      )}
    </>
  );
}

const SAVED: Column<Row> = {
  title: "Tokens saved",
  sortBy: ({ tokens_saved }) => tokens_saved,
  show: ({ tokens_saved }) => count(tokens_saved),
};

const REQUESTS: Column<Row> = {
  title: "Requests",
  sortBy: ({ requests }) => requests ?? 0,
  show: ({ requests }) => count(requests),
};

const TOKEN_COLUMNS: readonly Column<Row>[] = [SAVED, REQUESTS];

const SUM_COLUMNS: readonly Column<Row>[] = [
  SAVED,
  {
    title: "of prompt",
    sortBy: (row) => row.tokens_saved / (promptOf(row) || 1),
    show: (row) => share(row.tokens_saved, promptOf(row)),
  },
  {
    title: "Saved, net",
    sortBy: ({ money }) => money?.net ?? null,
    show: ({ money }) => <Dollars money={money} of="net" />,
  },
  {
    title: "Cost",
    sortBy: ({ money }) => money?.cost ?? null,
    show: ({ money }) => <Dollars money={money} of="cost" />,
  },
  {
    title: "Prompt tokens",
    sortBy: ({ input_tokens }) => input_tokens ?? 0,
    show: ({ input_tokens }) => count(input_tokens),
    isMinor: true,
  },
  REQUESTS,
  {
    title: "Failed",
    sortBy: ({ failed }) => failed ?? 0,
    show: ({ failed }) => count(failed),
  },
];

/** Prompt tokens that would have been sent. */
function promptOf({ input_tokens = 0, tokens_saved }: Row): number {
  return input_tokens + tokens_saved;
}

/** Money, and the requests that are not in it. */
function Dollars(
  { money, of }: { money: Money | undefined; of: "net" | "cost" },
) {
  const value = money?.[of];
  const unpriced = value === null ? 0 : money?.unpriced ?? 0;
  return (
    <>
      <span class={(value ?? 0) < 0 ? "bad" : value === null ? "soft" : ""}>
        {usd(value)}
      </span>
      {unpriced > 0 && (
        <span class="under soft">{count(unpriced)} unpriced</span>
      )}
    </>
  );
}

function rowsOfRun(stats: Stats, by: Dimension): Row[] | undefined {
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

function rowsOfLifetime(body: Lifetime, by: Dimension): Row[] | undefined {
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

function sumRows(
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
