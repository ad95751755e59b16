/** Compressed texts from an answer, put where the caller's own texts stand. @module */
import {
  type ChangedText,
  patched,
  type Replacement,
  replacementFor,
} from "../patch.ts";
import type { MessagePath, Shadow } from "../shape.ts";

/** What was sent for some messages. */
export interface SentMessages {
  /** Places of the shadow's texts; `undefined`: the messages were sent as they are. */
  readonly slots: Shadow["slots"];
  /** The shadow's messages as JSON. */
  readonly json: string;
}

/**
 * Puts the texts that came back otherwise than they were sent into copies of the caller's messages. All that JSON does
 * not carry is still there, and an unchanged message is the same object.
 *
 * @param messages The caller's; never modified.
 * @param sent What was sent for them.
 * @param answered What came back: values of the same structure.
 */
export function withTexts<M>(
  messages: readonly M[],
  { slots, json }: SentMessages,
  answered: readonly unknown[],
): M[] {
  const replacements: Replacement[] = [];
  for (const changed of changedTexts(JSON.parse(json), answered)) {
    const replacement = replacementFor(messages, slots, changed);
    if (replacement !== undefined) replacements.push(replacement);
  }
  return replacements.length === 0
    ? [...messages]
    : patched(messages, replacements);
}

/** The texts that came back otherwise than they were sent. */
function* changedTexts(
  sent: unknown,
  answered: unknown,
  path: MessagePath = [],
): Iterable<ChangedText> {
  if (typeof sent === "string") {
    if (typeof answered === "string" && sent !== answered) {
      yield { path, sent, text: answered };
    }
    return;
  }
  if (typeof sent !== "object" || sent === null) return;
  if (typeof answered !== "object" || answered === null) return;
  const isList = Array.isArray(sent);
  if (isList !== Array.isArray(answered)) return;
  for (const [key, inner] of Object.entries(sent)) {
    if (!Object.hasOwn(answered, key)) continue;
    const step = isList ? Number(key) : key;
    yield* changedTexts(inner, Reflect.get(answered, key), [...path, step]);
  }
}
