/** Where savings come from: by kind, tool, model, stack, project, agent. @module */
import { useState } from "preact/hooks";
import { reasonText } from "../../src/cli/reasons.ts";
import type { Lifetime, Stats, SumsReport } from "../api.ts";
import { count, percent, usd } from "../format.ts";
import { Choice } from "../parts/choice.tsx";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import { type Column, SortedTable } from "../parts/sorted_table.tsx";
import { type Polled, usePolled } from "../poll.ts";
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

/** A row of any of the tables. Those by kind and by tool have tokens only. */
interface Row extends Partial<SumsReport> {
  readonly name: string;
  readonly tokens_saved: number;
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
            show: ({ name }) => name || "unknown",
          },
          ...columns,
        ]}
        rows={rows}
        start={1}
        bar={({ tokens_saved }) => tokens_saved}
      />
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
    sortBy: ({ savings_percent }) => savings_percent ?? 0,
    show: ({ savings_percent }) => percent(savings_percent),
  },
  {
    title: "Saved, net",
    sortBy: ({ compression_savings_usd }) => compression_savings_usd ?? 0,
    show: ({ compression_savings_usd }) => usd(compression_savings_usd),
  },
  {
    title: "Cost",
    sortBy: ({ total_cost_usd }) => total_cost_usd ?? 0,
    show: ({ total_cost_usd }) => usd(total_cost_usd),
  },
  {
    title: "Prompt tokens",
    sortBy: ({ input_tokens }) => input_tokens ?? 0,
    show: ({ input_tokens }) => count(input_tokens),
  },
  REQUESTS,
  {
    title: "Failed",
    sortBy: ({ failed }) => failed ?? 0,
    show: ({ failed }) => count(failed),
  },
];

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

function sumRows(
  table: Readonly<Record<string, Omit<Row, "name">>> | undefined,
): Row[] | undefined {
  return table &&
    Object.entries(table).map(([name, sums]) => ({ ...sums, name }));
}
