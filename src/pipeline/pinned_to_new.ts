/** What is pinned to a conversation with its first request here. @module */
import { readTools } from "../bytes/tool_definitions.ts";
import type { BodyScan } from "../core/format.ts";
import type { ConversationKey } from "../core/store.ts";
import type { CompressParts } from "./compress_parts.ts";
import type { ConversationFacts } from "./conversation_facts.ts";
import { MAX_TOOLS, type ToolsWanted } from "./declaration.ts";
import { mayPayMidway } from "./mid_conversation.ts";
import { pinnedText } from "./pinned.ts";
import { isRetrievalWorthIt, residentTools } from "./tool_deferral.ts";
import { wentUndeclared } from "./undeclared.ts";

/** What is pinned to a conversation that begins, or that is first seen in its middle; `undefined` for nothing. */
export function pinnedToNew(
  parts: CompressParts,
  facts: ConversationFacts,
  wanted: ToolsWanted,
): string | undefined {
  const { input: { format }, scan } = facts;
  if (!scan.begun) {
    return wentUndeclared(parts, facts)
      ? undefined
      : pinnedAtBeginning(parts, facts, wanted);
  }
  // Nothing else is worth the prefix: it cannot be known before the results are looked at.
  return wanted.mayAdd && wanted.needsRetrieval && mayPayMidway(parts, facts) &&
      !wentUndeclared(parts, facts)
    ? pinnedText({ definitions: [format.retrieval.definition] })
    : undefined;
}

function pinnedAtBeginning(
  parts: CompressParts,
  facts: ConversationFacts,
  wanted: ToolsWanted,
): string | undefined {
  const { input: { format, output, compactsTools }, scan, key } = facts;
  const { retrieval: { definition, deferral } } = format;
  const own = isDeclared(parts, facts, wanted) ? [definition] : [];
  const resident = wanted.mayAdd
    ? residentOf(parts, facts, own.length)
    : undefined;
  return pinnedText({
    definitions: resident === undefined
      ? own
      : [...own, deferral!.searchDefinition],
    ...resident && { resident, model: scan.model },
    ...compactsTools && wanted.mayAdd && { isCompact: true },
    ...output && parts.shaper.pinned(output, key),
  });
}

/** Whether the conversation has the retrieval tool from its beginning. */
function isDeclared(
  parts: CompressParts,
  { input: { client = "" }, scan, key }: ConversationFacts,
  { mayAdd, needsRetrieval }: ToolsWanted,
): boolean {
  if (!mayAdd || !parts.ccr || !needsRetrieval) return false;
  const names = scan.tools?.names ?? [];
  return isRetrievalWorthIt(names, parts.habits.of(client)) || isTrial(key) ||
    parts.userMessages && holdsLongText(scan);
}

/** Tools whose definitions stay where the others are loaded on demand; `undefined` where all stay. @param added Tools that are added. */
function residentOf(
  parts: CompressParts,
  { input, scan }: ConversationFacts,
  added: number,
): readonly string[] | undefined {
  const { format: { retrieval: { deferral }, promptCache }, body } = input;
  const hasRoom = (scan.tools?.count ?? 0) + added < MAX_TOOLS;
  if (!hasRoom || !deferral || !input.defersTools?.(scan.model)) {
    return undefined;
  }
  return parts.attempt.now(
    "defer_tools",
    () =>
      residentTools({
        tools: readTools(body, scan.tools!.span),
        bodyBytes: body.length,
        habits: parts.habits.of(input.client ?? ""),
        deferral,
        promptCache,
      }),
    undefined,
  );
}

/** Bytes of a user's text beside which the definition of our tool is next to nothing. */
const LONG_TEXT = 16 * 1024;

/** Whether a user may have pasted much of what can be left out. */
function holdsLongText({ blocks }: Pick<BodyScan, "blocks">): boolean {
  return blocks.some(({ isUserText, span: { start, end } }) =>
    isUserText && end - start >= LONG_TEXT
  );
}

/** Whether a conversation has the retrieval tool whatever is expected of it: one in sixteen, so that habits may change. */
function isTrial(key: ConversationKey): boolean {
  return key.endsWith("0");
}
