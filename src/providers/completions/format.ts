/** The completions wire format: `POST /v1/completions`, one text that the model goes on with. @module */
import { BodyScanner } from "../../bytes/body_scan.ts";
import type { ByteSpan } from "../../core/block.ts";
import type { BodyScan, ProviderFormat } from "../../core/format.ts";
import { notRebuilt, type RetrievalFormat } from "../../core/retrieval.ts";
import { scanStreamOptions, usageRequestOf } from "../stream_options.ts";

/** Without tools nothing is elided, and nothing asked for. */
const NO_RETRIEVAL: RetrievalFormat = {
  definition: "{}",
  exchange() {
    throw notRebuilt("completions have no tools");
  },
  turnContext: () => "",
  turnNames: () => [],
  spliceBack: () => [],
};

/** Members that the cache goes by. */
const PROMPT: ReadonlySet<string> = new Set(["prompt"]);

/** A request may leave its prompt out. */
const NO_PROMPT: ByteSpan = { start: 0, end: 0 };

/**
 * Makes the adapter for the completions wire format: a body holds nothing to compress and takes no tool.
 *
 * @param chat Adapter of chat completions: usage, errors and caches are the same.
 */
export function completionsFormat(chat: ProviderFormat): ProviderFormat {
  return {
    ...chat,
    id: "completions",
    scan(body, memory): BodyScan {
      const scan = new BodyScanner(body, memory);
      const top = scan.members(PROMPT, (key) => topMember(scan, key));
      scan.conversation ??= NO_PROMPT;
      return scan.finish(usageRequestOf(scan, top));
    },
    append: () => [],
    retrieval: NO_RETRIEVAL,
  };
}

function topMember(scan: BodyScanner, key: string): void {
  const { cursor } = scan;
  switch (key) {
    case "prompt":
      scan.conversation = prompt(scan);
      return;
    case "suffix":
      if (cursor.type() === "string") scan.found.count(cursor.string());
      return;
    case "stream_options":
      scanStreamOptions(scan);
      return;
    case "max_tokens":
    case "model":
    case "stream":
      scan.common(key);
  }
}

/** A text, several of them, or token numbers; these are counted as they are written, which is rather too much. */
function prompt(scan: BodyScanner): ByteSpan {
  const { cursor } = scan;
  if (cursor.type() !== "array") {
    const isText = cursor.type() === "string";
    const span = cursor.skip();
    scan.found.count(span);
    if (isText) scan.found.user([span]);
    return span;
  }
  const texts: ByteSpan[] = [];
  const span = cursor.array(() => {
    const isText = cursor.type() === "string";
    const element = cursor.skip();
    if (isText) texts.push(element);
  });
  scan.found.count(...texts.length > 0 ? texts : [span]);
  scan.found.user(texts);
  return span;
}
