/** What was saved in a while: tokens and money, each with what it is a part of. @module */
import { compact, count, plural, share, shareUsd, usd } from "../format.ts";
import { Panel, Waiting } from "../parts/panel.tsx";
import type { Scope } from "../scope.ts";

/** Properties of {@linkcode ScopePanel}. */
export interface ScopePanelProps {
  /** The while. */
  readonly title: string;
  /** When it began. */
  readonly aside: string;
  /** Its figures; `undefined` before they come. */
  readonly scope: Scope | undefined;
}

/** Draws one of the three panels on top. */
export function ScopePanel({ title, aside, scope }: ScopePanelProps) {
  return (
    <Panel title={title} aside={aside} place="w4 scope">
      {scope === undefined ? <Waiting /> : <Figures scope={scope} />}
    </Panel>
  );
}

function Figures({ scope }: { readonly scope: Scope }) {
  return (
    <>
      <div class="lead">
        <div>
          <p class="label">Tokens saved</p>
          <p class={`figure ${scope.saved < 0 ? "bad" : ""}`}>
            {count(scope.saved)}
          </p>
          <p class="sub">
            {scope.before === 0
              ? "no prompt went through yet"
              : `${share(scope.saved, scope.before)} of ${
                compact(scope.before)
              } that would have been sent`}
          </p>
        </div>
        <div>
          <p class="label">Money saved, net</p>
          <p class={`figure ${(scope.net ?? 0) < 0 ? "bad" : ""}`}>
            {usd(scope.net)}
          </p>
          <p class="sub">{ofMoney(scope)}</p>
        </div>
      </div>
      <dl class="facts ruled">
        <dt>Cost with svc</dt>
        <dd>{usd(scope.cost)}</dd>
        <dt>Cost without</dt>
        <dd>{usd(scope.without)}</dd>
        <dt>Saved at list price (gross)</dt>
        <dd>{usd(scope.gross)}</dd>
        <dt>Requests</dt>
        <dd>{count(scope.requests)}</dd>
        <dt>Failed (5xx)</dt>
        <dd class={scope.failed > 0 ? "bad" : ""}>{count(scope.failed)}</dd>
      </dl>
      {scope.unpriced > 0 && (
        <p class="note">
          {plural(scope.unpriced, "request")}{" "}
          without a known price: in no sum of money.
        </p>
      )}
    </>
  );
}

/** What the money saved is a part of. */
function ofMoney({ net, without }: Scope): string {
  if (net === null) return "no request had a known price";
  if (net < 0) return "svc made it dearer";
  return without === 0
    ? "nothing was spent yet"
    : `${shareUsd(net, without)} of ${usd(without)} that it would have cost`;
}
