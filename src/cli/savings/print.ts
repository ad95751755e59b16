/** A table of savings as text, JSON and CSV. @module */
import type {
  ConversationSums,
  NamedSums,
  Sums,
} from "../../core/ledger_reader.ts";
import { isMoneyKnown, netOf } from "../../core/sums.ts";
import { type Cells, figure, type Report, tableOf } from "../table.ts";
import {
  countText,
  manyText,
  moneyText,
  nameText,
  ruleText,
  shareText,
} from "../words.ts";
import { percentOf } from "../../core/percent.ts";
import type { GroupingName, SavingsReport } from "./report.ts";

/** Nano-dollars in a dollar. */
const NANO = 1e9;

/**
 * A row for programs, in the words of `/stats-lifetime`: tokens are net, money is US dollars, price-weighted and at the
 * list price of input.
 *
 * @param tokensOnly Whether only `requests` and the tokens saved are known; the rest is `null`, like money of which
 * nothing is known.
 */
function savingsRow(sums: Sums, tokensOnly = false) {
  const saved = netOf(sums);
  const known = <T>(value: T): T | null => tokensOnly ? null : value;
  const money = (nanoUsd: number) =>
    isMoneyKnown(sums) ? known(nanoUsd / NANO) : null;
  return {
    requests: sums.requests,
    failed: known(sums.failed),
    input_tokens: known(sums.input),
    output_tokens: known(sums.output),
    tokens_saved: saved,
    savings_percent: known(percentOf(saved, withSaved(sums))),
    cache_read_tokens: known(sums.cacheRead),
    cache_write_tokens: known(sums.cacheWrite),
    total_cost_usd: money(sums.nanoUsd),
    compression_savings_usd: money(sums.savedNet),
    gross_savings_usd: money(sums.savedGross),
    unpriced_requests: known(sums.unpriced),
  };
}

/** The table; `path` is the ledger, `exists` whether there is one. The last row of the CSV is `total`. */
export function savingsTable(
  report: SavingsReport,
  ledger: { readonly path: string; readonly exists: boolean },
): Report {
  const { by, since, total, tokensOnly, conversations } = report;
  const rows = report.rows.map((row) => ({
    name: row.name,
    ...savingsRow(row, tokensOnly),
  }));
  return {
    text: (width) => savingsText(report, width),
    json: {
      ...ledger,
      by,
      since: since === undefined ? null : new Date(since).toISOString(),
      rows,
      total: savingsRow(total),
      ...conversations && { conversations: conversationsRow(conversations) },
    },
    rows: [...rows, { name: "total", ...savingsRow(total) }],
  };
}

function conversationsRow(sums: ConversationSums) {
  return {
    priced: sums.count,
    dearer: sums.dearer,
    dearer_by_usd: sums.lostNanoUsd / NANO,
    routed_requests: sums.routed,
    routing_savings_usd: sums.routeSavedNanoUsd / NANO,
    auto_cached_requests: sums.cached,
    auto_cache_savings_usd: sums.cacheSavedNanoUsd / NANO,
  };
}

function savingsText(report: SavingsReport, width: number): string {
  const { by, rows, total, tokensOnly, conversations } = report;
  const columns = tokensOnly ? TOKEN_COLUMNS : COLUMNS;
  const name: Cells<LabelledSums> = {
    ...{ heading: by.toUpperCase(), least: 12, good: 16 },
    cell: ([name]) => name,
  };
  const table = tableOf([name, ...columns], [
    ...rows.map((row): LabelledSums => [label(row, by), row]),
    ["total", total],
  ], width);
  return table + (conversations ? conversationsText(conversations) : "");
}

/** What the table does not show; empty where there is nothing to say. */
function conversationsText(sums: ConversationSums): string {
  const { count, dearer, lostNanoUsd } = sums;
  const { routed, routeSavedNanoUsd, cached, cacheSavedNanoUsd } = sums;
  const lines = [
    dearer > 0 &&
    `${countText(dearer)} of ${
      countText(count)
    } conversations cost more than without svc, together ${
      moneyText(lostNanoUsd)
    }.`,
    routed > 0 &&
    `Another model answered ${manyText(routed, "request")}; that ${
      savedText(routeSavedNanoUsd)
    }.`,
    cached > 0 &&
    `svc set the cache breakpoints of ${manyText(cached, "request")}; that ${
      savedText(cacheSavedNanoUsd)
    }.`,
  ].filter((line) => line !== false);
  return lines.length === 0 ? "" : `\n${lines.join("\n")}\n`;
}

function savedText(nanoUsd: number): string {
  const verb = nanoUsd < 0 ? "cost" : "saved";
  return `${verb} ${moneyText(Math.abs(nanoUsd))}`;
}

/** A name for people, and its sums. */
type LabelledSums = readonly [name: string, sums: Sums];

const TOKEN_COLUMNS: readonly Cells<LabelledSums>[] = [
  figure("REQUESTS", ([, { requests }]) => countText(requests)),
  figure("TOKENS SAVED", ([, sums]) => countText(netOf(sums))),
];

/** What is most wanted has the lowest rank: the rest waits for a wider terminal. */
const COLUMNS: readonly Cells<LabelledSums>[] = [
  figure("REQUESTS", ([, { requests }]) => countText(requests), 4),
  figure("TOKENS IN", ([, { input }]) => countText(input), 3),
  figure("SAVED", ([, sums]) => countText(netOf(sums))),
  figure("OF ALL", ([, sums]) => shareText(netOf(sums), withSaved(sums))),
  figure("COST", ([, sums]) => costText(sums), 2),
  figure("SAVED NET", ([, sums]) => moneyOr(sums, sums.savedNet), 1),
  figure("AT LIST PRICE", ([, sums]) => moneyOr(sums, sums.savedGross), 5),
  figure("NO PRICE", ([, { unpriced }]) => countOr(unpriced), 6),
];

/** Tokens of the input as it would have been. */
function withSaved(sums: Sums): number {
  return sums.input + netOf(sums);
}

function countOr(count: number): string {
  return count === 0 ? "-" : countText(count);
}

function label({ name }: NamedSums, by: GroupingName): string {
  if (name === "") return "(unknown)";
  return by === "kind" ? ruleText(name) : nameText(name);
}

/** What is known of the cost; `?` where there is more that nobody knows. */
function costText(sums: Sums): string {
  const known = moneyOr(sums, sums.nanoUsd);
  return sums.unpriced > 0 && isMoneyKnown(sums) ? `${known} + ?` : known;
}

function moneyOr(sums: Sums, money: number): string {
  return isMoneyKnown(sums) ? moneyText(money) : "?";
}
