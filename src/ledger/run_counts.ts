/** What the processes of a run counted together: in the database, and on its way there. @module */
import type { RequestRecord, SentForm } from "../core/ledger.ts";
import { succeeded } from "../core/outcome.ts";
import type { LedgerTask } from "./channel.ts";
import { type CountedForms, countTask } from "./count_row.ts";
import type { LedgerReads, RunState } from "./reads.ts";
import { RunSums } from "./run_sums.ts";

/** Forms that are known to be sent; the oldest are forgotten, and would be kept anew. */
const MAX_FORMS = 100_000;
const NOTHING: RunState = { resets: 0, sums: undefined };

/** What is needed. */
interface RunCountsParts {
  /** Reads the database. */
  readonly reads: Pick<LedgerReads, "run" | "has" | "hasForm" | "snapshot">;
  /** Name of the run. */
  readonly run: string;
  /** Tasks that the database may not know yet, in order. */
  readonly unwritten: () => Iterable<LedgerTask>;
  /** What `read` returns; `undefined` when the database fails. */
  readonly attempt: <T>(read: () => T) => T | undefined;
}

/** Sums of a run as one of its processes sees them. */
export class RunCounts {
  readonly #parts: RunCountsParts;
  #known = NOTHING;
  readonly #sent = new Set<string>();

  /** Reads nothing. */
  constructor(parts: RunCountsParts) {
    this.#parts = parts;
  }

  /** Forms of a request that this process had not sent with success before. */
  fresh(entry: RequestRecord): readonly SentForm[] {
    return succeeded(entry)
      ? entry.forms.filter(({ key }) => this.#isNew(key))
      : [];
  }

  /** Forgets what was sent: it counts anew. */
  forget(): void {
    this.#sent.clear();
  }

  /** What all processes have in the database and this one has not written; without a database what it last said. */
  sums(): RunSums {
    const { reads, run, unwritten, attempt } = this.#parts;
    const tasks = [...unwritten()];
    const read = attempt(() =>
      reads.snapshot(() => ({
        state: reads.run(run),
        // Its transaction may not be answered yet.
        tasks: tasks.filter((task) => !this.#isWritten(task)),
      }))
    );
    if (read !== undefined) {
      // Another process may have begun anew.
      if (read.state.resets !== this.#known.resets) this.forget();
      this.#known = read.state;
    }
    return this.#with(read?.tasks ?? tasks);
  }

  #with(tasks: readonly LedgerTask[]): RunSums {
    const { reads, run, attempt } = this.#parts;
    const begin = tasks.findLastIndex(({ type }) => type === "reset") + 1;
    const sums = new RunSums(begin > 0 ? undefined : this.#known.sums);
    const isKept = (key: string) =>
      begin === 0 && (attempt(() => reads.hasForm(run, key)) ?? false);
    const own = new Set<string>();
    const forms: CountedForms = {
      has: (key) => own.has(key) || isKept(key),
      add: (key) => !forms.has(key) && own.add(key).size > 0,
    };
    for (const task of tasks.slice(begin)) countTask(sums, task, forms);
    return sums;
  }

  #isWritten(task: LedgerTask): boolean {
    const { reads } = this.#parts;
    if (task.type === "insert") {
      return reads.has("requests", String(task.row.id));
    }
    return task.type === "given" && reads.has("given", task.id);
  }

  #isNew(key: string): boolean {
    if (this.#sent.has(key)) return false;
    this.#sent.add(key);
    const [oldest] = this.#sent;
    if (this.#sent.size > MAX_FORMS && oldest) this.#sent.delete(oldest);
    return true;
  }
}
