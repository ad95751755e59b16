/** Configuration and lock files; a stretch of one is enough. @module */
import type { Kind } from "../../core/kind.ts";
import { foldRepeats } from "../../engine/repeats.ts";
import { labelOf } from "./labels.ts";
import type { ConfigView } from "./parse.ts";
import { recogniseConfig } from "./recognise.ts";
import { unitsOf } from "./units.ts";

/** Configuration and lock files. What is asked of every text looks at a part of it; its view is made when it is compressed. */
export const configKind: Kind<() => ConfigView> = {
  id: "config",
  unit: "lines",
  fewestLines: 2,
  parse: (text, { path = "" }) => recogniseConfig(text, path),
  fold: (read, { firstLine }) => foldRepeats(read().lines, firstLine),
  units: (read, context) => unitsOf(read(), context),
  label: (read, gap, told) => labelOf(read(), gap, told),
};
