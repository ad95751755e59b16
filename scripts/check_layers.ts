/** Fails when a file in `src/` breaks a rule of `layers.ts`. Usage: `deno task check:layers`. @module */
import { layerFindings } from "./layer_rules.ts";
import { reportAndExit, typeScriptTexts } from "./walk.ts";

reportAndExit(
  layerFindings(await typeScriptTexts(new URL("../src/", import.meta.url))),
);
