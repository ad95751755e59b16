/** Converting messages from one way of writing them to another, and back without loss. @module */
import { objectOr } from "../../bytes/json_parts.ts";
import type { MessageFormat } from "../shape.ts";
import {
  type AnyMessage,
  CARRIED,
  carriedOf,
  carrying,
  type Group,
  isSame,
  restored,
  withoutCarried,
} from "./carried.ts";

/** What a conversion depends on besides the messages. */
export interface ConvertContext {
  /** Tools by the ids of their calls, in the whole conversation. */
  readonly names: ReadonlyMap<string, string>;
  /** Index of the first message in the whole conversation. */
  readonly offset: number;
}

/** Makes groups of messages, in order. */
export type Convert = (
  messages: readonly unknown[],
  context: ConvertContext,
) => readonly Group[];

/** Both ways between two formats, one of which is that of chat completions. */
export interface Ways {
  /** Format of the messages. */
  readonly from: MessageFormat;
  /** Format that is wanted. */
  readonly to: MessageFormat;
  /** There. */
  readonly there: Convert;
  /** Back. */
  readonly back: Convert;
}

/** A stretch of messages: brought back by what they carried, or converted. */
type Segment =
  | { readonly restored: readonly unknown[] }
  | { readonly groups: readonly Group[] };

/**
 * Converts messages. Those that carry what they were made from become that again, with the texts as they stand now;
 * where anything else was changed in them, they are converted like all others. Of these, the ones that would not come
 * back as they are carry what is missing.
 */
export function converted(
  messages: readonly unknown[],
  ways: Ways,
): unknown[] {
  const isChat = ways.from === "openai";
  const names = isChat ? toolNames(messages) : new Map<string, string>();
  const segments = segmentsOf(messages, ways, names);
  const made = segments.flatMap((segment) =>
    "restored" in segment
      ? segment.restored
      : segment.groups.flatMap(({ target }) => target)
  );
  const context = { names: isChat ? names : toolNames(made), offset: 0 };
  return segments.flatMap((segment) =>
    "restored" in segment
      ? segment.restored
      : packed(segment.groups, ways, context)
  );
}

function toolNames(messages: readonly unknown[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    const calls = objectOr(message).tool_calls;
    for (const call of Array.isArray(calls) ? calls : []) {
      const { id, function: called } = objectOr(call);
      const { name } = objectOr(called);
      if (typeof id === "string" && typeof name === "string") {
        names.set(id, name);
      }
    }
  }
  return names;
}

function segmentsOf(
  messages: readonly unknown[],
  { to, there }: Ways,
  names: ReadonlyMap<string, string>,
): readonly Segment[] {
  const segments: Segment[] = [];
  let run: unknown[] = [];
  const flush = (end: number) => {
    const offset = end - run.length;
    if (run.length > 0) {
      segments.push({ groups: there(run, { names, offset }) });
    }
    run = [];
  };
  for (let i = 0; i < messages.length; i++) {
    const back = restored(messages, i, to);
    if (back === undefined) {
      run.push(withoutOld(messages[i], to));
      continue;
    }
    flush(i);
    segments.push({ restored: back.messages });
    i += back.count - 1;
  }
  flush(messages.length);
  return segments;
}

/** What was carried and does not fit any more is of no use. */
function withoutOld(message: unknown, to: MessageFormat): unknown {
  return carriedOf(message, to) === undefined
    ? message
    : withoutCarried(objectOr(message));
}

function packed(
  groups: readonly Group[],
  { from, back }: Ways,
  context: ConvertContext,
): readonly AnyMessage[] {
  const isPlain: boolean[] = [];
  for (const [i, group] of groups.entries()) {
    // Neighbours may come back as one message: what is carried stands between them.
    const pair = isPlain[i - 1] ? [groups[i - 1]!, group] : [group];
    isPlain.push(
      comesBack([group], back, context) && comesBack(pair, back, context),
    );
  }
  for (const { start, end } of runsOf(isPlain)) {
    if (comesBack(groups.slice(start, end), back, context)) continue;
    isPlain.fill(false, start, end);
  }
  return groups.flatMap((group, i) =>
    isPlain[i] ? group.target : carrying(group, from)
  );
}

/** Stretches of `true`. */
function runsOf(
  flags: readonly boolean[],
): readonly { readonly start: number; readonly end: number }[] {
  const runs: { start: number; end: number }[] = [];
  for (const [i, flag] of flags.entries()) {
    const last = runs.at(-1);
    if (!flag) continue;
    if (last?.end === i) last.end = i + 1;
    else runs.push({ start: i, end: i + 1 });
  }
  return runs;
}

function comesBack(
  groups: readonly Group[],
  back: Convert,
  context: ConvertContext,
): boolean {
  const target = groups.flatMap((group) => group.target);
  // A member of this name that is the caller's own would be taken for ours.
  if (target.some((message) => CARRIED in message)) return false;
  const source = groups.flatMap((group) => group.source);
  return isSame(back(target, context).flatMap((group) => group.target), source);
}
