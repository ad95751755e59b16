/** What a match says: a declaration is looked for more often than a use, an import less often. @module */
import { queryTerms } from "../../text/relevance.ts";

/** The row declares what the query names. */
export const WANTED = 0;
/** The row declares something else. */
export const DECLARES = 1;
/** Any other row. */
export const USES = 2;
/** The row imports, or is nothing but a comment. */
export const IMPORTS = 3;

/** Letters from which on a word may go on. */
const SHORTEST = 4;
/** What a name is declared with, in the usual languages, and the name. */
const DECLARATION =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|sealed|override|virtual|async|pub(?:\(\w+\))?|unsafe|extern|inline|open|data) +)*(?:function\*?|class|interface|type|enum|struct|trait|union|namespace|module|record|object|def|fn|func(?: \([^)]*\))?|fun|mod|macro_rules!|#define|CREATE (?:TABLE|VIEW|INDEX|FUNCTION)) +([A-Za-z_$][\w$]*)/i;
/** A variable counts only where it is not indented: elsewhere it is a use. */
const VARIABLE =
  /^(?:export +|pub(?:\(\w+\))? +)?(?:const|let|var|static|val) +(?:mut +)?([A-Za-z_$][\w$]*)/;
const IMPORT =
  /^(?:import\b|from +\S+ +import\b|use +[\w:{]|#include\b|require\b|export +(?:\*|\{[^}]*\}) +from\b|using +[\w.]+;|\/\/|\/\*|\* |#(?!define|include)|<!--|\}? *from +["'])/;

/**
 * Says what kind of row it is.
 *
 * @param text The matched line, without its number; its start is enough. @param terms Of the query, as `queryTerms` gives them.
 */
export function rankOf(text: string, terms: readonly string[]): number {
  const said = text.trimStart();
  const name = DECLARATION.exec(said)?.[1] ??
    (said.length === text.length ? VARIABLE.exec(said)?.[1] : undefined);
  if (name !== undefined) {
    const words = queryTerms(name);
    const isWanted = words.length > 0 &&
      words.every((word) => terms.some((term) => isAlike(word, term)));
    return isWanted ? WANTED : DECLARES;
  }
  return IMPORT.test(said) ? IMPORTS : USES;
}

/** The same word, or one that goes on: `resolve` and `resolved`. */
function isAlike(word: string, term: string): boolean {
  if (word.length < SHORTEST || term.length < SHORTEST) return word === term;
  return word.startsWith(term) || term.startsWith(word);
}
