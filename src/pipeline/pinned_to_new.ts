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
  { input, scan, key }: ConversationFacts,
  { mayAdd, needsRetrieval }: ToolsWanted,
): string | undefined {
  const { format: { retrieval, promptCache }, body } = input;
  const habits = parts.habits.of(input.client ?? "");
  const names = scan.tools?.names ?? [];
  const isDeclared = mayAdd && parts.ccr && needsRetrieval &&
    (isRetrievalWorthIt(names, habits) || isTrial(key) ||
      parts.userMessages && holdsLongText(scan));
  const own = isDeclared ? [retrieval.definition] : [];
  const { deferral } = retrieval;
  const hasRoom = (scan.tools?.count ?? 0) + own.length < MAX_TOOLS;
  const resident = mayAdd && hasRoom && deferral &&
      input.defersTools?.(scan.model)
    ? parts.attempt.now(
      "defer_tools",
      () =>
        residentTools({
          tools: readTools(body, scan.tools!.span),
          bodyBytes: body.length,
          habits,
          deferral,
          promptCache,
        }),
      undefined,
    )
    : undefined;
  return pinnedText({
    definitions: resident === undefined
      ? own
      : [...own, deferral!.searchDefinition],
    ...resident && { resident, model: scan.model },
    ...input.compactsTools && mayAdd && { isCompact: true },
    ...input.output && parts.shaper.pinned(input.output, key),
  });
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
