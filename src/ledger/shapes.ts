/** What became of forms: how much each kind and tool saved, and how often the model asked for the rest. @module */
import type { SentForm } from "../core/ledger.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "../core/store.ts";
import { bounded, shortName, UNKNOWN } from "./bounded_table.ts";

/** One row of the report: forms that were sent since the process started. */
export interface ShapeReport {
  /** Forms, each counted when it is first sent with success. */
  readonly forms: number;
  /** Those of them that left something out. */
  readonly elided: number;
  /** Tokens that the forms save, each counted once. */
  readonly tokens_saved: number;
  /** Times that an original of these forms was asked for. */
  readonly asked_for: number;
  /** Tokens given back of them. */
  readonly tokens_given_back: number;
  /** `tokens_saved` without `tokens_given_back`: below zero where compression did not pay. */
  readonly net_tokens_saved: number;
}

/** Part of the stats report. */
export interface RetrievalsReport {
  /** Originals given back, whole or in part, through every door of this process. */
  readonly total: number;
  /** Tokens of them. */
  readonly tokens: number;
  /** Requests that were sent to go on after a retrieval. */
  readonly further_requests: number;
  /** Prompt tokens that the provider counted for them, those from its cache included: what retrievals cost besides. */
  readonly further_input_tokens: number;
  /** Pairs of tool and compressor that had a form; counted up to ten thousand. */
  readonly shapes: number;
  /** By compressor. */
  readonly by_strategy: Readonly<Record<string, ShapeReport>>;
  /** By tool; missing for callers that are not trusted. */
  readonly by_tool?: Readonly<Record<string, ShapeReport>>;
}

/** Forms that are known to be counted; the oldest are forgotten, and would be counted anew. */
const MAX_FORMS = 100_000;
/** Pairs of tool and compressor that are told apart. */
const MAX_PAIRS = 10_000;

type Shape = { -readonly [Key in keyof ShapeReport]: number };

/** Counts in memory. */
export class ShapeCounts {
  readonly #byStrategy = new Map<string, Shape>();
  readonly #byTool = new Map<string, Shape>();
  readonly #pairs = new Set<string>();
  readonly #counted = new Set<BlockKey | CcrKey>();
  #total = 0;
  #tokens = 0;
  #rounds = 0;
  #input = 0;

  /** Counts a form that was sent with success, once; says whether this was the first time. */
  sent({ key, entry, toolName, strategy, saved }: SentForm): boolean {
    if (this.#counted.has(key)) return false;
    this.#note(key);
    if (entry !== undefined) this.#note(entry);
    if (this.#pairs.size < MAX_PAIRS) {
      this.#pairs.add(`${strategy} ${shortName(toolName)}`);
    }
    for (const row of this.#rows(toolName, strategy)) {
      row.forms++;
      if (entry !== undefined) row.elided++;
      row.tokens_saved += saved;
    }
    return true;
  }

  /** Counts an original that was given back; in the tables only where its form was counted. */
  retrieved({ key, toolName, strategy, tokens }: RetrievalEvent): void {
    this.#total++;
    this.#tokens += tokens;
    if (!this.#counted.has(key)) return;
    for (const row of this.#rows(toolName, strategy)) {
      row.asked_for++;
      row.tokens_given_back += tokens;
    }
  }

  /** Counts requests that went on after a retrieval, and their prompts. */
  wentOn(rounds: number, input: number): void {
    this.#rounds += rounds;
    this.#input += input;
  }

  /** Snapshot. */
  report(): RetrievalsReport {
    return {
      total: this.#total,
      tokens: this.#tokens,
      further_requests: this.#rounds,
      further_input_tokens: this.#input,
      shapes: this.#pairs.size,
      by_strategy: tableOf(this.#byStrategy),
      by_tool: tableOf(this.#byTool),
    };
  }

  #note(key: BlockKey | CcrKey): void {
    this.#counted.add(key);
    const [oldest] = this.#counted;
    if (this.#counted.size > MAX_FORMS && oldest) this.#counted.delete(oldest);
  }

  #rows(toolName: string, strategy: string): readonly Shape[] {
    return [
      rowOf(this.#byStrategy, strategy),
      rowOf(this.#byTool, toolName || UNKNOWN),
    ];
  }
}

function rowOf(table: Map<string, Shape>, wanted: string): Shape {
  const name = bounded(table, wanted);
  const row = table.get(name) ?? {
    forms: 0,
    elided: 0,
    tokens_saved: 0,
    asked_for: 0,
    tokens_given_back: 0,
    net_tokens_saved: 0,
  };
  table.set(name, row);
  return row;
}

function tableOf(
  table: ReadonlyMap<string, Shape>,
): Readonly<Record<string, ShapeReport>> {
  return Object.fromEntries(
    [...table].map(([name, row]) => [name, {
      ...row,
      net_tokens_saved: row.tokens_saved - row.tokens_given_back,
    }]),
  );
}
