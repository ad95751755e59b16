/** Asks one extension: it gets the messages as those before it left them. Pure. @module */
import type {
  PipelineEdit,
  PipelineExtension,
  PipelineMessage,
} from "../core/pipeline_event.ts";
import type { Question } from "./messages.ts";

/** What became of a question. */
export interface Answered {
  /** In the order in which the extension made them. */
  readonly edits: readonly PipelineEdit[];
  /** What is left out of them, and why. */
  readonly failures: readonly string[];
}

/** Edits that one extension may make of one event. */
const MAX_EDITS = 10_000;

/** Keys whose values hold a message together: another text there would make it another message, or none. */
const NO_TEXT: ReadonlySet<string | number | undefined> = new Set([
  ...["role", "type", "id", "name", "call_id", "tool_call_id", "tool_use_id"],
  ...["signature", "thinking", "data", "encrypted_content", "media_type"],
]);

/** Runs it. Never rejects, but hangs as long as the extension does. */
export async function runExtension(
  run: PipelineExtension,
  { format, model, messages: text, made = [] }: Question,
): Promise<Answered> {
  // It gets a copy of its own: what it changes there does not count.
  const messages: PipelineMessage[] = JSON.parse(text);
  for (const edit of made) replaceAt(messages, edit);
  try {
    const event = { stage: "PRE_SEND", format, model, messages } as const;
    const answer = editsIn(await run(event));
    if (answer === undefined) return { edits: [], failures: [NO_ANSWER] };
    const checked: PipelineMessage[] = JSON.parse(text);
    const edits = answer.filter((edit) => replaceAt(checked, edit));
    const failures = edits.length < answer.length ? [NO_PLACE] : [];
    return { edits, failures };
  } catch (error) {
    // Its message may quote the request.
    const kind = error instanceof Error ? error.name : typeof error;
    return { edits: [], failures: [`it threw ${kind.slice(0, 60)}`] };
  }
}

const NO_PLACE = "the path of an edit leads to no text of the event";
const NO_ANSWER =
  `its answer is no list of at most ${MAX_EDITS} edits { path: [...], text: "..." }`;

/** The edits of an answer; `undefined` for none that can be used. */
function editsIn(answer: unknown): readonly PipelineEdit[] | undefined {
  if (answer === undefined || answer === null) return [];
  const isList = Array.isArray(answer) && answer.length <= MAX_EDITS &&
    answer.every(isEdit);
  if (!isList) return undefined;
  // Nothing else of them need be what a thread can send.
  return answer.map(({ path, text }) => ({ path: [...path], text }));
}

function isEdit(edit: Partial<PipelineEdit> | null): boolean {
  const { path, text } = edit ?? {};
  return Array.isArray(path) && typeof text === "string" &&
    text.isWellFormed() &&
    path.every((step) => ["string", "number"].includes(typeof step));
}

/** Puts the text of an edit in its place; false where no text is. */
function replaceAt(
  messages: readonly PipelineMessage[],
  { path: [root, ...steps], text }: PipelineEdit,
): boolean {
  const last = steps.pop();
  if (root !== "messages" || steps.length === 0 || NO_TEXT.has(last)) {
    return false;
  }
  let at: unknown = messages;
  for (const step of steps) at = memberOf(at, step);
  const value = memberOf(at, last);
  if (typeof value !== "string" && value !== null) return false;
  (at as Record<string | number, unknown>)[last!] = text;
  return true;
}

function memberOf(value: unknown, step: string | number | undefined): unknown {
  const isInside = typeof value === "object" && value !== null &&
    step !== undefined &&
    (typeof step === "number") === Array.isArray(value) &&
    Object.hasOwn(value, step);
  return isInside
    ? (value as Record<string | number, unknown>)[step]
    : undefined;
}
