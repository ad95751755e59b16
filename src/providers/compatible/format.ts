/** A wire format whose path may name the model. @module */
import type { ProviderFormat } from "../../core/format.ts";

/** Wraps `base`: a body that names no model has `model`; all else is the base's. */
export function orModel(base: ProviderFormat, model: string): ProviderFormat {
  return {
    ...base,
    scan(body, memory) {
      const scan = base.scan(body, memory);
      return scan.model === "" ? { ...scan, model } : scan;
    },
  };
}
