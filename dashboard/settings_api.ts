/** Sending settings, and what the proxy makes of them. @module */

/** What became of values that were sent. */
export type SaveResult =
  /** Stored. */
  | {
    readonly type: "saved";
    /** Keys whose stored value is another one now. */
    readonly changed: readonly string[];
    /** What the user should be told. */
    readonly notes: readonly string[];
  }
  /** Nothing was stored; messages by key. */
  | {
    readonly type: "invalid";
    readonly errors: Readonly<Record<string, string>>;
  }
  /** Nothing was stored, and why. */
  | { readonly type: "failed"; readonly message: string };

/** What became of settings that a running proxy was told to use. */
export type ApplyResult =
  /** It reads them from now on, but for some. */
  | {
    readonly type: "applied";
    /** Keys that are in force now. */
    readonly applied: readonly string[];
    /** Keys that wait for the next start. */
    readonly needsRestart: readonly string[];
    /** A command that starts it anew. */
    readonly command?: string;
  }
  /** It starts anew by itself. */
  | { readonly type: "restarting" }
  /** What was in force stays in force, and why. */
  | { readonly type: "failed"; readonly message: string };

/** Answers of both routes, as far as they are read. */
interface Answer {
  readonly changed_keys?: readonly string[];
  readonly applied?: readonly string[];
  readonly needs_restart?: boolean | readonly string[];
  readonly notes?: readonly string[];
  readonly field_errors?: Readonly<Record<string, string>>;
  readonly unknown_keys?: readonly string[];
  readonly detail?: string;
  readonly restarted?: boolean;
  readonly command?: string;
}

/** Stores values. Never rejects. */
export async function save(
  values: Readonly<Record<string, unknown>>,
): Promise<SaveResult> {
  const { ok, answer, problem } = await post("/settings", { values });
  if (answer.field_errors) {
    return { type: "invalid", errors: answer.field_errors };
  }
  if (!ok) return { type: "failed", message: problem };
  return {
    type: "saved",
    changed: answer.changed_keys ?? [],
    notes: answer.notes ?? [],
  };
}

/** Makes the running proxy use what is stored. Never rejects. */
export async function apply(): Promise<ApplyResult> {
  const { ok, answer, problem } = await post("/settings/apply", {});
  if (!ok) return { type: "failed", message: problem };
  if (answer.restarted) return { type: "restarting" };
  const waiting = answer.needs_restart;
  return {
    type: "applied",
    applied: answer.applied ?? [],
    needsRestart: typeof waiting === "object" ? waiting : [],
    ...answer.command === undefined ? {} : { command: answer.command },
  };
}

async function post(path: string, body: object): Promise<{
  ok: boolean;
  answer: Answer;
  problem: string;
}> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const answer = answerOf(text);
    const unknown = answer.unknown_keys?.join(", ");
    const problem = unknown
      ? `The proxy does not know ${unknown}`
      : answer.detail ?? `The proxy answered ${response.status}`;
    return { ok: response.ok, answer, problem };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      answer: {},
      problem: `The proxy could not be reached (${why})`,
    };
  }
}

function answerOf(text: string): Answer {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
