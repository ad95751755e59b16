/** Asking for shorter answers: what is said, and to which conversations. @module */
import { objectOr, parseJson } from "../bytes/json_parts.ts";
import type { ConversationKey } from "../core/store.ts";
import type { Pinned } from "./pinned.ts";
import type { HabitParts } from "./tool_habits.ts";

const NO_FRAME = "No preamble and no closing summary.";
const NO_REPEAT =
  "Do not repeat code or file content that is already here; name the path and lines.";
const NO_REASONS = "Give reasons only when asked.";

/** By level, from 1 on. At most 50 tokens each: they are in every request of a conversation. */
const INSTRUCTIONS = [
  `Answer briefly. ${NO_FRAME}`,
  `Answer briefly. ${NO_FRAME} ${NO_REPEAT}`,
  `Answer briefly. ${NO_FRAME} ${NO_REPEAT} ${NO_REASONS}`,
  `Answer in fragments, no filler. ${NO_FRAME} ${NO_REPEAT} ${NO_REASONS}`,
] as const;

/** What is said at the end of the first user message; `level` is from 1 to 4. */
export function instructionOf(level: number): string {
  return INSTRUCTIONS[level - 1] ?? INSTRUCTIONS[1];
}

/** Hexadecimal digits of a key that decide. */
const DIGITS = 8;

/**
 * Whether a conversation is left as it is, so that others can be compared with it.
 *
 * @param key Hexadecimal digits that name the conversation.
 * @param share Of conversations, from 0 to 1.
 */
export function isHeldOut(key: string, share: number): boolean {
  return parseInt(key.slice(0, DIGITS), 16) / 16 ** DIGITS < share;
}

/** What a user's message says of the answers before it. */
export type Correction = "shorter" | "longer" | undefined;

/** Longest message in UTF-16 units that is a correction: a task may hold any word. */
const MAX_CORRECTION = 300;
const SHORTER =
  /\b(?:be (?:more )?(?:brief|concise|terse)|(?:much |even )?(?:shorter|briefer)|more concise|less (?:verbose|text|detail)|too (?:long|verbose|wordy|much text)|tl;?dr|just (?:the code|the answer|do it)|stop explaining|no explanations?)\b/i;
const LONGER =
  /\b(?:explain|elaborate|more detail(?:s|ed)?|in (?:more )?detail|too (?:short|terse|brief)|what do you mean|i do(?:n't| not) understand|why (?:did|do|is|are|does|would) (?:you|it|this|that))\b/i;

/** Reads a correction. */
export function correctionIn(message: string): Correction {
  if (message.length > MAX_CORRECTION) return undefined;
  if (SHORTER.test(message)) return "shorter";
  return LONGER.test(message) ? "longer" : undefined;
}

/** The level of a project, and what led to the next one. */
export interface TunedLevel {
  /** Level of new conversations, from 1 to 4. */
  readonly level: number;
  /** Wishes for shorter answers in a row. */
  readonly wishes: number;
}

/** Wishes after which answers become shorter. */
const WISHES = 3;

/** The level after a correction: one wish for more is enough, fewer words take three. */
export function tuned(
  { level, wishes }: TunedLevel,
  correction: Correction,
): TunedLevel {
  if (correction === "longer") {
    return { level: Math.max(1, level - 1), wishes: 0 };
  }
  if (correction !== "shorter") return { level, wishes };
  return wishes + 1 < WISHES
    ? { level, wishes: wishes + 1 }
    : { level: Math.min(4, level + 1), wishes: 0 };
}

/** What an operator wants. */
export interface OutputWishes {
  /** Whether answers are to be shorter. */
  readonly isShaped: boolean;
  /** From 1 to 4; where a project has one of its own, that counts. */
  readonly level: number;
  /** Whether the level follows what users say. */
  readonly isTuned: boolean;
  /** Share of conversations that are left as they are, from 0 to 1. */
  readonly holdout: number;
  /** Project of the request. */
  readonly project: string;
}

/** Says how conversations are shaped, and follows what users say of it. */
export class OutputShaper {
  readonly #parts: HabitParts;

  /** Starts with what the store has. */
  constructor(parts: HabitParts) {
    this.#parts = parts;
  }

  /** What is pinned to a conversation that begins. */
  pinned(
    wishes: OutputWishes,
    key: ConversationKey,
  ): Pick<Pinned, "instruction" | "isHeldOut"> {
    if (!wishes.isShaped) return {};
    if (isHeldOut(key, wishes.holdout)) return { isHeldOut: true };
    return { instruction: instructionOf(this.#levelOf(wishes).level) };
  }

  /** Notes what a user says in a conversation that goes on. Written off the request path; never rejects. */
  heard(wishes: OutputWishes, message: string): void {
    if (!wishes.isShaped || !wishes.isTuned) return;
    const correction = correctionIn(message);
    if (correction === undefined) return;
    const { store, attempt, clock } = this.#parts;
    const level = JSON.stringify(tuned(this.#levelOf(wishes), correction));
    const responseIds = new Map([[nameOf(wishes), level]]);
    void attempt("tune_level", async () => {
      await store.write({ now: clock.now(), responseIds });
    }, undefined);
  }

  #levelOf(wishes: OutputWishes): TunedLevel {
    const kept = wishes.isTuned
      ? objectOr(
        parseJson(this.#parts.store.responseId(nameOf(wishes)) ?? ""),
      )
      : {};
    const { level, wishes: count } = kept;
    return typeof level === "number" && typeof count === "number"
      ? { level, wishes: count }
      : { level: wishes.level, wishes: 0 };
  }
}

/** Name under which the store keeps the level of a project. */
function nameOf({ project }: OutputWishes): string {
  return `verbosity of ${project}`;
}
