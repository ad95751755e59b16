/** The rules that change requests, in a reader's words. @module */
import type { ContentKind } from "./detector.ts";

/** What each kind of text is called. */
const KINDS: Readonly<Record<ContentKind, string>> = {
  json: "JSON",
  wrapped: "wrapped output",
  diff: "diff",
  numbered: "numbered lines",
  html: "web page",
  search_results: "search results",
  paths: "file list",
  table: "table",
  log: "log",
  config: "configuration",
  source_code: "source code",
  prose: "prose",
  dense: "machine-made text",
  mixed: "mixed text",
};

/** One row for each id that a ledger, a store or a router gives; a compressor is called like the kind that it shortens. */
const LABELS: Readonly<Record<string, string>> = {
  ...KINDS,
  smart_crusher: KINDS.json,
  search: KINDS.search_results,
  tabular: KINDS.table,
  code_aware: KINDS.source_code,
  text_crusher: KINDS.prose,
  terminal: "terminal codes",
  stale_read: "outdated file",
  pasted: "pasted text",
  reasoning: "reasoning",
  dedupe: "repeated text",
  "(added)": "added by svc",
  "(other)": "other",
};

/** Before the kind of the text inside. */
const PREFIXES = ["wrapped", "pasted"] as const;
/** Behind the id of the compressor that the whole text was for. */
const OUTLINE = ":outline";

/**
 * Names a rule, or a kind of text, for people; programs get the id.
 *
 * @param id E.g. `smart_crusher`, `search_results`, `wrapped:table`, `pasted:log`.
 * @returns E.g. `JSON`, `search results`, `wrapped table`, `pasted log`; the id itself when it is unknown.
 */
export function ruleLabel(id: string): string {
  if (id.endsWith(OUTLINE)) return "outline of a file";
  for (const prefix of PREFIXES) {
    if (id.startsWith(`${prefix}:`)) {
      return `${prefix} ${ruleLabel(id.slice(prefix.length + 1))}`;
    }
  }
  return Object.hasOwn(LABELS, id) ? LABELS[id]! : id;
}
