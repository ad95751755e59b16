/** One item through the router, and what of it is still there. @module */
import { ccrKey } from "../../src/ccr/key.ts";
import type { BlockJob, Decision } from "../../src/core/decision.ts";
import type { OpenRouter } from "../../src/compute/open_router.ts";
import { toolPolicy } from "../../src/pipeline/tool_policy.ts";
import {
  type Fact,
  type Item,
  type LoadedItem,
  partsOf,
  sizeClass,
} from "./corpus.ts";

/** Decides how tokens are counted. */
const MODEL = "gpt-5";
/** Shorter literals never reach the router; bytes, quotes included. */
const MIN_LITERAL_BYTES = 256;
/** Longest user text or arguments that go into the query whole, in UTF-16 units. */
const MAX_QUERY_CHARS = 4000;

/** Where a fact is after compression. */
export type Place = "inline" | "recoverable" | "lost";

/** What became of an item. */
export interface Judged {
  /** The item. */
  readonly item: Item;
  /** Its class of size. */
  readonly size: string;
  /** What it was taken for, or `-`. */
  readonly kind: string;
  /** Compressor, or `-` when the item was left alone. */
  readonly strategy: string;
  /** Whether parts were left out. */
  readonly elided: boolean;
  /** What is sent for the item. */
  readonly form: string;
  /** Why the item was left alone; empty when it was not. */
  readonly reason: string;
  /** Tokens of the original. */
  readonly before: number;
  /** Tokens of what is sent. */
  readonly after: number;
  /** Place of each fact, in the order of the index. */
  readonly places: readonly Place[];
}

/** The job of an item as the live zone makes it, or why it never hands it to the router. */
export function jobOf(item: LoadedItem): BlockJob | string {
  const args = JSON.stringify(item.args);
  const policy = toolPolicy(item.tool, args);
  const bytes = new TextEncoder().encode(JSON.stringify(item.text)).length;
  if (policy.rule === "never") return "never_compressed_tool";
  if (bytes < MIN_LITERAL_BYTES) return "too_small";
  return {
    text: item.text,
    original: ccrKey(item.text),
    toolName: item.tool,
    rule: policy.rule,
    path: policy.rule === "read" ? policy.path ?? "" : "",
    query: [item.query, args].filter((part) => part !== "").map(ends)
      .join("\n"),
    mayElide: true,
    notElided: [],
    model: MODEL,
    options: { exact: false, folds: true, codeAware: true },
  };
}

function ends(part: string): string {
  if (part.length <= MAX_QUERY_CHARS) return part;
  const half = MAX_QUERY_CHARS / 2;
  return `${part.slice(0, half)}\n${part.slice(-half)}`;
}

/** Runs one item. */
export async function judge(
  { decide, counter }: Pick<OpenRouter, "decide" | "counter">,
  item: LoadedItem,
): Promise<Judged> {
  const job = jobOf(item);
  const decision: Decision = typeof job === "string"
    ? { type: "alone", reason: job }
    : await decide(job);
  const { text, facts, ...row } = item;
  const before = counter.count(text, MODEL);
  const form = formOf(decision, text);
  const isForm = decision.type === "form";
  return {
    item: { ...row, facts },
    size: sizeClass(before),
    kind: kindOf(decision),
    strategy: isForm ? decision.strategy : "-",
    elided: isForm && decision.elision !== undefined,
    form,
    reason: isForm
      ? ""
      : decision.type === "failed"
      ? `failed: ${decision.reason}`
      : decision.reason,
    before,
    after: isForm ? decision.tokensAfter : before,
    places: facts.map((fact) => placeOf(fact, { decision, form, text })),
  };
}

function kindOf(decision: Decision): string {
  return (decision.type !== "failed" && decision.looked?.kind) || "-";
}

/** The text that is sent. */
function formOf(decision: Decision, text: string): string {
  return decision.type === "form"
    ? JSON.parse(new TextDecoder().decode(decision.literal))
    : text;
}

/** What a fact is looked for in. */
export interface Outcome {
  /** What was decided. */
  readonly decision: Decision;
  /** What is sent. */
  readonly form: string;
  /** The original. */
  readonly text: string;
}

/** What a reader sees: padding in tables and indents carries no fact. */
function readable(text: string): string {
  return text.replace(/[ \t]+/g, " ");
}

/**
 * Says where a fact is; runs of blanks count as one. A reformatted text was restored before use, so all of
 * it counts as inline; what was left out is recoverable if the form names the original.
 */
export function placeOf(
  fact: Fact,
  { decision, form, text }: Outcome,
): Place {
  const lossless = decision.type !== "form" || decision.elision === undefined;
  const parts = partsOf(fact);
  const visible = readable(form);
  const isVisible = (part: string) => visible.includes(readable(part));
  if (lossless || parts.every(isVisible)) return "inline";
  const { key } = decision.elision;
  const isStored = key === ccrKey(text) &&
    parts.every((part) => text.includes(part));
  const isNamed = form.split("\n").at(-1)!.includes(`hash=${key}]`);
  return isStored && isNamed ? "recoverable" : "lost";
}
