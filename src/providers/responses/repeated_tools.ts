/** A response repeats the tools of its request: the client sees there what it sent itself. @module */
import { concat } from "../../bytes/concat.ts";
import { JsonCursor } from "../../bytes/json_scan.ts";
import { splice } from "../../bytes/splice.ts";
import type { Edit } from "../../core/block.ts";
import type { SentTools, StreamEdit } from "../../core/format.ts";
import { EventSplitter, type RawEvent, withData } from "../../sse/splicer.ts";
import { skippableChunks } from "../../sse/usage_tap.ts";

const utf8 = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const KEY = '"tools"';
/** Longest document that is looked into, in bytes. A longer one goes by as it came. */
const DOCUMENT_LIMIT = 64 * 1024 * 1024;

/** Follows an event stream. An event is relayed as soon as it is complete. */
export class ToolsInStream implements StreamEdit {
  readonly #sent: SentTools;
  readonly #splitter = new EventSplitter();
  readonly #isDull = skippableChunks([KEY]);

  /** Writes what the client `sent`. */
  constructor(sent: SentTools) {
    this.#sent = onOneLine(sent);
  }

  /** See {@linkcode StreamEdit.push}. */
  push(chunk: Uint8Array): Uint8Array {
    return this.#isDull(chunk)
      ? chunk
      : this.#shown(this.#splitter.push(chunk));
  }

  /** See {@linkcode StreamEdit.end}. */
  end(): Uint8Array {
    return this.#shown(this.#splitter.end());
  }

  /** See {@linkcode StreamEdit.rest}. */
  rest(): Uint8Array {
    return concat(this.#splitter.end().map(({ raw }) => raw));
  }

  #shown(events: readonly RawEvent[]): Uint8Array {
    return concat(events.map((event) => {
      const { data } = event;
      if (!data?.includes(KEY)) return event.raw;
      const json = utf8.encode(data);
      const edits = editsIn(json, this.#sent, true);
      return edits.length === 0
        ? event.raw
        : withData(event, decoder.decode(splice(json, edits)));
    }));
  }
}

/** Takes a document, which is relayed at its end. */
export class ToolsInDocument implements StreamEdit {
  readonly #sent: SentTools;
  #parts: Uint8Array[] = [];
  #length = 0;

  /** Writes what the client `sent`. */
  constructor(sent: SentTools) {
    this.#sent = sent;
  }

  /** See {@linkcode StreamEdit.push}. */
  push(chunk: Uint8Array): Uint8Array {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    return this.#length > DOCUMENT_LIMIT ? this.rest() : new Uint8Array(0);
  }

  /** See {@linkcode StreamEdit.end}. */
  end(): Uint8Array {
    const json = this.rest();
    return this.#length > DOCUMENT_LIMIT
      ? json
      : splice(json, editsIn(json, this.#sent, false));
  }

  /** See {@linkcode StreamEdit.rest}. */
  rest(): Uint8Array {
    return concat(this.#parts.splice(0));
  }
}

/** Line breaks stand between the values of a JSON text only, and would end a line of an event. */
function onOneLine({ tools, toolChoice }: SentTools): SentTools {
  const joined = (json: string) => json.replace(/[\r\n]+/g, " ");
  return { tools: joined(tools), toolChoice: joined(toolChoice) };
}

/** The edits of a response; of that in an event with `isEvent`. None where there is no response, or it cannot be read. */
function editsIn(
  json: Uint8Array,
  { tools, toolChoice }: SentTools,
  isEvent: boolean,
): readonly Edit[] {
  const edits: Edit[] = [];
  const cursor = new JsonCursor(json);
  const response = () =>
    void cursor.object((key) => {
      if (key === "tools" && cursor.type() === "array") {
        let count = 0;
        const span = cursor.array(() => void count++);
        // Some servers repeat nothing: there is nothing of ours to hide.
        if (count === 0) return;
        edits.push({ span, replacement: utf8.encode(tools) });
      } else if (key === "tool_choice" && cursor.type() === "string") {
        const span = cursor.string();
        const said = decoder.decode(json.subarray(span.start, span.end));
        // The last round of several may have forbidden tools.
        if (said !== '"none"') return;
        edits.push({ span, replacement: utf8.encode(toolChoice) });
      }
    });
  try {
    if (!isEvent) response();
    else {
      cursor.object((key) => {
        if (key === "response" && cursor.type() === "object") response();
      });
    }
    cursor.end();
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  return edits;
}
