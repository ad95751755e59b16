/** Configuration in JSON, with comments or without. @module */
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import {
  ConfigFault,
  type ConfigFormat,
  type ConfigValues,
  isRecord,
  SERVER_NAME,
} from "./agent.ts";
import { insertProperty, removeProperty, replaceValue } from "./json_edits.ts";

/** What distinguishes one JSON configuration from another. */
export interface JsonFormatOptions {
  /** Key of the object that holds the servers. */
  readonly container: string;
  /** Whether the client takes comments and commas at the end. */
  readonly comments: boolean;
  /** What a new file begins with. */
  readonly head?: ConfigValues;
}

/** Makes the format. Its edits leave every byte outside the entry as it is, but for one comma. */
export function jsonFormat(options: JsonFormatOptions): ConfigFormat {
  const { container, head = {} } = options;
  const path = [container, SERVER_NAME];
  return {
    parse: (text) => valuesOf(treeOf(text, options)),
    set(text, value) {
      const root = treeOf(text, options);
      if (root === undefined) {
        const fresh = { ...head, [container]: { [SERVER_NAME]: value } };
        return JSON.stringify(fresh, null, 2) + "\n";
      }
      const entry = findNodeAtLocation(root, path);
      if (entry) return replaceValue(text, entry, value);
      const servers = findNodeAtLocation(root, [container]);
      if (servers === undefined) {
        const added = { [SERVER_NAME]: value };
        return insertProperty(text, root, { key: container, value: added });
      }
      if (servers.type !== "object") {
        throw new ConfigFault(
          `"${container}" is not an object`,
          lineAt(text, servers.offset),
        );
      }
      return insertProperty(text, servers, { key: SERVER_NAME, value });
    },
    remove(text, dropContainer) {
      const property = (from: string, keys: string[]) => {
        const root = treeOf(from, options);
        return root && findNodeAtLocation(root, keys)?.parent;
      };
      const entry = property(text, path);
      if (entry === undefined) return text;
      const rest = removeProperty(text, entry);
      const servers = property(rest, [container]);
      const isEmpty = servers?.children?.[1]?.children?.length === 0;
      return dropContainer && servers && isEmpty
        ? removeProperty(rest, servers)
        : rest;
    },
  };
}

/**
 * The tree of a text; `undefined` for a blank one.
 *
 * @throws {ConfigFault} If it is not an object, or not valid.
 */
export function treeOf(
  text: string,
  options: Pick<JsonFormatOptions, "comments">,
): Node | undefined {
  // A byte order mark is not JSON to the parser; a space in its place keeps all offsets.
  const plain = text.replace(/^\uFEFF/, " ");
  if (plain.trim() === "") return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(plain, errors, {
    disallowComments: !options.comments,
    allowTrailingComma: options.comments,
  });
  const [error] = errors;
  if (error) {
    const reason = printParseErrorCode(error.error)
      .replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
    throw new ConfigFault(
      `it is not valid JSON (${reason})`,
      lineAt(text, error.offset),
    );
  }
  if (root?.type !== "object") throw new ConfigFault("it is not an object", 1);
  return root;
}

/** The values of a tree; none for a blank text. */
export function valuesOf(root: Node | undefined): ConfigValues {
  const values: unknown = root === undefined ? {} : getNodeValue(root);
  return isRecord(values) ? values : {};
}

/** Line of an offset, from 1. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
