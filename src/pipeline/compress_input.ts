/** What is asked of the compression of one body. @module */
import type { ByteSpan } from "../core/block.ts";
import type { ProviderFormat } from "../core/format.ts";
import type { CompressionMode } from "../core/mode.ts";
import type { ModelRoute, RouteFacts } from "../core/model_route.ts";
import type { LibraryCall } from "./library_call.ts";
import type { OutputWishes } from "./output_shape.ts";

/** One body to compress. */
export interface CompressInput {
  /** Adapter of its wire format. */
  readonly format: ProviderFormat;
  /** The body as received, decoded. */
  readonly body: Uint8Array;
  /** What extensions changed in it although it may have been sent otherwise before; absent for nothing. */
  readonly extended?: readonly ByteSpan[];
  /** What may be done to it. */
  readonly mode: CompressionMode;
  /** Session and agent headers; `undefined` when the client sends none. */
  readonly session: string | undefined;
  /** See `session`. */
  readonly agent: string | undefined;
  /** Product name of the client that sends a request to a provider; nothing is learned of others. */
  readonly client?: string;
  /** Whether the destination is known not to take the tool for this model. */
  readonly refusesTool: (model: string) => boolean;
  /** Whether tool definitions may be deferred for this model; absent for no. */
  readonly defersTools?: (model: string) => boolean;
  /** Whether the destination is known not to take deferred definitions for this model; absent for no. */
  readonly refusesDeferral?: (model: string) => boolean;
  /** Whether tool definitions that stay are made smaller; false unless given. */
  readonly compactsTools?: boolean;
  /** Whether everything is decided anew once the provider has forgotten the conversation; false unless given. */
  readonly recompacts?: boolean;
  /** Messages whose plain reasoning stays when the provider has forgotten the conversation; absent where all of it does. */
  readonly keepsReasoning?: number;
  /** UTF-16 units from which on a whole file of source code that is read becomes an outline; absent for never. */
  readonly outlineFrom?: number | undefined;
  /** Whether breakpoints of a prompt cache are set for this model where the client sets none; absent for no. */
  readonly setsBreakpoints?: (model: string) => boolean;
  /** How answers are to be; absent for as they are. */
  readonly output?: OutputWishes;
  /** Which model is asked; absent for the client's. */
  readonly route?: (facts: RouteFacts) => ModelRoute | undefined;
  /** Whether the provider has just refused the body as too long: older blocks without a form are decided then. */
  readonly isTooLong?: boolean;
  /** The request only asks about the conversation: it is sent what the conversation would be sent, and nothing is decided by it. */
  readonly isPreview?: boolean;
  /** Nothing is stored or remembered: the bytes show what would be sent. */
  readonly isSimulation?: boolean;
  /** Given when the caller wants the body for himself: all of its blocks are decided, and nothing is added to it. */
  readonly library?: LibraryCall;
  /** Whether usage is asked for in a stream whose client did not ask for it. */
  readonly asksUsage?: (model: string) => boolean;
  /** Aborted when the client leaves: nothing is frozen then. */
  readonly signal: AbortSignal;
}
