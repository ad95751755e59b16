/** Turns on which the provider has surely forgotten a conversation: all of it is decided anew, once. @module */
import type { BodyScan } from "../core/format.ts";
import type { ConversationKey } from "../core/store.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import { firstResultName } from "./conversation_keys.ts";
import { isCold, longestLife } from "./older_blocks.ts";
import { FIRST_TURN, type Turn } from "./turn.ts";

/**
 * Which decisions hold for a body. What shares a first message and a first result shares the provider's cache, whatever
 * its session is called: such conversations are cold together, and what is decided anew counts for all of them. One
 * without a named result stays as it is.
 *
 * @param mayBegin Whether this request may be a cold turn.
 */
export function turnOf(
  parts: CompressParts,
  { input, scan }: { readonly input: CompressInput; readonly scan: BodyScan },
  mayBegin: boolean,
): Turn {
  const { body, format: { promptCache }, recompacts } = input;
  const first = firstResultName(parts, { body, scan });
  if (first === undefined) return FIRST_TURN;
  const name = `cold turns of ${first}`;
  const [count, at] = read(parts.responseIds.find(name));
  const activity = `${name}, activity` as ConversationKey;
  const now = parts.clock.now();
  const known = recompacts
    ? parts.conversations.open(activity).activeAt
    : undefined;
  // Another process may have begun one that it has not noted as sent yet.
  const activeAt = known === undefined ? undefined : Math.max(known, at);
  const longest = longestLife(parts, input, scan);
  const turnsCold = mayBegin &&
    isCold({ activeAt, now, longest }, promptCache, body);
  const next = turnsCold ? count + 1 : count;
  const time = turnsCold ? now : at;
  return {
    count: next,
    isCold: turnsCold,
    note: next === 0 ? undefined : [name, `${next} ${time}`],
    activity: recompacts ? activity : undefined,
  };
}

/** Count and time of the last one. */
function read(noted: string | undefined): readonly [number, number] {
  const [count = 0, at = 0] = (noted ?? "").split(" ").map(Number);
  return [count, at];
}
