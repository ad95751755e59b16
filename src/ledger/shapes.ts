/** What became of forms: how much each kind and tool saved, and how often the model asked for the rest. @module */
import type { SentForm } from "../core/ledger.ts";
import type { BlockKey, CcrKey, RetrievalEvent } from "../core/store.ts";
import { Rows, shortName } from "./bounded_table.ts";
import type { Withheld } from "./withhold.ts";

/** Forms that are known to be counted; the oldest are forgotten, and would be counted anew. */
const MAX_FORMS = 100_000;
/** Pairs of tool and compressor that are told apart. */
const MAX_PAIRS = 10_000;

/** Part of the stats report. */
export type RetrievalsReport = Withheld<
  Readonly<ReturnType<ShapeCounts["report"]>>,
  "by_tool"
>;

/** Counts in memory. */
export class ShapeCounts {
  readonly #byStrategy = new Rows(noForms);
  readonly #byTool = new Rows(noForms);
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
  report() {
    return {
      /** Originals given back, whole or in part, through every door of this process. */
      total: this.#total,
      /** Tokens of them. */
      tokens: this.#tokens,
      /** Requests that were sent to go on after a retrieval. */
      further_requests: this.#rounds,
      /** Prompt tokens that the provider counted for them, those from its cache included: what retrievals cost besides. */
      further_input_tokens: this.#input,
      /** Pairs of tool and compressor that had a form; counted up to ten thousand. */
      shapes: this.#pairs.size,
      /** By compressor. */
      by_strategy: this.#byStrategy.report(shapeReport),
      /** By tool; missing for callers that are not trusted. */
      by_tool: this.#byTool.report(shapeReport),
    };
  }

  #note(key: BlockKey | CcrKey): void {
    this.#counted.add(key);
    const [oldest] = this.#counted;
    if (this.#counted.size > MAX_FORMS && oldest) this.#counted.delete(oldest);
  }

  #rows(toolName: string, strategy: string): readonly Shape[] {
    return [this.#byStrategy.of(strategy), this.#byTool.of(toolName)];
  }
}

type Shape = ReturnType<typeof noForms>;

/** Forms that were sent since the process started. */
function noForms() {
  return {
    /** Different forms. */
    forms: 0,
    /** Those that leave something out. */
    elided: 0,
    /** Tokens that they save once. */
    tokens_saved: 0,
    /** Times that an original was given back. */
    asked_for: 0,
    /** Tokens of what was given back. */
    tokens_given_back: 0,
    /** `tokens_saved - tokens_given_back`. */
    net_tokens_saved: 0,
  };
}

function shapeReport(row: Shape): Readonly<Shape> {
  return {
    ...row,
    net_tokens_saved: row.tokens_saved - row.tokens_given_back,
  };
}
