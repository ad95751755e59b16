/** What the requests of a conversation add and change, decided when it begins and the same ever after. @module */
import { concat } from "../bytes/concat.ts";
import type { Edit } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";
import { SEARCH_TOOL } from "../core/deferral.ts";
import { RETRIEVAL_TOOL } from "../core/retrieval.ts";

/** What is pinned to a conversation. Every part is optional. */
export interface Pinned {
  /** Definitions of ours that follow the client's last tool: JSON texts. */
  readonly definitions?: readonly string[];
  /** Names of the client's tools that stay in the prompt, all others are deferred. */
  readonly resident?: readonly string[];
  /** The model that was asked when that was decided. */
  readonly model?: string;
  /** The definitions that stay are written without what no model reads. */
  readonly isCompact?: true;
  /** A sentence at the end of the first user message. */
  readonly instruction?: string;
  /** It could have been said, and is not, so that others can be compared with this conversation. */
  readonly isHeldOut?: true;
}

/**
 * Writes down what is pinned.
 *
 * @returns The definitions, separated by commas; behind a line break the rest as JSON, where there is any. `undefined`
 * for nothing.
 */
export function pinnedText(
  { definitions = [], ...rest }: Pinned,
): string | undefined {
  const text = definitions.join(",");
  const more = JSON.stringify(rest);
  if (more !== "{}") return `${text}\n${more}`;
  return text === "" ? undefined : text;
}

/** What is read of a pinned text. */
export interface ReadPinned extends Omit<Pinned, "definitions" | "resident"> {
  /** Definitions separated by commas; empty for none. */
  readonly definitions: string;
  /** See {@linkcode Pinned.resident}. */
  readonly resident?: ReadonlySet<string>;
}

/** Reads what {@linkcode pinnedText} wrote. */
export function readPinned(text: string): ReadPinned {
  if (text !== last.text) last = { text, pinned: parsed(text) };
  return last.pinned;
}

function parsed(text: string): ReadPinned {
  const [definitions = "", more = "{}"] = text.split("\n");
  const { resident, ...rest } = JSON.parse(more) as Pinned;
  return {
    ...rest,
    definitions,
    ...resident && { resident: new Set(resident) },
  };
}

/** Requests of one conversation follow each other. */
let last: { readonly text: string; readonly pinned: ReadPinned } = {
  text: "",
  pinned: { definitions: "" },
};

/** Whether one of our tools is added under this name. */
function adds({ definitions }: ReadPinned, name: string): boolean {
  return definitions.includes(`"${name}"`);
}

/** What only definitions of one format have, in the order in which it tells them apart. */
const SHAPES = [/"input_schema"\s*:/, /"function"\s*:/, /"parameters"\s*:/];

/** Whether what is pinned is written in the format of a definition: a conversation may go on in another one. */
export function isWrittenLike(text: string, definition: string): boolean {
  const { definitions } = readPinned(text);
  const shapeOf = (text: string) => SHAPES.findIndex((one) => one.test(text));
  return definitions === "" || shapeOf(definitions) === shapeOf(definition);
}

/** Whether the model gets our retrieval tool. */
export function addsRetrieval(text: string): boolean {
  return adds(readPinned(text), RETRIEVAL_TOOL);
}

/** Whether one of the client's tools has the name of one that is added: a provider would refuse both together. */
export function clashes(text: string, names: readonly string[]): boolean {
  return names.some((name) =>
    (name === RETRIEVAL_TOOL || name === SEARCH_TOOL) &&
    adds(readPinned(text), name)
  );
}

/** What is pinned beside the tools; `undefined` for nothing. */
export function withoutTools(text: string): string | undefined {
  const { instruction, isHeldOut } = readPinned(text);
  return pinnedText({
    ...instruction !== undefined && { instruction },
    ...isHeldOut && { isHeldOut },
  });
}

/** Writes what is said at the end of the first user message; none where it has no text. */
export function instructionEdits(
  { firstUserText }: BodyScan,
  text: string | undefined,
): readonly Edit[] {
  const { instruction } = text === undefined ? {} : readPinned(text);
  const literal = firstUserText.at(-1);
  if (instruction === undefined || literal === undefined) return [];
  const at = literal.end - QUOTE.length;
  const said = JSON.stringify(`\n\n${instruction}`).slice(1, -1);
  return [{
    span: { start: at, end: at },
    replacement: new TextEncoder().encode(said),
  }];
}
const QUOTE = new TextEncoder().encode('"');

/** The edit of a whole literal with what is inserted at the literal's end. */
export function withInsertions(
  edit: Edit,
  insertions: readonly Edit[],
): Edit {
  const end = edit.span.end - QUOTE.length;
  const inside = insertions.filter(({ span }) =>
    span.start === end && edit.span.start < end
  );
  if (inside.length === 0) return edit;
  const form = edit.replacement.subarray(0, -QUOTE.length);
  const said = inside.map(({ replacement }) => replacement);
  return { ...edit, replacement: concat([form, ...said, QUOTE]) };
}
