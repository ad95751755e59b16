/** Retrievals in a turn that also called the client's tools: where they stood, and putting them back there. @module */
import type { ByteSpan, Edit } from "../core/block.ts";
import type { AnsweredBeside, PlacedCall } from "../core/retrieval.ts";
import { insertion } from "./put_back.ts";

/** A part of a turn. */
export interface TurnPart {
  /** As produced. */
  readonly json: string;
  /** Id by which a call is answered. */
  readonly id: string;
  /** Who must answer it: the proxy, the client, or nobody. */
  readonly calls: "proxy" | "client" | undefined;
}

/**
 * Notes where our calls stand among the client's.
 *
 * @param parts Of the turn, in order. @param results Of our calls: JSON.
 * @returns `undefined` if there are no results.
 */
export function besideOf(
  parts: readonly TurnPart[],
  results: readonly string[],
): AnsweredBeside | undefined {
  if (results.length === 0) return undefined;
  const isClient = ({ calls }: TurnPart) => calls === "client";
  const client = parts.filter(isClient);
  const calls = parts.flatMap(({ json, calls }, i): PlacedCall[] => {
    if (calls !== "proxy") return [];
    const next = parts.slice(i).find(isClient);
    return [{
      json,
      neighbour: (next ?? client.at(-1))?.id ?? "",
      side: next ? "before" : "after",
    }];
  });
  return {
    calls,
    answer: results.join(","),
    clientCalls: client.map(({ id }) => id),
  };
}

/**
 * Puts calls back beside their neighbours.
 *
 * @param spanOf Where the client's call with this id stands.
 * @returns `undefined` if a neighbour is missing.
 */
export function callEdits(
  calls: readonly PlacedCall[],
  spanOf: (id: string) => ByteSpan | undefined,
): readonly Edit[] | undefined {
  const at = new Map<number, string>();
  for (const { json, neighbour, side } of calls) {
    const span = spanOf(neighbour);
    if (span === undefined) return undefined;
    const offset = side === "before" ? span.start : span.end;
    const text = side === "before" ? `${json},` : `,${json}`;
    at.set(offset, (at.get(offset) ?? "") + text);
  }
  return [...at].map(([offset, text]) => insertion(offset, text));
}
