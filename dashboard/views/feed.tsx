/** The newest requests, and one of them in detail. @module */
import { useEffect, useRef, useState } from "preact/hooks";
import type { FeedAnswer, FeedRow } from "../api.ts";
import {
  count,
  duration,
  NONE,
  plural,
  share,
  shortId,
  timeOfDay,
  usd,
  whenShort,
} from "../format.ts";
import { Chevron } from "../parts/chevron.tsx";
import { Choice } from "../parts/choice.tsx";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import { Pages } from "../parts/pages.tsx";
import { Scroller } from "../parts/scroller.tsx";
import { usePolled } from "../poll.ts";
import { zoneName } from "../range.ts";
import { type FeedFilter, hrefOf, queryOf } from "../route.ts";
import { Inspector } from "./inspector.tsx";
import { isBroken, Outcome } from "./outcome.tsx";

/** Milliseconds between two questions. */
const FEED_MS = 2000;
/** Requests of a page. */
const LIMIT = 50;

/** Properties of {@linkcode Feed}. */
export interface FeedProps {
  /** Id of the request that is inspected; empty for none. */
  readonly open: string;
  /** Which requests are listed. */
  readonly filter: FeedFilter;
}

/** Draws the section. */
export function Feed({ open, filter }: FeedProps) {
  const [paused, setPaused] = useState(false);
  const [before, setBefore] = useState<number>();
  const query = [
    queryOf(filter),
    before === undefined ? "" : `before=${before}`,
    `limit=${LIMIT}`,
  ].filter(Boolean).join("&");
  const { data, withheld } = usePolled<FeedAnswer>(
    `/transformations/feed?${query}`,
    FEED_MS,
    { isPaused: paused, isGuarded: true },
  );
  if (withheld) return <OnlyHere what="Single requests are" />;
  const rows = data?.transformations ?? [];
  return (
    <div class="stack">
      {open !== "" && <Inspector key={open} id={open} filter={filter} />}
      <Panel
        title={titleOf(filter)}
        aside={
          <button
            type="button"
            class="button"
            aria-pressed={paused}
            onClick={() => setPaused(!paused)}
          >
            {paused ? "Resume" : "Pause"}
          </button>
        }
      >
        <Filters filter={filter} onChange={() => setBefore(undefined)} />
        {data === undefined ? <Waiting /> : rows.length === 0
          ? (
            <p class="soft">
              {filter.problems
                ? "No request was refused or failed."
                : "No requests yet. They show up here as they finish."}
            </p>
          )
          : <Rows rows={rows} open={open} filter={filter} />}
        <Pages
          isOld={before !== undefined}
          next={rows.length === LIMIT ? rows.at(-1)?.seq : undefined}
          onTurn={setBefore}
        />
        <News rows={rows} paused={paused || before !== undefined} />
      </Panel>
    </div>
  );
}

function titleOf({ conversation, problems }: FeedFilter): string {
  const what = problems ? "Problems" : "Newest requests";
  return conversation === undefined
    ? what
    : `${what} of conversation ${shortId(conversation)}`;
}

/** What is listed. */
function Filters({ filter, onChange }: {
  filter: FeedFilter;
  onChange: () => void;
}) {
  const { conversation, ...others } = filter;
  const go = (filter: FeedFilter) => {
    onChange();
    location.hash = hrefOf("feed", "", filter);
  };
  return (
    <div class="bar">
      <Choice
        label="Which requests"
        options={[["all", "All"], ["problems", "Problems only"]]}
        value={filter.problems ? "problems" : "all"}
        onChange={(value) => go({ ...filter, problems: value === "problems" })}
      />
      {conversation !== undefined && (
        <button
          type="button"
          class="button"
          onClick={() => go(others)}
        >
          Show all conversations
        </button>
      )}
      <span class="soft small">Times in {zoneName(new Date())}</span>
    </div>
  );
}

/** Says to those who do not see the table that something came. */
function News({ rows, paused }: { rows: readonly FeedRow[]; paused: boolean }) {
  const seen = useRef<number | undefined>(undefined);
  const [news, setNews] = useState("");
  const newest = rows[0]?.seq;
  useEffect(() => {
    if (newest === undefined) return;
    const last = seen.current;
    seen.current = newest;
    if (last === undefined) return;
    const fresh = rows.filter(({ seq }) => seq > last);
    if (fresh.length > 0) setNews(`${plural(fresh.length, "new request")}.`);
  }, [newest]);
  return <p class="hidden" role="status">{paused ? "Paused." : news}</p>;
}

interface RowsProps {
  readonly rows: readonly FeedRow[];
  readonly open: string;
  readonly filter: FeedFilter;
}

function Rows({ rows, open, filter }: RowsProps) {
  return (
    <Scroller label="Newest requests">
      <table class="feed">
        <caption>
          The newest first. Click a request to see what was changed in it.
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" class="mid">Model, agent, project</th>
            <th scope="col">Result</th>
            <th scope="col" class="num roomy">Tokens, sent</th>
            <th scope="col" class="num">Tokens saved</th>
            <th scope="col" class="num wide">Saved, net</th>
            <th scope="col" class="num roomy">Added time</th>
            <th scope="col" class="wide">Changed by</th>
            <th class="open">
              <span class="hidden">Opens</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <FeedLine
              key={row.request_id}
              row={row}
              href={hrefOf("feed", row.request_id, filter)}
              isOpen={open !== "" && row.request_id.startsWith(open)}
            />
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function FeedLine(
  { row, href, isOpen }: { row: FeedRow; href: string; isOpen: boolean },
) {
  const at = new Date(row.timestamp);
  return (
    <tr
      class="rowlink"
      data-open={isOpen || undefined}
      data-broken={isBroken(row) || undefined}
      onClick={() => location.hash = href}
    >
      <td>
        <a href={href} aria-current={isOpen ? "true" : undefined}>
          {isToday(at) ? timeOfDay(at) : whenShort(at)}
        </a>
        <div class="narrow who">
          <Who row={row} />
        </div>
      </td>
      <td class="who mid">
        <Who row={row} />
      </td>
      <td class="outcome">
        <Outcome row={row} />
      </td>
      {isPassedOn(row) ? <PassedOn row={row} /> : <Savings row={row} />}
      <td class="open">
        <Chevron />
      </td>
    </tr>
  );
}

function isToday(at: Date): boolean {
  return at.toDateString() === new Date().toDateString();
}

function Who({ row }: { row: FeedRow }) {
  const { agent, project, model } = row;
  const names = [agent, isPassedOn(row) ? "" : project].filter(Boolean);
  return (
    <>
      {isPassedOn(row)
        ? <span class="soft">passed through</span>
        : model ?? NONE}
      <span class="under soft">{names.join(" · ")}</span>
    </>
  );
}

/** Of a request that is only passed on there is nothing to tell but its time. */
function PassedOn({ row }: { row: FeedRow }) {
  return (
    <>
      <td class="roomy" />
      <td class="num soft">{NONE}</td>
      <td class="wide" />
      <td class="num roomy">{duration(row.overhead_ms)}</td>
      <td class="wide" />
    </>
  );
}

function Savings({ row }: { row: FeedRow }) {
  const net = moneyIn(row, row.saved_net_usd);
  const rules = row.transforms_applied.map((id, i) =>
    row.transform_labels?.[i] ?? id
  );
  return (
    <>
      <td class="num roomy">
        <span class="soft">{count(row.input_tokens_original)} →</span>{" "}
        {count(row.input_tokens_optimized)}
      </td>
      <td class={`num ${row.tokens_saved < 0 ? "bad" : ""}`}>
        {count(row.tokens_saved)}
        <span class="under soft">
          {share(row.tokens_saved, row.input_tokens_original)}
        </span>
      </td>
      <td class={`num wide ${(net ?? 0) < 0 ? "bad" : ""}`}>
        {net === null ? <span class="soft">{usd(net)}</span> : usd(net)}
      </td>
      <td class="num roomy">{duration(row.overhead_ms)}</td>
      <td class="rules wide">{rules.join(", ") || NONE}</td>
    </>
  );
}

/** Whether it went through without a look at its body. */
function isPassedOn({ provider }: FeedRow): boolean {
  return provider === "passthrough";
}

/** Money of one request: none of one that reached no model, unknown without a price. */
export function moneyIn(
  { cost_basis }: Pick<FeedRow, "cost_basis">,
  value: number | null,
): number | null | undefined {
  return cost_basis === null ? undefined : value;
}
