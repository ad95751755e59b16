/** Asks extensions one after the other: each gets the messages as those before it left them. Pure. @module */
import type {
  PipelineEdit,
  PipelineExtension,
  PipelineMessage,
} from "../core/pipeline_event.ts";
import type { ExtensionFailure, Question } from "./messages.ts";

/** An extension that was loaded. */
export interface LoadedExtension {
  /** As the user named it. */
  readonly name: string;
  /** What it exports. */
  readonly run: PipelineExtension;
}

/** What became of a question. */
export interface Answered {
  /** At most one per place. */
  readonly edits: readonly PipelineEdit[];
  /** What is left out of them, and why. */
  readonly failures: readonly ExtensionFailure[];
}

/** Edits that one extension may make of one event. */
const MAX_EDITS = 10_000;

/** Keys whose values hold a message together: another text there would make it another message, or none. */
const NO_TEXT: ReadonlySet<string | number | undefined> = new Set([
  ...["role", "type", "id", "name", "call_id", "tool_call_id", "tool_use_id"],
  ...["signature", "thinking", "data", "encrypted_content", "media_type"],
]);

/**
 * Runs them. Never rejects, but hangs as long as one of them does.
 *
 * @param begins Told before each is called.
 */
export async function runExtensions(
  extensions: readonly LoadedExtension[],
  { format, model, messages: text }: Question,
  begins: (name: string) => void,
): Promise<Answered> {
  const made = new Map<string, PipelineEdit>();
  const failures: ExtensionFailure[] = [];
  for (const { name, run } of extensions) {
    begins(name);
    // Each gets a copy of its own: what it changes there does not count.
    const messages: PipelineMessage[] = JSON.parse(text);
    for (const edit of made.values()) replaceAt(messages, edit);
    try {
      const event = { stage: "PRE_SEND", format, model, messages } as const;
      const edits = editsIn(await run(event));
      if (edits === undefined) failures.push({ name, reason: NO_ANSWER });
      const checked: PipelineMessage[] = JSON.parse(text);
      for (const edit of edits ?? []) {
        if (replaceAt(checked, edit)) made.set(JSON.stringify(edit.path), edit);
        else failures.push({ name, reason: NO_PLACE });
      }
    } catch (error) {
      // Its message may quote the request.
      const kind = error instanceof Error ? error.name : typeof error;
      failures.push({ name, reason: `it threw ${kind.slice(0, 60)}` });
    }
  }
  return { edits: [...made.values()], failures };
}

const NO_PLACE = "the path of an edit leads to no text of the event";
const NO_ANSWER =
  `its answer is no list of at most ${MAX_EDITS} edits { path: [...], text: "..." }`;

/** The edits of an answer; `undefined` for none that can be used. */
function editsIn(answer: unknown): readonly PipelineEdit[] | undefined {
  if (answer === undefined || answer === null) return [];
  const isList = Array.isArray(answer) && answer.length <= MAX_EDITS &&
    answer.every(isEdit);
  return isList ? answer : undefined;
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
