/** The tool results of one request, and what became of each. @module */
import { useState } from "preact/hooks";
import { reasonText } from "../../src/cli/words.ts";
import type { InspectedBlock } from "../api.ts";
import { bytes, count, plural } from "../format.ts";
import { DiffView } from "../parts/diff_view.tsx";

/** Draws them in the order of the request. */
export function Blocks(
  { blocks }: { readonly blocks: readonly InspectedBlock[] },
) {
  const known = blocks.filter(({ is_known }) => is_known).length;
  return (
    <>
      <h3 class="blocks-title">
        {blocks.length === 0
          ? "It brought no tool results"
          : plural(blocks.length, "tool result")}
        {known > 0 && (
          <span class="soft">, {count(known)} as in an earlier request</span>
        )}
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
          {[
            block.is_known && "as in an earlier request",
            block.kind,
            `message ${block.message_index}`,
            bytes(block.bytes),
          ]
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
            Rule {block.strategy_label ?? <code>{block.strategy}</code>}
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
