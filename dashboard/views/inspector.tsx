/** One request: what it was, and what became of each tool result that it brought. @module */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { InspectedBlock, InspectedRequest } from "../api.ts";
import { reasonText } from "../../src/cli/reasons.ts";
import {
  bytes,
  count,
  dayAndTime,
  duration,
  NONE,
  percent,
  plural,
  usd,
} from "../format.ts";
import { DiffView } from "../parts/diff_view.tsx";
import { Panel, Waiting } from "../parts/panel.tsx";
import { hrefOf } from "../route.ts";
import { Outcome } from "./feed.tsx";

type Loaded = InspectedRequest | "missing" | "failed" | undefined;

/** Draws the request with this id. */
export function Inspector({ id }: { readonly id: string }) {
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
        title={`Request ${id.slice(0, 8)}`}
        aside={<a href={hrefOf("feed")}>Close</a>}
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

const VERDICTS = {
  first: "first of its conversation",
  extended: "all of the request before was sent again unchanged, and added to",
  client: "the client changed something of the request before itself",
  decided: "older tool results were made smaller on purpose",
  ours: "svc changed something though the client did not: must never happen",
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
      "Tokens",
      `${count(request.tokens_before)} received, ${
        count(request.tokens_after)
      } sent: ${count(request.tokens_saved)} saved (${
        percent(request.savings_percent)
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
        : `cost ${usd(request.cost_usd)} (${request.cost_basis}); saved ${
          usd(request.saved_net_usd)
        } net, ${usd(request.saved_gross_usd)} at list price`,
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
                at <code>{difference}</code>
              </>
            )}
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

function Blocks({ blocks }: { blocks: readonly InspectedBlock[] }) {
  return (
    <>
      <h3 class="blocks-title">
        {blocks.length === 0
          ? "It brought no new tool results"
          : plural(blocks.length, "new tool result")}
      </h3>
      {blocks.map((block) => <Block key={block.number} block={block} />)}
    </>
  );
}

const OUTCOMES = {
  elided: ["good", "parts left out"],
  reformatted: ["good", "written shorter"],
  alone: ["", "left alone"],
} as const;

function Block({ block }: { block: InspectedBlock }) {
  const [tone, outcome] = OUTCOMES[block.outcome];
  const [isOpen, setOpen] = useState(block.outcome !== "alone");
  return (
    <article class="block" aria-label={`Tool result ${block.number}`}>
      <header>
        <h4>{block.tool_name ?? "unknown tool"}</h4>
        <span class={`badge ${tone}`}>{outcome}</span>
        <span class="soft">
          {[block.kind, `message ${block.message_index}`, bytes(block.bytes)]
            .filter(Boolean).join(" · ")}
        </span>
        <span class="aside">
          {block.tokens_before === null
            ? <span class="soft">tokens not counted</span>
            : (
              <>
                {count(block.tokens_before)} →{" "}
                <b>{count(block.tokens_after)}</b> tokens
              </>
            )}
        </span>
      </header>
      <p>
        {block.reason !== null ? `Left alone: ${reasonText(block.reason)}.` : (
          <>
            Rule <code>{block.strategy}</code>
            {block.outcome === "reformatted"
              ? ": nothing was left out; the form can be turned back."
              : (
                <>
                  : the original can be asked for by{" "}
                  <code class="wrap-anywhere">{block.hash}</code>.
                </>
              )}
          </>
        )}
      </p>
      {block.form !== null && (
        <button
          type="button"
          class="button plain"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide texts" : "Show texts"}
        </button>
      )}
      {isOpen && <Texts block={block} />}
    </article>
  );
}

function Texts({ block }: { block: InspectedBlock }) {
  const { form, original } = block;
  if (form === null) {
    return block.outcome === "alone"
      ? null
      : <p class="note">What was sent is not kept any more.</p>;
  }
  const cut = block.form_cut + block.original_cut;
  return (
    <>
      {original === null
        ? (
          <>
            <p class="note">{MISSING[block.original_status]} What was sent:</p>
            <pre
              class="diff"
              tabIndex={0}
              role="group"
              aria-label="What was sent"
            >
              {form}
            </pre>
          </>
        )
        : <DiffView original={original} form={form} />}
      {cut > 0 && (
        <p class="note">
          Long texts: {count(cut)} characters at their ends are not shown.
        </p>
      )}
    </>
  );
}

const MISSING = {
  kept: "The original is not shown.",
  expired: "The original was kept for its time and is gone.",
  missing: "The original is not in the store any more.",
  never_kept: "The original was not stored: nothing is left out of it.",
} as const;
