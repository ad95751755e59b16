/** What a conversation's requests add to their tools: definitions of ours, and marks that defer others. @module */
import { commonPrefix } from "../bytes/common_prefix.ts";
import { objectOr, parseJson, textOr } from "../bytes/json_parts.ts";
import { readTools, type ToolDefinition } from "../bytes/tool_definitions.ts";
import type { ByteSpan, Edit } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";
import { RETRIEVAL_TOOL, SEARCH_TOOL } from "../core/retrieval.ts";
import type { CountedSpan } from "../core/tokens.ts";

/** What is added; the same from the first request of a conversation to its last. */
export interface AddedTools {
  /** Definitions that follow the client's last tool: JSON objects separated by commas; not empty. */
  readonly definitions: string;
  /** Names of the client's tools that stay in the prompt, all others are deferred; `undefined` where none is. */
  readonly resident: ReadonlySet<string> | undefined;
}

/**
 * Writes down what is added, as it is kept for the conversation.
 *
 * @param resident See {@linkcode AddedTools.resident}.
 * @returns The definitions; where tools are deferred, a line break and the names as a JSON array behind them.
 */
export function pinnedTools(
  definitions: readonly string[],
  resident?: readonly string[],
): string {
  const text = definitions.join(",");
  return resident === undefined ? text : `${text}\n${JSON.stringify(resident)}`;
}

/** Reads what {@linkcode pinnedTools} wrote. */
export function addedTools(pinned: string): AddedTools {
  if (pinned === last.pinned) return last.added;
  const [definitions = "", names] = pinned.split("\n");
  const resident = names === undefined
    ? undefined
    : new Set(JSON.parse(names) as string[]);
  last = { pinned, added: { definitions, resident } };
  return last.added;
}
let last: { readonly pinned: string; readonly added: AddedTools } = {
  pinned: "",
  added: { definitions: "", resident: undefined },
};

/** Whether the definitions have a tool of this name. */
function adds({ definitions }: AddedTools, name: string): boolean {
  return definitions.includes(`"${name}"`);
}

/** Whether the model gets our retrieval tool. */
export function addsRetrieval(pinned: string): boolean {
  return adds(addedTools(pinned), RETRIEVAL_TOOL);
}

/** Whether one of the client's tools has the name of one that is added: a provider would refuse both together. */
export function clashes(pinned: string, names: readonly string[]): boolean {
  return names.some((name) =>
    (name === RETRIEVAL_TOOL || name === SEARCH_TOOL) &&
    adds(addedTools(pinned), name)
  );
}

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
   * @param pinned As {@linkcode pinnedTools} wrote it.
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
    const made = this.#editsOf(array, addedTools(pinned), forced);
    const known = { array: array.slice(), pinned, forced, made };
    this.#known = [known, ...this.#known.slice(0, MAX_ARRAYS - 1)];
    return known;
  }

  #editsOf(
    array: Uint8Array,
    { definitions, resident }: AddedTools,
    forced: string | undefined,
  ): ToolEdits {
    const end = array.length - 1;
    const added = insertion(end, `,${definitions}`);
    if (resident === undefined) return { ...NO_TOOL_EDITS, edits: [added] };
    const tools = readTools(array, { start: 0, end: array.length });
    const isResident = (tool: ToolDefinition) =>
      !mayDefer(tool) || tool.name === forced || resident.has(tool.name);
    const deferred = tools.filter((tool) => !isResident(tool));
    return {
      edits: [...marks(array, tools, new Set(deferred)), added],
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
