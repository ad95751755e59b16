/** A wire format whose model and stream flag stand in the path. @module */
import { decodedName } from "../normal_path.ts";
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

/** What a vertex-style path asks. */
export interface VertexPath {
  /** Region, checked: a host label in lower case; `global` for the host without one. */
  readonly region: string;
  /** Whether the path begins with an API version; without one `/v1` goes in front of it upstream. */
  readonly versioned: boolean;
  /** The model that is called; `undefined` where the path is about something else. */
  readonly call: VertexCall | undefined;
}

/** A call of a publisher's model. */
interface VertexCall {
  /** Who made the model, e.g. `google`. */
  readonly publisher: string;
  /** Model name, decoded. */
  readonly model: string;
  /** What follows the colon, e.g. `rawPredict`. */
  readonly verb: string;
}

/** Everything below a location belongs to this service. */
const PLACE =
  /^(\/v[0-9][a-z0-9]*)?\/projects\/[^/]+\/locations\/([^/]*)(\/.*)?$/;
/** It becomes part of a host name, so it must be a host label: at most 63 characters (RFC 1035, 2.3.4). */
const REGION = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** The verb stands behind the last colon: names of models may hold one. */
const CALL = /^\/publishers\/([^/]+)\/models\/([^/]+):([A-Za-z]+)$/;

/** Whether a request for `pathname` is meant for this service, well-formed or not: no other may get its credentials. */
export function isVertexPath(pathname: string): boolean {
  return PLACE.test(pathname);
}

/**
 * Reads a path as the client wrote it.
 *
 * @param pathname Path without query, percent-encoded.
 * @returns `undefined` if it is no such path, or if its region or model cannot be one.
 */
export function parseVertexPath(pathname: string): VertexPath | undefined {
  const [, version, region = "", rest = ""] = PLACE.exec(pathname) ?? [];
  if (!REGION.test(region)) return undefined;
  const place = { region, versioned: version !== undefined };
  const [, publisher, name, verb] = CALL.exec(rest) ?? [];
  if (!publisher || !name || !verb) return { ...place, call: undefined };
  const model = decodedName(name);
  return model === undefined
    ? undefined
    : { ...place, call: { publisher, model, verb } };
}
