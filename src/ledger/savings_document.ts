/** The sums of the ledger in the form that other programs read. @module */
import type {
  Bucket,
  LedgerReader,
  NamedSums,
  Sums,
} from "../core/ledger_reader.ts";
import type { DisplaySession, SessionReader } from "./ledger.ts";
import type { SessionReport } from "./session.ts";
import { percent, usd } from "./sums.ts";

/** Version of the form. */
export const SAVINGS_SCHEMA = 3;
/** Projects at most, those that saved most. */
const MAX_PROJECTS = 50;

/** Sums of requests. */
interface SavedSums {
  /** Finished requests. */
  readonly requests: number;
  /** Tokens that compression took away, less those it added. */
  readonly tokens_saved: number;
  /** Saved, price-weighted and net. */
  readonly compression_savings_usd: number;
  /** Prompt tokens. */
  readonly total_input_tokens: number;
  /** What requests cost. */
  readonly total_input_cost_usd: number;
}

/** Sums since the ledger was made, as of one day. */
interface HistoryPoint {
  /** Start of the day (UTC), ISO 8601. */
  readonly timestamp: string;
  /** Empty: a day has requests to several. */
  readonly provider: string;
  /** Empty, likewise. */
  readonly model: string;
  /** See {@linkcode SavedSums}. */
  readonly total_tokens_saved: number;
  /** See {@linkcode SavedSums}. */
  readonly compression_savings_usd: number;
  /** See {@linkcode SavedSums}. */
  readonly total_input_tokens: number;
  /** See {@linkcode SavedSums}. */
  readonly total_input_cost_usd: number;
}

/** What the file holds. */
export interface SavingsDocument {
  /** Version of this form. */
  readonly schema_version: number;
  /** Since the ledger was made. */
  readonly lifetime: SavedSums;
  /** The last stretch of requests. */
  readonly display_session: SessionReport;
  /** Days in which anything happened, of about three years, the oldest first; the last one is `lifetime`. */
  readonly history: readonly HistoryPoint[];
  /** By name. */
  readonly projects: Readonly<
    Record<string, SavedSums & { readonly savings_percent: number }>
  >;
}

/** Reads the document: some milliseconds at most. Throws what the database throws. */
export function savingsDocument(reader: SessionReader): SavingsDocument {
  const lifetime = reader.lifetime();
  return {
    schema_version: SAVINGS_SCHEMA,
    lifetime: savedSums(lifetime),
    display_session: sessionReport(reader.session()),
    history: pointsOf(lifetime, reader.buckets("daily")),
    projects: projectsOf(reader),
  };
}

/** Whether a text was written as a {@linkcode SavingsDocument}, of any version. */
export function isSavingsDocument(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null &&
      "schema_version" in value && "lifetime" in value;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** The last session in the names of the wire; zeros before the first one. */
export function sessionReport(
  session: DisplaySession | undefined,
): SessionReport {
  if (session === undefined) {
    return {
      requests: 0,
      tokens_saved: 0,
      compression_savings_usd: 0,
      total_input_tokens: 0,
      total_input_cost_usd: 0,
      savings_percent: 0,
      started_at: null,
      last_activity_at: null,
    };
  }
  return {
    ...savedSums(session),
    savings_percent: percentOf(session),
    started_at: timeOf(session.startedAt),
    last_activity_at: timeOf(session.lastAt),
  };
}

function savedSums(sums: Sums): SavedSums {
  return {
    requests: sums.requests,
    tokens_saved: sums.saved - sums.added,
    compression_savings_usd: usd(sums.savedNet),
    total_input_tokens: sums.input,
    total_input_cost_usd: usd(sums.nanoUsd),
  };
}

function percentOf({ saved, added, input }: Sums): number {
  return percent(saved - added, input + saved - added);
}

/** Back from the end: days that were removed do not change those that are there. */
function pointsOf(
  lifetime: Sums,
  days: readonly Bucket[],
): readonly HistoryPoint[] {
  let { input, nanoUsd, savedNet } = lifetime;
  let saved = lifetime.saved - lifetime.added;
  const points: HistoryPoint[] = [];
  for (const day of days.toReversed()) {
    points.push({
      timestamp: timeOf(day.start),
      provider: "",
      model: "",
      total_tokens_saved: saved,
      compression_savings_usd: usd(savedNet),
      total_input_tokens: input,
      total_input_cost_usd: usd(nanoUsd),
    });
    saved -= day.saved - day.added;
    savedNet -= day.savedNet;
    input -= day.input;
    nanoUsd -= day.nanoUsd;
  }
  return points.reverse();
}

function projectsOf(reader: LedgerReader): SavingsDocument["projects"] {
  const report = (sums: NamedSums) =>
    [sums.name, {
      ...savedSums(sums),
      savings_percent: percentOf(sums),
    }] as const;
  return Object.fromEntries(
    reader.breakdown("project").slice(0, MAX_PROJECTS).map(report),
  );
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
