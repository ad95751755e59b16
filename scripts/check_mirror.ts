/** Fails when a source file has no test file. Usage: `deno task check:mirror`. @module */
import { mirrorFindings, UNTESTED } from "./mirror.ts";
import { reportAndExit, typeScriptFiles, typeScriptTexts } from "./walk.ts";

reportAndExit(mirrorFindings({
  sources: await typeScriptTexts(new URL("../src/", import.meta.url)),
  tests: await typeScriptFiles(new URL("../tests/", import.meta.url)),
  untested: UNTESTED,
}));
