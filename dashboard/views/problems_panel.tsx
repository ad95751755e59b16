/** The newest requests that were refused, failed, or were sent without a step that failed. @module */
import type { FeedAnswer, FeedRow } from "../api.ts";
import { dayAndTime } from "../format.ts";
import { Chevron } from "../parts/chevron.tsx";
import { Panel } from "../parts/panel.tsx";
import { usePolled } from "../poll.ts";
import { KEPT_MS } from "../range_poll.ts";
import { hrefOf } from "../route.ts";
import { Outcome } from "./outcome.tsx";

/** Rows of the panel. */
const ROWS = 5;

/** Draws the panel; nothing where there is no problem, or none that this reader may see. */
export function ProblemsPanel() {
  const { data } = usePolled<FeedAnswer>(
    `/transformations/feed?problems=1&limit=${ROWS}`,
    KEPT_MS,
    { isGuarded: true },
  );
  const rows = data?.transformations ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel
      title="Newest problems"
      aside={<a href={hrefOf("feed", "", { problems: true })}>All of them</a>}
    >
      <ul class="problems">
        {rows.map((row) => <Problem key={row.request_id} row={row} />)}
      </ul>
    </Panel>
  );
}

function Problem({ row }: { readonly row: FeedRow }) {
  const href = hrefOf("feed", row.request_id, { problems: true });
  const { agent, model, provider } = row;
  return (
    <li class="rowlink" onClick={() => location.hash = href}>
      <a href={href}>{dayAndTime(new Date(row.timestamp))}</a>
      <div>
        <Outcome row={row} />
      </div>
      <span class="who">
        {provider === "passthrough" ? "passed through" : model}
        <span class="under soft">{agent}</span>
      </span>
      <Chevron />
    </li>
  );
}
