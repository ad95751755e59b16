/** Turns on which the provider has surely forgotten a conversation: all of it is decided anew, once. @module */
import type { BodyScan } from "../core/format.ts";
import type { ConversationKey } from "../core/store.ts";
import type { CompressInput } from "./compress_input.ts";
import type { CompressParts } from "./compress_parts.ts";
import { firstResultName } from "./conversation_keys.ts";
import { isCold, longestLife } from "./older_blocks.ts";
import { FIRST_TURN, type Turn } from "./turn.ts";

/** What is known of a body before its blocks are. */
export interface TurnInput {
  /** The call. */
  readonly input: CompressInput;
  /** Scan of its body. */
  readonly scan: BodyScan;
  /** When its conversation was active last, in milliseconds since the Unix epoch; `undefined` for a new one. */
  readonly activeAt: number | undefined;
}

/** Results of the longest conversation that is decided anew: all of them are looked at before the request leaves. */
const MAX_RESULTS = 2000;

/**
 * Which decisions hold for a body. What shares a first message and a first result shares the provider's cache, whatever
 * its session is called: such conversations are cold together, and what is decided anew counts for all of them. One
 * without a named result stays as it is.
 *
 * @param mayBegin Whether this request may be a cold turn.
 */
export function turnOf(
  parts: CompressParts,
  { input, scan, activeAt: own = 0 }: TurnInput,
  mayBegin: boolean,
): Turn {
  const { body, format: { promptCache }, recompacts, keepsReasoning } = input;
  const first = firstResultName(parts, { ...input, scan });
  if (first === undefined) return FIRST_TURN;
  const name = `cold turns of ${first}`;
  const noted = read(parts.responseIds.find(name));
  const activity = `${name}, activity` as ConversationKey;
  const now = parts.clock.now();
  const isOn = recompacts || keepsReasoning !== undefined;
  const known = isOn ? parts.conversations.open(activity).activeAt : undefined;
  // Another process may have begun one that it has not noted as sent yet; what was sent while this was off counts too.
  const activeAt = known && Math.max(known, noted.at, own);
  const longest = longestLife(parts, input, scan);
  const turnsCold = mayBegin && scan.blocks.length <= MAX_RESULTS &&
    isCold({ activeAt, now, longest }, promptCache, body);
  const isAnew = turnsCold && recompacts === true;
  const next: Noted = turnsCold
    ? {
      cold: noted.cold + 1,
      at: now,
      count: noted.count + (isAnew ? 1 : 0),
      unreasoned: keepsReasoning === undefined
        ? noted.unreasoned
        : unreasonedUpTo(scan, keepsReasoning),
    }
    : noted;
  const { cold, at, count, unreasoned } = next;
  return {
    ...{ cold, count, unreasoned, isAnew },
    isCold: turnsCold,
    note: cold === 0
      ? undefined
      : [name, [cold, at, count, unreasoned].join(" ")],
    activity: isOn ? activity : undefined,
  };
}

/** What is kept of a conversation's cold turns. */
interface Noted extends Pick<Turn, "cold" | "count" | "unreasoned"> {
  /** When the last one was, in milliseconds since the Unix epoch. */
  readonly at: number;
}

function read(noted: string | undefined): Noted {
  const [cold = 0, at = 0, count = 0, unreasoned = 0] = (noted ?? "")
    .split(" ").map(Number);
  return { cold, at, count, unreasoned };
}

/** Messages before the last `kept` ones in which the model reasoned. */
function unreasonedUpTo({ reasoning = [] }: BodyScan, kept: number): number {
  const turns = [...new Set(reasoning.map((one) => one.messageIndex))];
  const last = turns.at(-kept - 1);
  return last === undefined ? 0 : last + 1;
}
