/** Golden inputs and generated texts for the tests of the dense compressor. @module */
import base64 from "../../golden/dense/base64.txt" with { type: "text" };
import dataUri from "../../golden/dense/data_uri.txt" with { type: "text" };
import hexdumpC from "../../golden/dense/hexdump_c.txt" with { type: "text" };
import inlineSourceMap from "../../golden/dense/inline_source_map.txt" with {
  type: "text",
};
import minifiedCss from "../../golden/dense/minified_css.txt" with {
  type: "text",
};
import minifiedJs from "../../golden/dense/minified_js.txt" with {
  type: "text",
};
import od from "../../golden/dense/od.txt" with { type: "text" };
import pem from "../../golden/dense/pem.txt" with { type: "text" };
import x509Text from "../../golden/dense/x509_text.txt" with { type: "text" };
import xxd from "../../golden/dense/xxd.txt" with { type: "text" };
import zeros from "../../golden/dense/zeros.txt" with { type: "text" };
import type { CompressContext } from "../../../src/core/compressor.ts";

/** An input and what becomes of it. */
export interface Golden {
  readonly name: string;
  readonly input: string;
  readonly expected: string;
  /** What is asked when it is read. */
  readonly query: string;
}

const QUERIES: Readonly<Record<string, string>> = {
  minifiedJs: "where does foldPrefixes look at the longest start?",
  minifiedCss: "which colour has btn-danger",
};

/** All golden files. */
export const GOLDENS: readonly Golden[] = Object.entries({
  base64,
  dataUri,
  hexdumpC,
  inlineSourceMap,
  minifiedCss,
  minifiedJs,
  od,
  pem,
  x509Text,
  xxd,
  zeros,
}).map(([name, file]) => goldenOf(name, file));

function goldenOf(name: string, file: string): Golden {
  const at = file.indexOf("\n-----\n");
  return {
    name,
    input: file.slice(0, at + 1),
    expected: file.slice(at + "\n-----\n".length),
    query: QUERIES[name] ?? "",
  };
}

/** The input of a golden file. */
export function inputOf(name: string): string {
  return GOLDENS.find((golden) => golden.name === name)!.input;
}

/** A context; four characters count as a token. */
export function contextOf(mayElide: boolean, query = ""): CompressContext {
  return {
    query,
    mayElide,
    countTokens: (text) => Math.ceil(text.length / 4),
  };
}

/** Code without blanks, in one line of about so many characters. */
export function minified(length: number): string {
  let code = "";
  for (let i = 0; code.length < length; i++) {
    code += `function f${i}(a,b){return a*${i}+b.c${i % 7}[${i % 13}]}`;
  }
  return code;
}
