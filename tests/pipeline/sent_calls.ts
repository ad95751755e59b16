/** Calls with edits of a test's choice, as the pipeline would hand them over. */
import { splice } from "../../src/bytes/splice.ts";
import type { ByteSpan, Edit } from "../../src/core/block.ts";
import type { BodyScan } from "../../src/core/format.ts";
import type { ConversationKey } from "../../src/core/store.ts";
import {
  type CompressedBody,
  untouched,
} from "../../src/pipeline/compressed_body.ts";
import { FORMATS } from "./harness.ts";

const utf8 = new TextEncoder();

/** Edits of one body. */
export interface Made {
  /** What stands for the blocks, by index. */
  readonly forms?: Readonly<Record<number, string>>;
  /** Definition that is put behind the last tool. */
  readonly definition?: string;
  /** What is put in front of conversation elements, or in their place, by index. */
  readonly turns?: Readonly<Record<number, string>>;
  /** Indexes of older blocks that got their form now. */
  readonly decided?: readonly number[];
  /** Text that an extension wrote, though another one was sent there before. */
  readonly extended?: string;
  /** Why nobody declared the tool. */
  readonly undeclared?: string;
}

/** A call of `value` in the format `id`, edited as told. */
export function callOf(
  id: string,
  value: unknown,
  made: Made = {},
): CompressedBody {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  const bytes = utf8.encode(body);
  const scan = FORMATS[id]!.scan(bytes);
  const turns = Object.entries(made.turns ?? {}).map(([i, json]) => {
    const { start } = scan.messages[Number(i)]!;
    return insert(start, `${json},`);
  });
  const forms = Object.entries(made.forms ?? {}).map(([i, form]) => ({
    span: scan.blocks[Number(i)]!.span,
    replacement: utf8.encode(JSON.stringify(form)),
  }));
  const { definition, undeclared = "" } = made;
  const edits = [...turns, ...forms, ...declared(scan, definition)]
    .sort((a, b) => a.span.start - b.span.start);
  return {
    ...untouched(bytes, scan, undeclared),
    ...definition !== undefined &&
      {
        declaration: {
          by: "proxy",
          pinned: definition,
          begins: false,
          mayElide: true,
        } as const,
      },
    bytes: splice(bytes, edits),
    edits,
    turns,
    conversation: "c" as ConversationKey,
    ...made.extended && { extended: [spanOf(body, made.extended)] },
    ...made.decided && {
      older: { reason: "pays", blocks: 1, tokensSaved: 1 } as const,
      decided: made.decided.map((i) => ({
        block: scan.blocks[i]!,
      })) as unknown as CompressedBody["decided"],
    },
  };
}

function declared(
  { tools }: BodyScan,
  definition: string | undefined,
): readonly Edit[] {
  return definition === undefined
    ? []
    : [insert(tools!.span.end - 1, `,${definition}`)];
}

function insert(at: number, json: string): Edit {
  return { span: { start: at, end: at }, replacement: utf8.encode(json) };
}

/** Where the literal of an ASCII text is in an ASCII body. */
function spanOf(body: string, text: string): ByteSpan {
  const start = body.indexOf(JSON.stringify(text));
  return { start, end: start + text.length + 2 };
}
