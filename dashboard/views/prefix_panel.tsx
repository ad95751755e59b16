/** Whether what was sent once was sent again unchanged. @module */
import type { Stats } from "../api.ts";
import { count, plural, share } from "../format.ts";
import { Panel } from "../parts/panel.tsx";
import { PartsBar } from "../parts/parts_bar.tsx";
import { hrefOf } from "../route.ts";

/** Draws the proof: how many requests went on from the one before, and who changed the others. */
export function PrefixPanel(
  { proof, lifetimeOurs }: {
    readonly proof: Stats["prefix_stability"];
    /** Prefixes that we changed in all runs; `undefined` when unknown. */
    readonly lifetimeOurs: number | undefined;
  },
) {
  const broken = Math.max(proof.ours, lifetimeOurs ?? 0);
  return (
    <Panel
      title="Prompt prefix"
      place="w4"
      aside={broken === 0
        ? <span class="badge good">0 changed by svc</span>
        : <span class="badge bad">{count(broken)} changed by svc</span>}
    >
      <p>
        <span class="figure">
          {share(proof.equal_bytes, proof.previous_bytes)}
        </span>{" "}
        <span class="soft">
          of the bytes sent before were sent again unchanged
        </span>
      </p>
      <PartsBar
        parts={[
          {
            name: "Extended, nothing else",
            value: proof.extended,
            fill: "accent",
          },
          {
            name: "Changed by the client",
            value: proof.client,
            fill: "second",
          },
          {
            name: "Older results decided",
            value: proof.decided,
            fill: "third",
          },
          { name: "Changed by svc", value: proof.ours, fill: "bad" },
        ]}
      />
      <p class="note">
        {plural(proof.compared, "request")} compared with the one before,{" "}
        {count(proof.first)} first of a conversation.
        {lifetimeOurs !== undefined &&
          ` Changed by svc since the ledger was made: ${count(lifetimeOurs)}.`}
        {" "}
        Cache marks (<code>cache_control</code>) that moved and white space
        between values do not count as changes.
      </p>
      {proof.last_ours && (
        <p class="note bad">
          Last changed by svc in{" "}
          <a href={hrefOf("feed", proof.last_ours.request_id)}>
            request {proof.last_ours.request_id.slice(0, 8)}
          </a>{" "}
          at{" "}
          <code>{proof.last_ours.first_difference}</code>. This must never
          happen: please report it.
        </p>
      )}
    </Panel>
  );
}
