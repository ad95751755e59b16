/** A text of each kind, of any length, for benchmarks and for tests of growth. */
import type { ContentKind } from "../../src/core/detector.ts";
import {
  csvRows,
  htmlPage,
  jsonRows,
  minifiedCode,
  mixedDocument,
  numberedCode,
  pathList,
  prose,
  searchResults,
  serviceLog,
  sourceCode,
  unifiedDiff,
  wrappedLog,
  yamlManifests,
} from "./corpus.ts";

/** Makes a text of about `bytes` characters; another seed gives another text. */
export type MakeText = (bytes: number, seed?: number) => string;

/** One maker per kind. */
export const SAMPLES: Readonly<Record<ContentKind, MakeText>> = {
  json: jsonRows,
  wrapped: wrappedLog,
  diff: unifiedDiff,
  numbered: numberedCode,
  html: htmlPage,
  search_results: searchResults,
  paths: pathList,
  table: csvRows,
  log: serviceLog,
  config: yamlManifests,
  source_code: sourceCode,
  prose,
  dense: minifiedCode,
  mixed: mixedDocument,
};
