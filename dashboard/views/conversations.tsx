/** What was sent and saved per conversation. @module */
import { useState } from "preact/hooks";
import type { ConversationReport, ConversationsBody } from "../api.ts";
import {
  count,
  inSentence,
  NONE,
  plural,
  share,
  shortId,
  usd,
  whenShort,
} from "../format.ts";
import { Chevron } from "../parts/chevron.tsx";
import { OnlyHere, Panel, Waiting } from "../parts/panel.tsx";
import { Pages } from "../parts/pages.tsx";
import { RangeBar, type RangeState } from "../parts/range_bar.tsx";
import { Scroller } from "../parts/scroller.tsx";
import { usePolled } from "../poll.ts";
import { KEPT_MS } from "../range_poll.ts";
import { hrefOf } from "../route.ts";
import { moneyOfSums } from "../scope.ts";

/** Draws the section. */
export function Conversations({ days }: { readonly days: RangeState }) {
  const { range } = days;
  // Of another range the first page comes first.
  const [page, setPage] = useState({ range: range.from, after: "" });
  const after = page.range === range.from ? page.after : "";
  const path = `/stats-conversations?from=${range.from}&until=${range.until}`;
  const { data, withheld } = usePolled<ConversationsBody>(
    after === "" ? path : `${path}&after=${encodeURIComponent(after)}`,
    KEPT_MS,
    { isGuarded: true },
  );
  if (withheld) return <OnlyHere what="Conversations are" />;
  return (
    <>
      <div class="bar">
        <RangeBar {...days} />
      </div>
      <Panel
        title="Conversations"
        aside={`last active: ${inSentence(range.name)}`}
      >
        {data === undefined
          ? <Waiting />
          : data.conversations.length === 0
          ? (
            <p class="soft">
              No conversation had a request in this time. They are kept as long
              as their requests: 30 days.
            </p>
          )
          : <Rows rows={data.conversations} />}
        <Pages
          isOld={after !== ""}
          next={data?.next ?? undefined}
          onTurn={(after = "") => setPage({ range: range.from, after })}
        />
      </Panel>
    </>
  );
}

function Rows({ rows }: { rows: readonly ConversationReport[] }) {
  return (
    <Scroller label="Conversations">
      <table class="feed">
        <caption>
          The one with the newest request first, each with all its requests.
          Click one to see them.
        </caption>
        <thead>
          <tr>
            <th scope="col">Last activity</th>
            <th scope="col" class="mid">Model, agent, project</th>
            <th scope="col" class="num mid">Requests</th>
            <th scope="col" class="num roomy">Tokens sent</th>
            <th scope="col" class="num">Tokens saved</th>
            <th scope="col" class="num">Cost</th>
            <th scope="col" class="num wide">Saved, net</th>
            <th scope="col" class="mid">Prefix</th>
            <th scope="col" class="num roomy">Retrievals</th>
            <th class="open">
              <span class="hidden">Opens</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => <Line key={row.conversation} row={row} />)}
        </tbody>
      </table>
    </Scroller>
  );
}

function Line({ row }: { row: ConversationReport }) {
  const { conversation } = row;
  const href = hrefOf("feed", "", { conversation });
  const { cost, net } = moneyOfSums(row);
  return (
    <tr
      class="rowlink"
      data-broken={row.prefix.ours > 0 || undefined}
      onClick={() => location.hash = href}
    >
      <td>
        <a href={href}>{whenShort(new Date(row.last_at))}</a>
        <span class="under soft mono">{shortId(conversation)}</span>
        <div class="narrow who">
          <Who row={row} />
          <span class="under">
            <Requests row={row} />
          </span>
          <span class="under">
            <Prefix row={row} />
          </span>
        </div>
      </td>
      <td class="who mid">
        <Who row={row} />
      </td>
      <td class="num mid">
        <Requests row={row} />
      </td>
      <td class="num roomy">{count(row.input_tokens)}</td>
      <td class={`num ${row.tokens_saved < 0 ? "bad" : ""}`}>
        {count(row.tokens_saved)}
        <span class="under soft">
          {share(row.tokens_saved, row.input_tokens + row.tokens_saved)}
        </span>
      </td>
      <td class="num">
        {cost === null ? <span class="soft">{usd(cost)}</span> : usd(cost)}
        {cost !== null && row.unpriced_requests > 0 && (
          <span class="under soft">
            {count(row.unpriced_requests)} unpriced
          </span>
        )}
      </td>
      <td class={`num wide ${(net ?? 0) < 0 ? "bad" : ""}`}>
        {net === null ? <span class="soft">{usd(net)}</span> : usd(net)}
      </td>
      <td class="prefix mid">
        <Prefix row={row} />
      </td>
      <td class="num roomy">{count(row.retrievals)}</td>
      <td class="open">
        <Chevron />
      </td>
    </tr>
  );
}

function Who({ row: { model, agent, project } }: { row: ConversationReport }) {
  return (
    <>
      {model ?? NONE}
      <span class="under soft">
        {[agent, project].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}

function Requests(
  { row: { requests, failed, refused } }: { row: ConversationReport },
) {
  const problems = failed + refused;
  return (
    <>
      {plural(requests, "request")}
      {problems > 0 && (
        <span class={`under ${failed > 0 ? "bad" : "warn"}`}>
          {plural(problems, "problem")}
        </span>
      )}
    </>
  );
}

function Prefix({ row: { prefix } }: { row: ConversationReport }) {
  const { extended, client, decided, ours } = prefix;
  if (ours > 0) {
    return <span class="badge alarm">{count(ours)} changed by svc</span>;
  }
  if (extended + client + decided === 0) {
    return <span class="soft">nothing to compare</span>;
  }
  return (
    <>
      <span class="badge good">held by svc</span>
      {client > 0 && (
        <span class="under soft">
          changed by the client {plural(client, "time")}
        </span>
      )}
      {decided > 0 && (
        <span class="under soft">
          older results shortened {plural(decided, "time")}
        </span>
      )}
    </>
  );
}
