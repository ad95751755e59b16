/** Marks on the client's definitions that say which are loaded on demand. @module */
import { compactTool } from "../bytes/compact_tool.ts";
import type { ToolDefinition } from "../bytes/tool_definitions.ts";
import type { Edit } from "../core/block.ts";
import type { DeferralFormat } from "../core/deferral.ts";

/** Whether a definition is the client's own and says nothing of loading: the provider's own tools stay as they are. */
export function mayDefer(
  { name, type, isDeferred }: ToolDefinition,
  { types }: Pick<DeferralFormat, "types">,
): boolean {
  return name !== "" && isDeferred === undefined && types.has(type);
}

/**
 * Marks each deferred definition. A cache mark may not be on one: it goes to the last that stays.
 * https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-use-with-prompt-caching
 */
export function marks(
  array: Uint8Array,
  tools: readonly ToolDefinition[],
  deferred: ReadonlySet<ToolDefinition>,
): readonly Edit[] {
  const lastMarked = tools.findLast(({ cacheMark }) => cacheMark);
  const lastMark = lastMarked && deferred.has(lastMarked)
    ? lastMarked.cacheMark
    : undefined;
  const lastResident = tools.findLast((tool) =>
    !deferred.has(tool) && !tool.isDeferred && tool.name !== ""
  );
  return tools.flatMap((tool) => {
    const { span, cacheMark } = tool;
    if (deferred.has(tool)) {
      // In place of the cache mark, so that no comma is too many.
      return cacheMark
        ? [{ span: cacheMark, replacement: utf8.encode(DEFER) }]
        : [insertion(span.start + 1, `${DEFER},`)];
    }
    if (tool !== lastResident || cacheMark || lastMark === undefined) return [];
    const mark = array.subarray(lastMark.start, lastMark.end);
    return [insertion(span.start + 1, `${decoder.decode(mark)},`)];
  });
}

/** The same, where definitions that stay are written anew: the marks stand at their beginning. */
export function compacted(
  array: Uint8Array,
  { tools, deferred, marked }: {
    readonly tools: readonly ToolDefinition[];
    readonly deferred: ReadonlySet<ToolDefinition>;
    readonly marked: readonly Edit[];
  },
): readonly Edit[] {
  return tools.flatMap((tool) => {
    const { start, end } = tool.span;
    const own = marked.filter(({ span }) =>
      span.start > start && span.end < end
    );
    if (deferred.has(tool)) return own;
    const inner = compactTool(array, tool.span).slice(1);
    const mark = own.map(({ replacement }) => decoder.decode(replacement));
    const replacement = utf8.encode(`{${mark.join("")}${inner}`);
    return replacement.length < end - start + (own[0]?.replacement.length ?? 0)
      ? [{ span: tool.span, replacement }]
      : own;
  });
}

const DEFER = '"defer_loading":true';
const utf8 = new TextEncoder();
const decoder = new TextDecoder();

/** Puts `text` at an offset. */
export function insertion(at: number, text: string): Edit {
  return { span: { start: at, end: at }, replacement: utf8.encode(text) };
}
