/** What was saved in a while: tokens and money, each with what it is a part of. @module */
import { compact, count, plural, share, shareUsd, usd } from "../format.ts";
import { Panel, Waiting } from "../parts/panel.tsx";
import type { NamedScope, Scope } from "../scope.ts";

/** Draws the panels on top, side by side. */
export function ScopePanels(
  { scopes }: { readonly scopes: readonly NamedScope[] },
) {
  const place = ["", "whole scope", "w6 scope", "w4 scope"][scopes.length];
  return (
    <>
      {scopes.map(({ title, aside, scope }) => (
        <Panel key={title} title={title} aside={aside} place={place ?? ""}>
          {scope === undefined ? <Waiting /> : <Figures scope={scope} />}
        </Panel>
      ))}
    </>
  );
}

function Figures({ scope }: { readonly scope: Scope }) {
  return (
    <div class="figures">
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
        {scope.unpriced > 0 && (
          <p class="note">
            {plural(scope.unpriced, "request")}{" "}
            without a known price: in no sum of money.
          </p>
        )}
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
        {scope.refused !== undefined && (
          <>
            <dt>Refused (4xx)</dt>
            <dd class={scope.refused > 0 ? "warn" : ""}>
              {count(scope.refused)}
            </dd>
          </>
        )}
        <dt>Failed (5xx)</dt>
        <dd class={scope.failed > 0 ? "bad" : ""}>{count(scope.failed)}</dd>
      </dl>
    </div>
  );
}

/** What the money saved is a part of. */
function ofMoney({ net, without }: Scope): string {
  if (net === null) return "no request had a known price";
  if (net < 0) return "svc made it more expensive";
  return without === 0
    ? "nothing was spent yet"
    : `${shareUsd(net, without)} of ${usd(without)} that it would have cost`;
}
