/** One request: what it was, and what became of each tool result that it brought. @module */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { InspectedRequest } from "../api.ts";
import {
  bytes,
  count,
  dayAndTime,
  duration,
  NONE,
  share,
  shortId,
  usd,
} from "../format.ts";
import { Panel, Waiting } from "../parts/panel.tsx";
import { type FeedFilter, hrefOf } from "../route.ts";
import { Blocks } from "./blocks.tsx";
import { moneyIn } from "./feed.tsx";
import { Outcome } from "./outcome.tsx";

type Loaded = InspectedRequest | "missing" | "failed" | undefined;

/** Properties of {@linkcode Inspector}. */
export interface InspectorProps {
  /** Of the request, or its start. */
  readonly id: string;
  /** Which requests are listed below it. */
  readonly filter: FeedFilter;
}

/** Draws one request. */
export function Inspector({ id, filter }: InspectorProps) {
  const request = useRequest(id);
  const ref = useRef<HTMLDivElement>(null);
  const isThere = request !== undefined;
  // Who opened it wants to read it.
  useEffect(() => {
    if (isThere) ref.current?.querySelector("a")?.focus();
  }, [isThere]);
  return (
    <div ref={ref} class="inspecting">
      <Panel
        title={`Request ${shortId(id)}`}
        aside={<a href={hrefOf("feed", "", filter)}>Close</a>}
      >
        {request === undefined
          ? <Waiting />
          : typeof request === "string"
          ? (
            <p class="soft">
              {request === "missing"
                ? "This request is not kept any more, or the feed is only shown on the machine of the proxy."
                : "The proxy did not answer. Open the request again to try once more."}
            </p>
          )
          : (
            <>
              <Broken prefix={request.prefix} />
              <Facts request={request} />
              <Blocks blocks={request.blocks} />
            </>
          )}
      </Panel>
    </div>
  );
}

function useRequest(id: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    const ended = new AbortController();
    fetch(`/transformations/${encodeURIComponent(id)}`, {
      signal: ended.signal,
    }).then(async (response) => {
      if (response.status === 404) return "missing";
      if (!response.ok) return "failed";
      const body: InspectedRequest = await response.json();
      return body;
    }).catch(() => "failed" as const).then((result) => {
      if (!ended.signal.aborted) setLoaded(result);
    });
    return () => ended.abort();
  }, [id]);
  return loaded;
}

/** What must never happen is said before anything else. */
function Broken({ prefix }: Pick<InspectedRequest, "prefix">) {
  if (prefix?.verdict !== "ours") return null;
  return (
    <div class="notice bad alarm banner" role="alert">
      <h3>svc changed the prefix of this request</h3>
      <p>
        It sent something else for what it had sent before
        {prefix.first_difference && (
          <>
            , at <code>{prefix.first_difference}</code>
          </>
        )}, though the client did not change it: the provider's cache cannot be
        read behind that place. This must never happen: please report it.
      </p>
    </div>
  );
}

const VERDICTS = {
  first: "first of its conversation",
  extended: "all of the request before was sent again unchanged, and added to",
  client: "the client changed something of the request before itself",
  decided: "older tool results were made smaller on purpose",
  ours: "svc changed something though the client did not",
} as const;

function Facts({ request }: { request: InspectedRequest }) {
  const { usage, prefix } = request;
  const difference = prefix?.first_difference;
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ["Came", dayAndTime(new Date(request.timestamp))],
    ["Result", <Outcome key="result" row={request} />],
    [
      "From, to",
      [
        request.agent,
        request.project,
        request.stack,
        request.model,
        request.upstream,
      ]
        .filter(Boolean).join(" · ") || NONE,
    ],
    [
      "Conversation",
      request.conversation === null ? NONE : (
        <a
          key="conversation"
          class="mono"
          href={hrefOf("feed", "", { conversation: request.conversation })}
        >
          {shortId(request.conversation)}
        </a>
      ),
    ],
    [
      "Tokens",
      `${count(request.tokens_before)} received, ${
        count(request.tokens_after)
      } sent: ${count(request.tokens_saved)} saved (${
        share(request.tokens_saved, request.tokens_before)
      })`,
    ],
    [
      "Billed",
      `${count(usage.input)} prompt, ${
        count(usage.cache_read)
      } read from cache, ${count(usage.cache_write)} written, ${
        count(usage.output)
      } generated`,
    ],
    [
      "Money",
      request.cost_basis === null
        ? "reached no model"
        : request.cost_usd === null
        ? "cost and saving unknown: no known price for its model"
        : `cost ${usd(request.cost_usd)} (${request.cost_basis}); saved ${
          usd(moneyIn(request, request.saved_net_usd))
        } net, ${usd(moneyIn(request, request.saved_gross_usd))} at list price`,
    ],
    [
      "Time",
      `${duration(request.latency_ms)} in all, first byte after ${
        duration(request.ttfb_ms)
      }, ${duration(request.overhead_ms)} added by svc`,
    ],
    [
      "Prefix",
      prefix === null
        ? NONE
        : (
          <span key="prefix" class={prefix.verdict === "ours" ? "bad" : ""}>
            {VERDICTS[prefix.verdict]}
            {prefix.verdict !== "first" &&
              ` (${bytes(prefix.equal_bytes)} of ${
                bytes(prefix.previous_bytes)
              } equal)`}
            {difference && (
              <>
                {" "}
                at <code>{difference}</code>
              </>
            )}
            <span class="under soft">
              Cache marks (cache_control) and white space do not count.
            </span>
          </span>
        ),
    ],
  ];
  return (
    <dl class="facts text">
      {rows.flatMap(([name, value]) => [
        <dt key={`${name} name`}>{name}</dt>,
        <dd key={`${name} value`}>{value}</dd>,
      ])}
    </dl>
  );
}
