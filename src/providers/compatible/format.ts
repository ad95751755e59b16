/** A wire format whose path may name the model. @module */
import { decodedName } from "../normal_path.ts";
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

/** What such a path asks. */
export interface CompatibleCall {
  /** Whose wire format the body has. */
  readonly api: "chat" | "completions" | "responses";
  /** `generation`, or what is asked about a conversation. */
  readonly asks: "generation" | "input_tokens" | "compact";
  /** Name of the deployment or engine that the path calls, decoded; `undefined` where the body must name a model. */
  readonly model: string | undefined;
}

/**
 * No prefix is left out: where nobody serves such a path, the provider's 404 costs nothing. The shortest prefix
 * counts, so that chat completions are not taken for completions behind `/chat`.
 */
const PATH =
  /^(.*?)\/(?:(chat\/completions|completions)|responses(?:\/(input_tokens|compact))?)$/;
const MODEL = /\/(?:deployments|engines)\/([^/]+)(?:\/|$)/;

/**
 * Reads a path.
 *
 * @param pathname Path without query, percent-encoded.
 * @returns `undefined` for every other path.
 */
export function compatibleCall(pathname: string): CompatibleCall | undefined {
  const found = PATH.exec(pathname);
  if (found === null) return undefined;
  const [, prefix = "", completions, about] = found;
  const [, name] = MODEL.exec(prefix) ?? [];
  return {
    api: completions === undefined
      ? "responses"
      : completions === "completions"
      ? "completions"
      : "chat",
    asks: about === "input_tokens" || about === "compact"
      ? about
      : "generation",
    model: name === undefined ? undefined : decodedName(name),
  };
}
