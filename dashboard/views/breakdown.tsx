/** Where savings come from: by kind, tool, model, stack, project, agent. @module */
import { useState } from "preact/hooks";
import { reasonText } from "../../src/cli/words.ts";
import type { Lifetime, Stats } from "../api.ts";
import { count, inSentence, share, usd } from "../format.ts";
import { Choice } from "../parts/choice.tsx";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import { RangeBar, type RangeState } from "../parts/range_bar.tsx";
import { type Column, SortedTable } from "../parts/sorted_table.tsx";
import { type Polled, usePolled } from "../poll.ts";
import { KEPT_MS, useNames } from "../range_poll.ts";
import type { Money } from "../scope.ts";
import {
  type Dimension,
  DIMENSIONS,
  type Row,
  rowsOfLifetime,
  rowsOfRun,
  sumRows,
} from "../breakdown_rows.ts";
import { LIFETIME_PATH } from "./overview.tsx";

const WHILES = [
  ["run", "This run"],
  ["range", "Days"],
  ["lifetime", "Lifetime"],
] as const;

type While = typeof WHILES[number][0];

/** What has no name is in a row of its own. */
const NAMELESS = "unknown";

/** Properties of {@linkcode Breakdown}. */
export interface BreakdownProps {
  /** Figures of this run. */
  readonly stats: Polled<Stats>;
  /** The days that are shown. */
  readonly days: RangeState;
}

/** Draws the section. */
export function Breakdown({ stats, days }: BreakdownProps) {
  const [by, setBy] = useState<Dimension>("kind");
  const [over, setOver] = useState<While>("run");
  const lifetime = usePolled<Lifetime>(LIFETIME_PATH, KEPT_MS);
  const named = useNames(days.range, by);
  const tables: Readonly<Record<While, Found>> = {
    run: {
      isThere: stats.data !== undefined,
      rows: stats.data && rowsOfRun(stats.data, by),
      when: "since the proxy started",
    },
    range: {
      isThere: named.isThere,
      rows: sumRows(named.table),
      when: `${inSentence(days.range.name)}; days in UTC`,
    },
    lifetime: {
      isThere: lifetime.data !== undefined,
      rows: lifetime.data && rowsOfLifetime(lifetime.data, by),
      when: "all runs in this workspace",
    },
  };
  const { isThere, rows, when } = tables[over];
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
      {over === "range" && (
        <div class="bar">
          <RangeBar {...days} />
        </div>
      )}
      <Panel
        title={`By ${DIMENSIONS[by].toLowerCase()}`}
        aside={when}
      >
        {!isThere ? <Waiting /> : (
          <Rows
            // Another table starts with its own order.
            key={`${by} ${over}`}
            by={by}
            rows={rows}
          />
        )}
      </Panel>
      {by === "kind" && over === "run" && stats.data && (
        <LeftAlone table={stats.data.left_alone_by_reason} />
      )}
    </>
  );
}

/** A table, as far as it is known. */
interface Found {
  /** Whether the answer came. */
  readonly isThere: boolean;
  /** `undefined` for what is not for this reader. */
  readonly rows: Row[] | undefined;
  /** Of which time. */
  readonly when: string;
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
          A form counts each time it is sent. (tool definitions) are those that
          were not in the prompt. (added) is what svc's own tools and their
          answers cost: the rows sum up to the net tokens saved.
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
