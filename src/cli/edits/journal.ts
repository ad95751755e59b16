/** What was edited in files of others: written before the edit, and the way back from it. @module */
import { isJsonObject } from "../../bytes/json_parts.ts";
import { isTextEdit } from "../agents/text_edit.ts";
import type { TextChangeMade } from "./file_plan.ts";
import { VALUE_FORMATS } from "./value_format.ts";

/** One file that was edited. */
export interface EditedFile extends TextChangeMade {
  /** Absolute path as it was named. */
  readonly path: string;
  /** Where its links ended. */
  readonly target: string;
  /** Digest of the text before the first edit; `null` when there was no file. */
  readonly digest: string | null;
  /** Directories that were made for it, outer ones first. */
  readonly directories: readonly string[];
}

/** A write that was begun: the file holds the one or the other. */
export interface PendingWrite {
  /** Where links ended. */
  readonly target: string;
  /** Digest of what it holds before; `null` for no file. */
  readonly from: string | null;
  /** Text that it is to hold; `null` for no file. */
  readonly to: string | null;
}

/** The edits of one owner. */
export interface Journal {
  /** Who edited, e.g. `wrap-claude`; name of the journal's file. */
  readonly owner: string;
  /** What was edited; empty when all of it is undone. */
  readonly files: readonly EditedFile[];
  /** Directories to be removed if they are empty, outer ones first. */
  readonly emptied: readonly string[];
  /** Writes that lead to `files`; none when they are done. */
  readonly pending: readonly PendingWrite[];
}

/** Version of the layout. */
const VERSION = 1;

/** Prints a journal. */
export function printJournal(journal: Journal): string {
  return JSON.stringify({ version: VERSION, ...journal }, null, 2) + "\n";
}

/**
 * Reads a journal.
 *
 * @throws {SyntaxError} If it is not one of this version.
 */
export function parseJournal(text: string): Journal {
  const value: unknown = JSON.parse(text);
  if (isJournal(value)) {
    const { owner, files, emptied, pending } = value;
    return { owner, files, emptied, pending };
  }
  throw new SyntaxError(`It is not a journal of version ${VERSION}`);
}

/** Whether a value is as it should be. */
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isTextOrNull: Check = (value) => value === null || isText(value);

function isListOf(isItem: Check): Check {
  return (value) => Array.isArray(value) && value.every(isItem);
}

function isObjectOf(members: Readonly<Record<string, Check>>): Check {
  return (value) =>
    isJsonObject(value) &&
    Object.entries(members).every(([name, isMember]) => isMember(value[name]));
}

const JOURNAL = isObjectOf({
  version: (value) => value === VERSION,
  owner: isText,
  files: isListOf(isObjectOf({
    ...{ path: isText, target: isText, before: isTextOrNull },
    ...{ digest: isTextOrNull, after: isText, directories: isListOf(isText) },
    format: (value) =>
      typeof value === "string" && Object.hasOwn(VALUE_FORMATS, value),
    steps: isListOf(isObjectOf({
      path: isListOf(isText),
      value: (value) => value !== undefined,
      edit: isTextEdit,
    })),
  })),
  emptied: isListOf(isText),
  pending: isListOf(
    isObjectOf({ target: isText, from: isTextOrNull, to: isTextOrNull }),
  ),
});

function isJournal(value: unknown): value is Journal {
  return JOURNAL(value);
}
