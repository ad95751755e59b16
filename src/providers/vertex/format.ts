/** A wire format whose model and stream flag stand in the path. @module */
import type { ProviderFormat } from "../../core/format.ts";

/** What the path says. */
export interface PathFacts {
  /** Model name, decoded. */
  readonly model: string;
  /** Whether the path asks for an event stream; a body may ask for one as well. */
  readonly streaming: boolean;
}

/** Wraps `base` for bodies without a model: `scan` reports the path's facts, all else is the base's. */
export function vertexFormat(
  base: ProviderFormat,
  { model, streaming }: PathFacts,
): ProviderFormat {
  return {
    ...base,
    scan(body, memory) {
      const scan = base.scan(body, memory);
      return { ...scan, model, streaming: streaming || scan.streaming };
    },
  };
}
