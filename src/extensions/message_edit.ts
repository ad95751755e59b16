/** Edits within one message: where they are in a body, and where they end up. @module */
import { JsonCursor } from "../bytes/json_scan.ts";
import { encodeLiteral } from "../bytes/json_string.ts";
import type { ByteSpan, Edit } from "../core/block.ts";
import type { PipelineEdit } from "../core/pipeline_event.ts";

/** An edit of one message: a path within it. */
export type MessageEdit = Pick<PipelineEdit, "path" | "text">;

/** Where some of the edits are once all are made. */
export function spansOf(
  edits: readonly Edit[],
  wanted: ReadonlySet<Edit>,
): readonly ByteSpan[] {
  let shift = 0;
  return edits.flatMap((edit) => {
    const start = edit.span.start + shift;
    const end = start + edit.replacement.length;
    shift = end - edit.span.end;
    return wanted.has(edit) ? [{ start, end }] : [];
  });
}

/** The bytes that an edit replaces; `undefined` where no text is at its place. */
export function editIn(
  body: Uint8Array,
  message: ByteSpan,
  { path, text }: MessageEdit,
): Edit | undefined {
  const cursor = new JsonCursor(body, message.start);
  let span: ByteSpan | undefined;
  const descend = (depth: number) => {
    const step = path[depth];
    if (step === undefined) {
      const type = cursor.type();
      if (type === "string" || type === "null") span = cursor.skip();
      return;
    }
    const goes = (at: string | number) => {
      if (at === step) descend(depth + 1);
    };
    const type = cursor.type();
    if (type === "object" && typeof step === "string") cursor.object(goes);
    if (type === "array" && typeof step === "number") cursor.array(goes);
  };
  descend(0);
  return span && { span, replacement: encodeLiteral(text) };
}
