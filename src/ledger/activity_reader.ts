/** Reads activity over time and conversations from the ledger's database. @module */
import type { DatabaseSync } from "node:sqlite";
import type {
  ActivityReader,
  ConversationQuery,
  DurationBin,
  LoggedConversation,
  Measure,
  ModelActivity,
  TimeSpan,
} from "../core/activity.ts";
import type { Dimension, NamedSums } from "../core/ledger_reader.ts";
import { middleOfBin } from "./durations.ts";
import { type Row, Statements } from "./statements.ts";
import { ADDED_UP, SUMS, sumsOf } from "./sum_columns.ts";

const SQL = {
  models: `SELECT model, ${ADDED_UP}, total(refused) AS refused FROM activity
    WHERE start >= ? AND start < ? GROUP BY model`,
  durations: `SELECT measure, bin, sum(requests) AS requests FROM durations
    WHERE start >= ? AND start < ? GROUP BY measure, bin ORDER BY measure, bin`,
  names: `SELECT name, ${ADDED_UP} FROM named
    WHERE dimension = ? AND day >= max(0, ?) AND day < ? GROUP BY name`,
  conversations: `SELECT id, first_at, last_at, model, agent, project, ${SUMS},
    refused, retrievals, extended, client, decided, ours FROM conversations
    WHERE last_at >= ? AND last_at < ? AND (last_at, id) < (?, ?)
    ORDER BY last_at DESC, id DESC LIMIT ?`,
} as const;

/** Reads on one connection; a statement is prepared when it is first used. */
export class SqlActivityReader implements ActivityReader {
  readonly #sql: Statements<keyof typeof SQL>;

  /** The tables must be there. */
  constructor(db: DatabaseSync) {
    this.#sql = new Statements(db, SQL);
  }

  models({ from, until }: TimeSpan): readonly ModelActivity[] {
    return this.#sql.all("models", from, until).map((row) => ({
      name: String(row["model"]),
      refused: Number(row["refused"]),
      ...sumsOf(row),
    }));
  }

  durations({ from, until }: TimeSpan): readonly DurationBin[] {
    return this.#sql.all("durations", from, until).map((row) => ({
      // A word of the same column.
      measure: row["measure"] as Measure,
      ms: middleOfBin(Number(row["bin"])),
      requests: Number(row["requests"]),
    }));
  }

  names(by: Dimension, { from, until }: TimeSpan): readonly NamedSums[] {
    return this.#sql.all("names", by, from, until).map((row) => ({
      name: String(row["name"]),
      ...sumsOf(row),
    }));
  }

  conversations(
    { from, until, after, limit }: ConversationQuery,
  ): readonly LoggedConversation[] {
    const { lastAt, id } = after ?? { lastAt: until, id: "" };
    return this.#sql.all("conversations", from, until, lastAt, id, limit)
      .map(conversationOf);
  }
}

function conversationOf(row: Row): LoggedConversation {
  const number = (column: string) => Number(row[column]);
  return {
    id: String(row["id"]),
    firstAt: number("first_at"),
    lastAt: number("last_at"),
    model: String(row["model"]),
    agent: String(row["agent"]),
    project: String(row["project"]),
    ...sumsOf(row),
    refused: number("refused"),
    retrievals: number("retrievals"),
    extended: number("extended"),
    client: number("client"),
    decided: number("decided"),
    ours: number("ours"),
  };
}
