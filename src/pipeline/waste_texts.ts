/** The texts of a body that waste is looked for in. @module */
import { decodeLiteral } from "../bytes/json_string.ts";
import type { CompressedBody } from "./compressed_body.ts";
import type { WasteText } from "./waste_search.ts";

const QUOTE = 0x22;

/** Texts of the messages that count, in order; decoded one by one, as they are asked for. */
export function* wasteTexts(
  { scan, body, formed }: Pick<CompressedBody, "scan" | "body" | "formed">,
): Generator<WasteText, void, undefined> {
  if (scan === undefined) return;
  const starts = new Set(formed.map(({ block }) => block.span.start));
  let at = 0;
  for (const span of scan.counted) {
    if (body[span.start] !== QUOTE) continue;
    while (span.start >= (scan.messages[at]?.end ?? Infinity)) at++;
    const text = decodeLiteral(body, span);
    if (text === undefined) continue;
    yield { text, at, isCompressed: starts.has(span.start) };
  }
}
