/** Puts answered retrievals back into a conversation: what is the same in every format. @module */
import type { BodyScan } from "../core/format.ts";
import type { AnchorIndex } from "../bytes/turn_anchor.ts";
import type { ByteSpan, Edit } from "../core/block.ts";
import type {
  AnsweredRetrieval,
  AnsweredRound,
  AnsweredTurn,
} from "../core/retrieval.ts";

const utf8 = new TextEncoder();

/** A conversation in which turns are looked for. */
interface SentTurns {
  /** Where the turns with these anchors may be; without them, all turns. */
  index(anchors?: readonly string[]): AnchorIndex;
  /** See {@linkcode RetrievalFormat.turnContext}. */
  context(): string;
}

/**
 * Puts each record back at the one place where its turn stands, in formats where a turn is one element.
 *
 * @param records Newest first: a turn that was generated again is the one that the client kept.
 * @param editsAt Gives the edits of `turn` at the element `place`; none if that is another turn.
 */
export function editsOfTurns(
  conversation: SentTurns,
  records: readonly AnsweredRetrieval[],
  editsAt: (place: number, turn: AnsweredTurn) => readonly Edit[],
): readonly Edit[] {
  const index = conversation.index(records.map(({ anchor }) => anchor));
  return records.flatMap(({ anchor, data }) => {
    const places = index.places(anchor);
    // Most records of a long conversation have no place: they are not parsed.
    if (places.length === 0) return [];
    const turn = JSON.parse(data) as AnsweredTurn;
    const place = index.find(places, () => turn.at);
    if (place === undefined) return [];
    const edits = editsAt(place, turn);
    if (edits.length > 0) index.use(place);
    return edits;
  });
}

/**
 * Members of {@linkcode RetrievalFormat}.
 *
 * @param open Reads the conversation of a body.
 * @param editsOf Puts records of `format` back, newest first, in any order of the body.
 */
export function splicing<Sent extends SentTurns>(
  format: string,
  open: (body: Uint8Array, scan: BodyScan) => Sent,
  editsOf: (
    sent: Sent,
    records: readonly AnsweredRetrieval[],
    scan: BodyScan,
  ) => readonly Edit[],
) {
  return {
    turnContext: (body: Uint8Array, scan: BodyScan) =>
      open(body, scan).context(),
    turnNames: (body: Uint8Array, scan: BodyScan) =>
      open(body, scan).index().forkNames(),
    spliceBack(
      body: Uint8Array,
      scan: BodyScan,
      retrievals: readonly AnsweredRetrieval[],
    ): readonly Edit[] {
      const own = retrievals.filter((record) => record.format === format);
      if (own.length === 0) return [];
      return editsOf(open(body, scan), own.toReversed(), scan).toSorted(
        (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
      );
    },
  };
}

/** Writes `json` in place of `span`. */
export function replacement(span: ByteSpan, json: string): Edit {
  return { span, replacement: utf8.encode(json) };
}

/** Writes `json` at `offset`. */
export function insertion(offset: number, json: string): Edit {
  return replacement({ start: offset, end: offset }, json);
}

/** Rounds as elements of a conversation, separated by commas. */
export function roundsJson(rounds: readonly AnsweredRound[]): string {
  return rounds.map(({ turn, answer }) => `${turn},${answer}`).join(",");
}
