/** What a conversation's requests add to their tools: definitions of ours, and marks that defer others. @module */
import { compactTool } from "../bytes/compact_tool.ts";
import { commonPrefix } from "../bytes/common_prefix.ts";
import { objectOr, parseJson, textOr } from "../bytes/json_parts.ts";
import { readTools, type ToolDefinition } from "../bytes/tool_definitions.ts";
import type { ByteSpan, Edit } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";
import type { CountedSpan } from "../core/tokens.ts";
import { type ReadPinned, readPinned } from "./pinned.ts";

/** The edits that add the tools to one body. */
export interface ToolEdits {
  /** Edits within the tool array, in order. */
  readonly edits: readonly Edit[];
  /** Names of the tools that are deferred. */
  readonly deferred: ReadonlySet<string>;
  /** Their definitions, by name. */
  readonly definitions: ReadonlyMap<string, CountedSpan>;
}

/** Adds nothing. */
export const NO_TOOL_EDITS: ToolEdits = {
  edits: [],
  deferred: new Set(),
  definitions: new Map(),
};

/** Tool arrays whose edits are remembered. */
const MAX_ARRAYS = 16;

/** Edits of one tool array, with offsets from its start. */
interface KnownArray {
  readonly array: Uint8Array;
  readonly pinned: string;
  readonly forced: string | undefined;
  readonly made: ToolEdits;
}

/** Makes the edits; those of the last tool arrays are remembered, since a client sends the same one again and again. */
export class ToolEditor {
  readonly #digest: (text: string) => string;
  #known: readonly KnownArray[] = [];

  /** `digest` names a definition, for whoever counts it. */
  constructor(digest: (text: string) => string) {
    this.#digest = digest;
  }

  /**
   * The edits for one body; none if it has no tools.
   *
   * @param pinned As {@linkcode pinnedText} wrote it.
   */
  edits(body: Uint8Array, scan: BodyScan, pinned: string): ToolEdits {
    if (scan.tools === undefined) return NO_TOOL_EDITS;
    const { start, end } = scan.tools.span;
    const array = body.subarray(start, end);
    const forced = forcedTool(body, scan);
    const known =
      this.#known.find((one) =>
        one.pinned === pinned && one.forced === forced &&
        isEqual(one.array, array)
      ) ?? this.#make(array, pinned, forced);
    return moved(known.made, start);
  }

  #make(
    array: Uint8Array,
    pinned: string,
    forced: string | undefined,
  ): KnownArray {
    const made = this.#editsOf(array, readPinned(pinned), forced);
    const known = { array: array.slice(), pinned, forced, made };
    this.#known = [known, ...this.#known.slice(0, MAX_ARRAYS - 1)];
    return known;
  }

  #editsOf(
    array: Uint8Array,
    { definitions, resident, isCompact }: ReadPinned,
    forced: string | undefined,
  ): ToolEdits {
    const end = array.length - 1;
    const added = definitions === "" ? [] : [insertion(end, `,${definitions}`)];
    if (resident === undefined && !isCompact) {
      return { ...NO_TOOL_EDITS, edits: added };
    }
    const tools = readTools(array, { start: 0, end: array.length });
    const isResident = (tool: ToolDefinition) =>
      resident === undefined || !mayDefer(tool) || tool.name === forced ||
      resident.has(tool.name);
    const deferred = tools.filter((tool) => !isResident(tool));
    return {
      edits: isCompact
        ? [...compacted(array, tools, new Set(deferred)), ...added]
        : [...marks(array, tools, new Set(deferred)), ...added],
      deferred: new Set(deferred.map(({ name }) => name)),
      definitions: new Map(deferred.map(({ name, span }) => {
        const text = decoder.decode(array.subarray(span.start, span.end));
        return [name, { ...span, id: `tool:${this.#digest(text)}` }];
      })),
    };
  }
}

/** Whether a definition is the client's own and says nothing of loading: the provider's own tools stay as they are. */
export function mayDefer(
  { name, type, isDeferred }: ToolDefinition,
): boolean {
  return name !== "" && isDeferred === undefined &&
    (type === "" || type === "custom");
}

/**
 * Marks each deferred definition. A cache mark may not be on one: it goes to the last that stays.
 * https://docs.claude.com/en/docs/agents-and-tools/tool-use/tool-use-with-prompt-caching
 */
function marks(
  array: Uint8Array,
  tools: readonly ToolDefinition[],
  deferred: ReadonlySet<ToolDefinition>,
): readonly Edit[] {
  const lastMarked = tools.findLast(({ cacheMark }) => cacheMark);
  const lastMark = lastMarked && deferred.has(lastMarked)
    ? lastMarked.cacheMark
    : undefined;
  const lastResident = tools.findLast((tool) =>
    !deferred.has(tool) && !tool.isDeferred
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
function compacted(
  array: Uint8Array,
  tools: readonly ToolDefinition[],
  deferred: ReadonlySet<ToolDefinition>,
): readonly Edit[] {
  const marked = marks(array, tools, deferred);
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

function insertion(at: number, text: string): Edit {
  return { span: { start: at, end: at }, replacement: utf8.encode(text) };
}

function moved(
  { edits, deferred, definitions }: ToolEdits,
  by: number,
): ToolEdits {
  const at = <T extends ByteSpan>(span: T): T => ({
    ...span,
    start: span.start + by,
    end: span.end + by,
  });
  return {
    edits: edits.map(({ span, replacement }) => ({
      span: at(span),
      replacement,
    })),
    deferred,
    definitions: new Map(
      [...definitions].map(([name, span]) => [name, at(span)]),
    ),
  };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  const whole = (bytes: Uint8Array) => ({
    bytes,
    span: { start: 0, end: bytes.length },
  });
  return a.length === b.length &&
    commonPrefix(whole(a), whole(b)) === a.length;
}

/** The tool that the model must call: it cannot be searched for first. */
function forcedTool(
  body: Uint8Array,
  { toolChoice }: BodyScan,
): string | undefined {
  if (toolChoice === undefined) return undefined;
  const { start, end } = toolChoice;
  const { name } = objectOr(
    parseJson(decoder.decode(body.subarray(start, end))),
  );
  return textOr(name) || undefined;
}
