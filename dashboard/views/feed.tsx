/** The newest requests, and one of them in detail. @module */
import { useEffect, useRef, useState } from "preact/hooks";
import type { FeedAnswer, FeedRow } from "../api.ts";
import {
  count,
  duration,
  NONE,
  percent,
  plural,
  timeOfDay,
  usd,
} from "../format.ts";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
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
    <div class="scroll" tabIndex={0} role="group" aria-label="Newest requests">
      <table class="feed">
        <caption>
          The newest first. A request opens with what was changed in it.
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" class="wide">Model</th>
            <th scope="col" class="wide">Agent, project</th>
            <th scope="col">Result</th>
            <th scope="col" class="num wide">Tokens, sent</th>
            <th scope="col" class="num">Tokens saved</th>
            <th scope="col" class="num wide">Saved, net</th>
            <th scope="col" class="num wide">Added time</th>
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
    </div>
  );
}

function FeedLine({ row, isOpen }: { row: FeedRow; isOpen: boolean }) {
  const href = hrefOf("feed", row.request_id);
  const agent = [row.agent, row.project].filter(Boolean).join(", ");
  return (
    <tr
      data-open={isOpen || undefined}
      onClick={() => location.hash = href}
    >
      <td>
        <a href={href} aria-current={isOpen ? "true" : undefined}>
          {timeOfDay(new Date(row.timestamp))}
        </a>
      </td>
      <td class="who wide">{row.model ?? NONE}</td>
      <td class="who wide">{agent || NONE}</td>
      <td>
        <Outcome row={row} />
      </td>
      <td class="num wide">
        <span class="soft">{count(row.input_tokens_original)} →</span>{" "}
        {count(row.input_tokens_optimized)}
      </td>
      <td class={`num ${row.tokens_saved < 0 ? "bad" : ""}`}>
        {count(row.tokens_saved)}{" "}
        <span class="soft">{percent(row.savings_percent)}</span>
      </td>
      <td class={`num wide ${(row.saved_net_usd ?? 0) < 0 ? "bad" : ""}`}>
        {usd(row.saved_net_usd)}
      </td>
      <td class="num wide">{duration(row.overhead_ms)}</td>
      <td class="who wide">{row.transforms_applied.join(", ") || NONE}</td>
    </tr>
  );
}

/** How a request ended, in a word or two. */
export function Outcome(
  { row }: { readonly row: Pick<FeedRow, "status" | "cached" | "refused_by"> },
) {
  if (row.refused_by !== null) {
    const why = row.refused_by === "budget" ? "budget" : "rate limit";
    return <span class="badge warn">refused: {why}</span>;
  }
  if (row.cached) return <span class="badge">from cache</span>;
  if (row.status === 499) return <span class="badge">client left</span>;
  const kind = row.status >= 500 ? "bad" : row.status >= 400 ? "warn" : "good";
  return <span class={`badge ${kind}`}>{row.status}</span>;
}
