/** Throughput of the log compressor and recogniser. @module */
import { logCompressor } from "../../src/compressors/log/compressor.ts";
import { recogniseLog } from "../../src/compressors/log/recognise.ts";
import {
  contextOf,
  inputOf,
  serviceLines,
} from "../compressors/log/samples.ts";

const service = serviceLines(14_000).join("\n");
const build = Array.from({ length: 25 }, () => inputOf("pytestVerbose")).map((
  text,
  i,
) => text.replaceAll("test_", `test_${i}_`)).join("");
const small = inputOf("jest");

for (const [name, text] of Object.entries({ service, build, small })) {
  const size = `${name}, ${Math.round(text.length / 1000)} KB`;
  Deno.bench(`log elided: ${size}`, () => {
    logCompressor.compress(
      text,
      contextOf(true, "which checkout of acme failed"),
    );
  });
  Deno.bench(`log folded: ${size}`, () => {
    logCompressor.compress(text, contextOf(false));
  });
  Deno.bench(`log recognised: ${size}`, () => {
    recogniseLog(text);
  });
}
