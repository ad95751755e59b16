/** Texts of a request that a later result may repeat: results, arguments of the model's calls, what users wrote. @module */
import { hash } from "node:crypto";
import { objectOr, parseJson } from "../bytes/json_parts.ts";
import { decodeLiteral } from "../bytes/json_string.ts";
import type { BlockRef, ByteSpan } from "../core/block.ts";
import type { BodyScan } from "../core/format.ts";
import type { BlockKey, CcrKey } from "../core/store.ts";
import { cutText } from "../bytes/cut_text.ts";

/** A part of a body that has texts. */
export type EarlierPart =
  & {
    /** Its bytes. */
    readonly span: ByteSpan;
  }
  & (
    | {
      readonly kind: "result";
      /** Index of the block. */
      readonly block: number;
    }
    | {
      readonly kind: "call";
      readonly id: string;
      readonly name: string | undefined;
    }
    | { readonly kind: "user" }
  );

/** The parts of a body that begin before `end`, in its order. O(parts). */
export function* earlierParts(
  { blocks, calls, userTexts }: Pick<
    BodyScan,
    "blocks" | "calls" | "userTexts"
  >,
  end: number,
): Generator<EarlierPart, void, undefined> {
  let [block, call, user] = [0, 0, 0];
  while (true) {
    while (blocks[block]?.isUserText) block++;
    const result = blocks[block]?.span ?? NOWHERE;
    while (call < calls.length && !calls[call]![1].args) call++;
    const args = calls[call]?.[1].args ?? NOWHERE;
    const said = userTexts[user] ?? NOWHERE;
    const start = Math.min(result.start, args.start, said.start);
    if (start >= end) return;
    if (start === result.start) {
      yield { kind: "result", span: result, block: block++ };
      // An item that is edited may be a text of a user, too.
      if (start === said.start) user++;
    } else if (start === args.start) {
      const [id, { name }] = calls[call++]!;
      yield { kind: "call", span: args, id, name };
    } else yield { kind: "user", span: userTexts[user++]! };
  }
}

/** Behind everything. */
const NOWHERE: ByteSpan = { start: Infinity, end: Infinity };

/** What a part is called; others may be called the same. */
export interface PartName {
  /** What it is: `result of Read src/a.ts`. */
  readonly noun: string;
  /** File that it is from; empty when unknown. */
  readonly path: string;
}

/** One text of a part. */
export interface EarlierText {
  /** The text. */
  readonly text: string;
  /** Said before the name of the part: `the `, `"content" of your `. */
  readonly before: string;
  /** Names it in the needs of a form. */
  readonly need: string;
  /** Whether it is a patch, whose lines begin with a sign. */
  readonly isPatch: boolean;
}

/** Digest of a text. */
/** Digest of a text. */
export type KeyOf = (text: string) => CcrKey;

/** Name of a result. */
export function needOfResult(key: BlockKey): string {
  return `r${key}`;
}

/** Name of a text in the arguments of call `id`. */
export function needOfCall(keyOf: KeyOf, id: string, text: string): string {
  return `c${keyOf(text)}${id}`;
}

/** Name of what a user wrote; it begins with its length. */
export function needOfUser(keyOf: KeyOf, text: string): string {
  return `u${text.length}:${keyOf(text)}`;
}

/** Digest of the bytes of a part. */
export function digestOf(body: Uint8Array, { start, end }: ByteSpan): string {
  return hash("sha256", body.subarray(start, end), "base64");
}

/** The texts of a call or of a user; none where they cannot be read. */
export function textsOf(
  body: Uint8Array,
  part: Exclude<EarlierPart, { kind: "result" }>,
  keyOf: KeyOf,
): readonly EarlierText[] {
  if (part.kind === "call") {
    return callTexts(valueOf(body, part.span)).map(({ text, key }) => {
      const isPatch = PATCH.test(text);
      const what = key === "" ? "" : `"${key}" of `;
      return {
        text,
        before: `${isPatch ? "the patch in " : ""}${what}your `,
        need: needOfCall(keyOf, part.id, text),
        isPatch,
      };
    });
  }
  const text = decodeLiteral(body, part.span);
  if (text === undefined) return [];
  const need = needOfUser(keyOf, text);
  return [{ text, before: "the ", need, isPatch: false }];
}

/** What a part is called. */
export function nameOf(
  body: Uint8Array,
  { blocks }: Pick<BodyScan, "blocks">,
  part: EarlierPart,
): PartName {
  switch (part.kind) {
    case "result":
      return nameOfResult(body, blocks[part.block]!);
    case "call":
      return nameOfCall("call", part.name, objectOr(valueOf(body, part.span)));
    case "user":
      return nameOfUser(decodeLiteral(body, part.span) ?? "");
  }
}

function nameOfResult(
  body: Uint8Array,
  { toolName, call, part }: BlockRef,
): PartName {
  const args = call && objectOr(valueOf(body, call));
  const { noun, path } = nameOfCall("result", toolName, args ?? {});
  return { noun: part === 0 ? noun : `${noun}, part ${part + 1}`, path };
}

function nameOfUser(text: string): PartName {
  const begin = oneLine(text.trimStart(), MAX_BEGIN);
  const noun = begin === "" ? "text of the user" : `user text "${begin}"`;
  return { noun, path: "" };
}

/** `the last result of Read src/a.ts`: whoever reads on from there backwards finds it. */
export function whereText(
  { before, noun, back }: Pick<EarlierText, "before"> & {
    readonly noun: string;
    readonly back: number;
  },
): string {
  return `${before}${back === 1 ? "" : `${ordinal(back)}-`}last ${noun}`;
}

function ordinal(nth: number): string {
  const isTeen = nth % 100 > 10 && nth % 100 < 14;
  const ending = isTeen ? undefined : ["st", "nd", "rd"][nth % 10 - 1];
  return `${nth}${ending ?? "th"}`;
}

/** UTF-16 units of words that name a text. */
const MAX_NAME = 60;
const MAX_BEGIN = 40;
const MAX_PATH = 200;
const PATH_KEYS = [
  ...["file_path", "path", "filePath", "target_file", "absolute_path"],
  ...["relative_path", "notebook_path", "filename", "file"],
];
const OTHER_KEYS = ["command", "cmd", "script", "pattern", "query", "url"];

function nameOfCall(
  what: "result" | "call",
  name = "a tool",
  args: Readonly<Record<string, unknown>>,
): PartName {
  const path = PATH_KEYS.map((key) => args[key]).find(isText) ?? "";
  const other = OTHER_KEYS.map((key) => lastOf(args[key])).find(isText);
  const noun = `${what} of ${oneLine(name, MAX_NAME)}`;
  if (path !== "") return { noun: `${noun} ${oneLine(path, MAX_PATH)}`, path };
  if (other === undefined) return { noun, path };
  return { noun: `${noun} "${oneLine(other, MAX_NAME)}"`, path };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The line of a command that is given word by word. */
function lastOf(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : value;
}

/** What could be read as a marker. */
const MARKER_LIKE = /hash=|<<ccr:|\[↑/gi;

/** The beginning of a text, on one line and without anything that a form may not hold. */
function oneLine(text: string, most: number): string {
  // deno-lint-ignore no-control-regex
  const line = text.slice(0, 2 * most).replace(/[\s\0-\x1f\x7f-\x9f]+/g, " ")
    .replace(MARKER_LIKE, "").trim();
  return line.length <= most ? line : `${cutText(line, most)}…`;
}

/** A patch as models write it for `apply_patch`. */
const PATCH = /^\*\*\* Begin Patch\s*$/m;

/** Values within values that are looked into. */
const MAX_DEPTH = 4;
/** Bytes of arguments that are read. */
const MAX_ARGUMENTS = 256 * 1024;

const decoder = new TextDecoder();
const QUOTE = 0x22;

/** What the arguments are: JSON, or a string that may hold JSON. */
export function valueOf(body: Uint8Array, { start, end }: ByteSpan): unknown {
  if (end - start > MAX_ARGUMENTS) return undefined;
  const value = body[start] === QUOTE
    ? decodeLiteral(body, { start, end })
    : parseJson(decoder.decode(body.subarray(start, end)));
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  return parseJson(value) ?? value;
}

/** A text among the arguments of a call. */
export interface CallText {
  /** The text. */
  readonly text: string;
  /** The member that holds it; empty where the arguments are a text. */
  readonly key: string;
}

/** The texts of several lines among the arguments of a call. */
export function callTexts(value: unknown): readonly CallText[] {
  const found: CallText[] = [];
  const collect = (value: unknown, key: string, depth: number) => {
    if (typeof value === "string") {
      if (value.includes("\n") && value.isWellFormed()) {
        found.push({ text: value, key });
      }
    } else if (typeof value === "object" && value !== null && depth > 0) {
      const isList = Array.isArray(value);
      for (const [name, inner] of Object.entries(value)) {
        const member = oneLine(name, MAX_BEGIN);
        const path = key === "" ? member : `${key}.${member}`;
        collect(inner, isList ? `${key}[${name}]` : path, depth - 1);
      }
    }
  };
  collect(value, "", MAX_DEPTH);
  return found;
}

/** Digits of a digest. */
export const DIGEST = 24;
