/** What became of forms: how much each kind and tool saved, and how often the model asked for the rest. @module */
import type { MadeForm } from "../core/ledger.ts";
import type { RetrievalEvent } from "../core/store.ts";

/** One row of the report: counts since the process started. */
export interface ShapeReport {
  /** Forms made. */
  readonly forms: number;
  /** Those of them that left something out. */
  readonly elided: number;
  /** Tokens that the forms save, each counted once. */
  readonly tokens_saved: number;
  /** Times that an original was asked for. */
  readonly asked_for: number;
  /** Tokens given back. */
  readonly tokens_given_back: number;
  /** `tokens_saved` without `tokens_given_back`: below zero where compression did not pay. */
  readonly net_tokens_saved: number;
}

/** Part of the stats report. */
export interface RetrievalsReport {
  /** Originals given back, whole or in part. */
  readonly total: number;
  /** Tokens of them. */
  readonly tokens: number;
  /** By compressor. */
  readonly by_strategy: Readonly<Record<string, ShapeReport>>;
  /** By tool; missing for callers that are not trusted. */
  readonly by_tool?: Readonly<Record<string, ShapeReport>>;
}

/** Distinct names per table; clients choose the names of tools. */
const MAX_NAMES = 200;
/** Stands for every name beyond the bound. */
const OTHER = "other";
/** Stands for a tool without a name. */
const UNKNOWN = "unknown";

type Shape = { -readonly [Key in keyof ShapeReport]: number };

/** Counts in memory. */
export class ShapeCounts {
  readonly #byStrategy = new Map<string, Shape>();
  readonly #byTool = new Map<string, Shape>();
  #total = 0;
  #tokens = 0;

  /** Counts a form that was sent for the first time. */
  made({ toolName, strategy, isElided, saved }: MadeForm): void {
    for (const row of this.#rows(toolName, strategy)) {
      row.forms++;
      if (isElided) row.elided++;
      row.tokens_saved += saved;
    }
  }

  /** Counts an original that was given back. */
  retrieved({ toolName, strategy, tokens }: RetrievalEvent): void {
    this.#total++;
    this.#tokens += tokens;
    for (const row of this.#rows(toolName, strategy)) {
      row.asked_for++;
      row.tokens_given_back += tokens;
    }
  }

  /** Snapshot. */
  report(): RetrievalsReport {
    return {
      total: this.#total,
      tokens: this.#tokens,
      by_strategy: tableOf(this.#byStrategy),
      by_tool: tableOf(this.#byTool),
    };
  }

  #rows(toolName: string, strategy: string): readonly Shape[] {
    return [
      rowOf(this.#byStrategy, strategy),
      rowOf(this.#byTool, toolName || UNKNOWN),
    ];
  }
}

function rowOf(table: Map<string, Shape>, wanted: string): Shape {
  const name = table.has(wanted) || table.size < MAX_NAMES ? wanted : OTHER;
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
