/** What a conversation's requests add to their tools: definitions of ours, and marks that defer others. @module */
import { compacted, insertion, marks, mayDefer } from "./deferred_marks.ts";
import { concat } from "../bytes/concat.ts";
import { commonPrefix } from "../bytes/common_prefix.ts";
import {
  elementsOf,
  objectOr,
  parseJson,
  textOr,
} from "../bytes/json_parts.ts";
import { readTools, type ToolDefinition } from "../bytes/tool_definitions.ts";
import type { ByteSpan, Edit } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";
import type { DeferralFormat } from "../core/deferral.ts";
import { RETRIEVAL_TOOL } from "../core/retrieval.ts";
import type { CountedSpan } from "../core/tokens.ts";
import { type ReadPinned, readPinned } from "./pinned.ts";

/** The edits that add the tools to one body. */
export interface ToolEdits {
  /** Edits within the tool array, in order. */
  readonly edits: readonly Edit[];
  /** Names of the tools that are deferred. */
  readonly deferred: ReadonlySet<string>;
  /** Their definitions, by name. */
  readonly definitions: ReadonlyMap<string, DeferredTool>;
  /** What is written anew. */
  readonly rewritten: Rewritten | undefined;
  /** Present where tools were to be deferred, and the provider has refused that. */
  readonly isRefused?: true;
}

/** A definition that is loaded on demand. */
export interface DeferredTool {
  /** The whole definition. */
  readonly span: ByteSpan;
  /** The part of it that is not in the prompt. */
  readonly saved: CountedSpan;
}

/** Definitions that are written in fewer bytes. */
export interface Rewritten {
  /** As the client wrote them. */
  readonly spans: readonly CountedSpan[];
  /** As they are sent, one behind the other. */
  readonly text: Uint8Array;
  /** Names `text`. */
  readonly id: string;
}

/** Adds nothing. */
export const NO_TOOL_EDITS: ToolEdits = {
  edits: [],
  deferred: new Set(),
  definitions: new Map(),
  rewritten: undefined,
};

/** What is to be added to the tools of a body. */
export interface WantedTools {
  /** As {@linkcode pinnedText} wrote it. */
  readonly pinned: string;
  /** Of the body's format; `undefined` where nothing may be deferred. */
  readonly deferral: DeferralFormat | undefined;
  /** Deferred tools that were found before; none unless given. */
  readonly loaded?: ReadonlySet<string>;
}

/** Tool arrays whose edits are remembered. */
const MAX_ARRAYS = 16;

/** Edits of one tool array, with offsets from its start. */
interface KnownArray extends ArrayKey {
  readonly array: Uint8Array;
  readonly made: ToolEdits;
}

/** What they depend on beside the array. */
interface ArrayKey {
  readonly pinned: string;
  readonly deferral: DeferralFormat | undefined;
  readonly forced: string | undefined;
}

function isSame(a: ArrayKey, b: ArrayKey): boolean {
  return a.pinned === b.pinned && a.deferral === b.deferral &&
    a.forced === b.forced;
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
   */
  edits(
    body: Uint8Array,
    scan: BodyScan,
    { loaded, ...wanted }: WantedTools,
  ): ToolEdits {
    if (scan.tools === undefined) return NO_TOOL_EDITS;
    const { start, end } = scan.tools.span;
    const array = body.subarray(start, end);
    const called = forcedTool(body, scan);
    const forced = called && loaded?.has(called) ? undefined : called;
    const key = { ...wanted, forced };
    const known =
      this.#known.find((one) =>
        isSame(one, key) && isEqual(one.array, array)
      ) ??
        this.#make(array, key);
    return moved(known.made, start);
  }

  #make(array: Uint8Array, key: ArrayKey): KnownArray {
    const made = this.#editsOf(array, readPinned(key.pinned), key);
    const known = { ...key, array: array.slice(), made };
    this.#known = [known, ...this.#known.slice(0, MAX_ARRAYS - 1)];
    return known;
  }

  #editsOf(
    array: Uint8Array,
    { definitions, resident, isCompact }: ReadPinned,
    { deferral, forced }: ArrayKey,
  ): ToolEdits {
    const end = array.length - 1;
    if (resident === undefined && !isCompact) {
      return { ...NO_TOOL_EDITS, edits: addition(end, definitions) };
    }
    const tools = readTools(array, { start: 0, end: array.length });
    const isResident = (tool: ToolDefinition) =>
      resident === undefined || deferral === undefined ||
      !mayDefer(tool, deferral) || tool.name === forced ||
      resident.has(tool.name);
    const deferred = tools.filter((tool) => !isResident(tool));
    const own = deferred.length === 0
      ? withoutSearch(definitions)
      : definitions;
    const marked = marks(array, tools, new Set(deferred));
    const edits = isCompact
      ? compacted(array, { tools, deferred: new Set(deferred), marked })
      : marked;
    return {
      edits: [...edits, ...addition(end, own)],
      deferred: new Set(deferred.map(({ name }) => name)),
      definitions: new Map(deferred.map(({ name, span, parameters = span }) => {
        const saved = deferral?.isSchemaOnly ? parameters : span;
        return [name, { span, saved: this.#counted(array, saved) }];
      })),
      rewritten: isCompact ? this.#rewritten(array, tools, edits) : undefined,
    };
  }

  /** Edits of whole definitions. */
  #rewritten(
    array: Uint8Array,
    tools: readonly ToolDefinition[],
    edits: readonly Edit[],
  ): Rewritten | undefined {
    const starts = new Set(tools.map(({ span }) => span.start));
    const whole = edits.filter(({ span }) => starts.has(span.start));
    if (whole.length === 0) return undefined;
    const text = concat(whole.map(({ replacement }) => replacement));
    return {
      spans: whole.map(({ span }) => this.#counted(array, span)),
      text,
      id: `tools:${this.#digest(decoder.decode(text))}`,
    };
  }

  #counted(array: Uint8Array, span: ByteSpan): CountedSpan {
    const text = decoder.decode(array.subarray(span.start, span.end));
    return { ...span, id: `tool:${this.#digest(text)}` };
  }
}

/** Our definitions, where nothing can be searched for. */
function withoutSearch(definitions: string): string {
  return elementsOf(`[${definitions}]`)
    .filter((json) => json.includes(`"${RETRIEVAL_TOOL}"`)).join(",");
}

/** Our definitions, behind the client's last one. */
function addition(end: number, definitions: string): readonly Edit[] {
  return definitions === "" ? [] : [insertion(end, `,${definitions}`)];
}

function moved(
  { edits, deferred, definitions, rewritten }: ToolEdits,
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
      [...definitions].map(([name, { span, saved }]) =>
        [name, { span: at(span), saved: at(saved) }] as const
      ),
    ),
    rewritten: rewritten && { ...rewritten, spans: rewritten.spans.map(at) },
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

const decoder = new TextDecoder();
