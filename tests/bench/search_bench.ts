/** Throughput of the search compressor and recogniser. @module */
import { searchCompressor } from "../../src/compressors/search_results/compressor.ts";
import { recogniseSearchResults } from "../../src/compressors/search_results/recognise.ts";
import {
  contextOf,
  grepLines,
  inputOf,
} from "../compressors/search_results/samples.ts";

const flat = grepLines(500, 26).join("\n");
const context = Array.from({ length: 14 }, () => inputOf("grepContext")).join(
  "",
);
const small = inputOf("grepAbsolute");

for (const [name, text] of Object.entries({ flat, context, small })) {
  const size = `${name}, ${Math.round(text.length / 1000)} KB`;
  Deno.bench(`search elided: ${size}`, () => {
    searchCompressor.compress(text, contextOf(true, "where is acme looked up"));
  });
  Deno.bench(`search folded: ${size}`, () => {
    searchCompressor.compress(text, contextOf(false));
  });
  Deno.bench(`search recognised: ${size}`, () => {
    recogniseSearchResults(text);
  });
}
