/** How a wrapped client compresses. @module */
import type {
  CompressMessages,
  CompressOptions,
  CompressResult,
} from "../compress_types.ts";
import type { Problem } from "../problems.ts";

/** How a wrapped client compresses; every member has a default. Requests may ask otherwise, see `RequestOverrides`. */
export interface WithSvcOptions
  extends Omit<CompressOptions, "format" | "signal"> {
  /**
   * What compresses: an instance, or a client of a proxy. Default: the instance in this process that `compress` and
   * `retrieve` of the module share.
   */
  readonly svc?: { readonly compress: CompressMessages };
  /** Compresses in place of `svc`: a function of the caller's. */
  readonly compress?: CompressMessages;
  /** Told what became of the messages of each request, before it leaves; default nobody. */
  readonly onCompressed?: (
    result: CompressResult<unknown>,
  ) => void | Promise<void>;
  /** Told, once each, of failures that were passed over: the request left as it was. Default `console.warn`. */
  readonly onProblem?: (problem: Problem) => void;
}
