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
export interface Searched {
  /** Where the turns with these anchors may be. */
  index(anchors: readonly string[]): AnchorIndex;
}

/** The records of `format`, newest first: a turn that was generated again is the one that the client kept. */
export function newestFirst(
  retrievals: readonly AnsweredRetrieval[],
  format: string,
): readonly AnsweredRetrieval[] {
  return retrievals.filter((record) => record.format === format).toReversed();
}

/**
 * Puts each record back at the one place where its turn stands.
 *
 * @param records Newest first.
 * @param editsAt Gives the edits of `turn` at the element `place`; none if that is another turn.
 * @returns In the order of the body.
 */
export function editsOfTurns(
  records: readonly AnsweredRetrieval[],
  conversation: Searched,
  editsAt: (place: number, turn: AnsweredTurn) => readonly Edit[],
): readonly Edit[] {
  if (records.length === 0) return [];
  const index = conversation.index(records.map(({ anchor }) => anchor));
  return inOrder(records.flatMap(({ anchor, data }) => {
    const places = index.places(anchor);
    // Most records of a long conversation have no place: they are not parsed.
    if (places.length === 0) return [];
    const turn = JSON.parse(data) as AnsweredTurn;
    const place = index.find(places, () => turn.at);
    if (place === undefined) return [];
    const edits = editsAt(place, turn);
    if (edits.length > 0) index.use(place);
    return edits;
  }));
}

/** A conversation as its format reads it. */
interface SentTurns extends Searched {
  /** Where the turns with these anchors may be; without them, all turns. */
  index(anchors?: readonly string[]): AnchorIndex;
  /** See {@linkcode RetrievalFormat.turnContext}. */
  context(): string;
}

/** Members of {@linkcode RetrievalFormat} where a turn is one element of the conversation that `open` reads. */
export function splicing<Sent extends SentTurns>(
  format: string,
  open: (body: Uint8Array, scan: BodyScan) => Sent,
  editsAt: (sent: Sent, place: number, turn: AnsweredTurn) => readonly Edit[],
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
    ) {
      const sent = open(body, scan);
      return editsOfTurns(
        newestFirst(retrievals, format),
        sent,
        (place, turn) => editsAt(sent, place, turn),
      );
    },
  };
}

/** Sorts edits by their place in the body. */
export function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) =>
    a.span.start - b.span.start || a.span.end - b.span.end
  );
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
