/** The newest requests, and one of them in detail. @module */
import { useEffect, useRef, useState } from "preact/hooks";
import type { FeedAnswer, FeedRow } from "../api.ts";
import {
  count,
  duration,
  NONE,
  plural,
  share,
  timeOfDay,
  usd,
} from "../format.ts";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import { Scroller } from "../parts/scroller.tsx";
import { usePolled } from "../poll.ts";
import { hrefOf } from "../route.ts";
import { Inspector } from "./inspector.tsx";

/** Milliseconds between two questions. */
const FEED_MS = 2000;
const FEED_PATH = "/transformations/feed?limit=50";

/** Draws the section. @param open Id of the request that is inspected; empty for none. */
export function Feed({ open }: { readonly open: string }) {
  const [paused, setPaused] = useState(false);
  const { data, withheld } = usePolled<FeedAnswer>(FEED_PATH, FEED_MS, {
    isPaused: paused,
    isGuarded: true,
  });
  if (withheld) return <OnlyHere what="Single requests are" />;
  return (
    <div class="stack">
      {open !== "" && <Inspector key={open} id={open} />}
      <Panel
        title="Newest requests"
        aside={
          <button
            type="button"
            class="button"
            aria-pressed={paused}
            onClick={() => setPaused(!paused)}
          >
            {paused ? "Go on" : "Pause"}
          </button>
        }
      >
        {data === undefined
          ? <Waiting />
          : data.transformations.length === 0
          ? (
            <p class="soft">
              No requests yet. They show up here as they finish.
            </p>
          )
          : <Rows rows={data.transformations} open={open} />}
        <News rows={data?.transformations ?? []} paused={paused} />
      </Panel>
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

function Rows({ rows, open }: { rows: readonly FeedRow[]; open: string }) {
  return (
    <Scroller label="Newest requests">
      <table class="feed">
        <caption>
          The newest first. A request opens with what was changed in it.
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" class="wide">Model, agent, project</th>
            <th scope="col">Result</th>
            <th scope="col" class="num roomy">Tokens, sent</th>
            <th scope="col" class="num">Tokens saved</th>
            <th scope="col" class="num wide">Saved, net</th>
            <th scope="col" class="num roomy">Added time</th>
            <th scope="col" class="wide">Changed by</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <FeedLine
              key={row.request_id}
              row={row}
              isOpen={open !== "" && row.request_id.startsWith(open)}
            />
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

function FeedLine({ row, isOpen }: { row: FeedRow; isOpen: boolean }) {
  const href = hrefOf("feed", row.request_id);
  return (
    <tr
      data-open={isOpen || undefined}
      data-broken={isBroken(row) || undefined}
      onClick={() => location.hash = href}
    >
      <td>
        <a href={href} aria-current={isOpen ? "true" : undefined}>
          {timeOfDay(new Date(row.timestamp))}
        </a>
      </td>
      <td class="who wide">
        <Who row={row} />
      </td>
      <td>
        <Outcome row={row} />
      </td>
      {isPassedOn(row) ? <PassedOn row={row} /> : <Savings row={row} />}
    </tr>
  );
}

function Who({ row }: { row: FeedRow }) {
  const { agent, project, model } = row;
  if (isPassedOn(row)) {
    return <span class="soft">passed through</span>;
  }
  return (
    <>
      {model ?? NONE}
      <span class="under soft">
        {[agent, project].filter(Boolean).join(" · ")}
      </span>
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
      <td class="rules wide">{row.transforms_applied.join(", ") || NONE}</td>
    </>
  );
}

/** Whether it went through without a look at its body. */
function isPassedOn({ provider }: FeedRow): boolean {
  return provider === "passthrough";
}

function isBroken({ prefix }: Pick<FeedRow, "prefix">): boolean {
  return prefix?.verdict === "ours";
}

/** Money of one request: none of one that reached no model, unknown without a price. */
export function moneyIn(
  { cost_basis }: Pick<FeedRow, "cost_basis">,
  value: number | null,
): number | null | undefined {
  return cost_basis === null ? undefined : value;
}

/** Properties of {@linkcode Outcome}. */
export interface OutcomeProps {
  /** The request. */
  readonly row: Pick<
    FeedRow,
    "status" | "cached" | "refused_by" | "prefix" | "ttfb_ms"
  >;
}

/** How a request ended, in a few words; and in red when svc changed the prefix, which must never happen. */
export function Outcome({ row }: OutcomeProps) {
  const [tone, text, more] = outcomeOf(row);
  return (
    <>
      <span class={`badge ${tone}`}>{text}</span>
      {more && <span class="under soft">{more}</span>}
      {isBroken(row) && (
        <span class="under">
          <span class="badge alarm">prefix changed by svc</span>
        </span>
      )}
    </>
  );
}

/** Colour, text, and what else is known. Only 5xx counts as failed, here as in the figures. */
function outcomeOf(
  { status, cached, refused_by, ttfb_ms }: OutcomeProps["row"],
): readonly [tone: string, text: string, more?: string] {
  if (refused_by !== null) {
    const why = refused_by === "budget" ? "budget used up" : "rate limit";
    return ["warn", "refused by svc", why];
  }
  if (cached) return ["", "from cache"];
  if (status === 499) return ["", "client left"];
  // What never had a first byte was answered here.
  const by = ttfb_ms === null ? "before it was sent" : "upstream";
  if (status >= 500) return ["bad", `failed (${status})`];
  if (status >= 400) return ["warn", `refused (${status})`, by];
  return ["good", String(status)];
}
