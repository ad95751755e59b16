/** The sums of the ledger in the form that other programs read. @module */
import { objectOr, parseJson } from "../bytes/json_parts.ts";
import type {
  Bucket,
  LedgerReader,
  NamedSums,
  Sums,
} from "../core/ledger_reader.ts";
import type { DisplaySession, SessionReader } from "./reader.ts";
import { cumulativeIn, rollup } from "./rollup.ts";
import { noSums } from "../core/sums.ts";
import { percent, usd } from "./sums.ts";

/** Version of the form. */
const SAVINGS_SCHEMA = 3;
/** Projects at most, those that saved most. */
const MAX_PROJECTS = 50;

/** What the file holds. */
export type SavingsDocument = Readonly<ReturnType<typeof savingsDocument>>;

/** Reads the document: some milliseconds at most. Throws what the database throws. */
export function savingsDocument(reader: SessionReader) {
  const lifetime = reader.lifetime();
  return {
    /** Version of this form. */
    schema_version: SAVINGS_SCHEMA,
    /** Since the ledger was made. */
    lifetime: savedSums(lifetime),
    /** The last stretch of requests. */
    display_session: sessionReport(reader.session()),
    /** Days in which anything happened, of about three years, the oldest first; the last one is `lifetime`. */
    history: pointsOf(lifetime, reader.buckets("daily")),
    /** By name. */
    projects: projectsOf(reader),
  };
}

/** Whether a text was written as a {@linkcode SavingsDocument}, of any version. */
export function isSavingsDocument(text: string): boolean {
  const value = objectOr(parseJson(text));
  return "schema_version" in value && "lifetime" in value;
}

/** Requests without an hour of silence between two of them, of all proxies of the workspace. */
export type SessionReport = Readonly<ReturnType<typeof sessionReport>>;

/** The last session in the names of the wire; zeros before the first one. */
export function sessionReport(session: DisplaySession | undefined) {
  const sums = session ?? noSums();
  return {
    ...savedSums(sums),
    /** `tokens_saved` of `total_input_tokens + tokens_saved`, in percent. */
    savings_percent: shareOf(sums),
    /** When its first request came, ISO 8601; `null` before that. */
    started_at: session ? timeOf(session.startedAt) : null,
    /** When its last request ended. */
    last_activity_at: session ? timeOf(session.lastAt) : null,
  };
}

function savedSums(sums: Sums) {
  return {
    /** Finished requests. */
    requests: sums.requests,
    /** Tokens that compression took away, less those it added. */
    tokens_saved: sums.saved - sums.added,
    /** Saved, price-weighted and net. */
    compression_savings_usd: usd(sums.savedNet),
    /** Prompt tokens. */
    total_input_tokens: sums.input,
    /** What requests cost, their answers included: prompts have no sum of their own. */
    total_input_cost_usd: usd(sums.nanoUsd),
  };
}

function shareOf({ saved, added, input }: Sums): number {
  return percent(saved - added, input + saved - added);
}

/** A day has requests to several providers and models. */
function pointsOf(lifetime: Sums, days: readonly Bucket[]) {
  return rollup(days, lifetime).map((day) => ({
    /** Start of the day (UTC), ISO 8601. */
    timestamp: day.timestamp,
    provider: "",
    model: "",
    ...cumulativeIn(day),
  }));
}

function projectsOf(reader: LedgerReader) {
  const report = (sums: NamedSums) =>
    [sums.name, {
      ...savedSums(sums),
      savings_percent: shareOf(sums),
    }] as const;
  return Object.fromEntries(
    reader.breakdown("project").slice(0, MAX_PROJECTS).map(report),
  );
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
