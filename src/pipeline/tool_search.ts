/** Finds deferred tools by their names, or by words of their names, descriptions and parameters. @module */
import { objectOr, parseJson, textOr } from "../bytes/json_parts.ts";
import type { LoadedTool } from "../core/retrieval.ts";
import type { DeferredTool } from "./added_tools.ts";

/** Tools that are loaded at a time. */
const MAX_FOUND = 5;
/** A tool that fits worse than this share of the best is not loaded. */
const LEAST_SHARE = 0.4;
/** Names that are listed where nothing fits. */
const MAX_LISTED = 100;
/** Definitions that are read at a time: a millisecond of work. */
const CHUNK = 8;
/** UTF-16 units of a description that are read. */
const MAX_DESCRIPTION = 1000;
/** Parameters of a tool that are read. */
const MAX_PARAMETERS = 40;
/** UTF-16 units of a query that are read. */
const MAX_QUERY = 500;

/** Where a search looks. */
export interface SearchedTools {
  /** The deferred tools, by name. */
  readonly definitions: ReadonlyMap<string, DeferredTool>;
  /** Names of all tools of the request. */
  readonly listed: readonly string[];
  /** Lets others have their turn. */
  readonly pause: () => Promise<void>;
}

/** What a search says: names of tools to load, or a text where none fits. */
export interface ToolsFound {
  /** Text for the model: JSON. */
  readonly content: string;
  /** The best first; absent for none. */
  readonly loads?: readonly LoadedTool[];
}

/**
 * Searches the definitions of a request.
 *
 * @param body The request's body.
 * @param tools The tools in it.
 * @param query Names, or words.
 */
export async function findTools(
  body: Uint8Array,
  { definitions: deferred, listed, pause }: SearchedTools,
  query: string,
): Promise<ToolsFound> {
  const definitions = new Map(
    [...deferred].map(([name, { span: { start, end } }]) =>
      [name, decoder.decode(body.subarray(start, end))] as const
    ),
  );
  const asked = query.slice(0, MAX_QUERY);
  const here = namedIn(asked, listed.filter((name) => !deferred.has(name)));
  if (here.length > 0) {
    return { content: JSON.stringify({ listed_already: here }) };
  }
  const named = namedIn(asked, [...definitions.keys()]);
  const names = named.length > 0
    ? named
    : await bestFits({ definitions, pause }, asked);
  if (names.length === 0) {
    const known = [...definitions.keys()].slice(0, MAX_LISTED);
    return { content: JSON.stringify({ found: 0, tools: known }) };
  }
  const loads = names.map((name) => ({
    name,
    definition: definitions.get(name)!,
  }));
  return { content: "", loads };
}

/** Tools whose whole name stands in the query, in its order: `select:TaskCreate,TaskList`. */
function namedIn(
  query: string,
  names: readonly string[],
): readonly string[] {
  const lower = new Map(names.map((name) => [name.toLowerCase(), name]));
  const words = query.toLowerCase().match(/[\w.:/-]+/g) ?? [];
  const found = words.flatMap((word) =>
    lower.get(word) ?? lower.get(word.replace(/^select:/, "")) ?? []
  );
  return [...new Set(found)].slice(0, MAX_FOUND);
}

/** The tools that fit best by BM25; names count most. */
async function bestFits(
  { definitions, pause }: Pick<SearchedTools, "pause"> & {
    readonly definitions: Definitions;
  },
  query: string,
): Promise<readonly string[]> {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch({
    idField: "name",
    fields: ["name", "description", "parameters"],
    tokenize: wordsOf,
    searchOptions: {
      boost: { name: 3, description: 1.5 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => term.length > 5 ? 0.2 : false,
    },
  });
  let read = 0;
  for (const [name, json] of definitions) {
    index.add({ ...wordsIn(json), name });
    if (++read % CHUNK === 0) await pause();
  }
  const found = index.search(query).slice(0, MAX_FOUND);
  const least = LEAST_SHARE * (found[0]?.score ?? 0);
  return found.filter(({ score }) => score >= least)
    .map(({ id }) => String(id));
}

const decoder = new TextDecoder();

/** JSON texts by name. */
type Definitions = ReadonlyMap<string, string>;

/** Description and parameter names of a definition. */
function wordsIn(
  json: string,
): { readonly description: string; readonly parameters: string } {
  const tool = objectOr(parseJson(json));
  const { properties } = objectOr(tool.input_schema ?? tool.parameters);
  return {
    description: textOr(tool.description).slice(0, MAX_DESCRIPTION),
    parameters: Object.keys(objectOr(properties)).slice(0, MAX_PARAMETERS)
      .join(" "),
  };
}

/** Words in lower case; names fall into their parts: `createIssue` and `create_issue` give two. */
function wordsOf(text: string): string[] {
  return text.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase()
    .match(/[\p{L}\d]+/gu) ?? [];
}
