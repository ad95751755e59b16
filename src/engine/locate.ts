/** What notes call the lines of a text, and of the texts inside it. @module */
import type { ContentHint } from "../core/detector.ts";
import type { Kind, Located, Part } from "../core/kind.ts";
import { indexLines } from "../text/lines.ts";

/** Locates the lines of a text inside another. */
export type LocatePart = (text: string, hint: ContentHint) => Located;

/**
 * Asks the kind of a text; of a text with others inside, the kind of each. O(text) where the kinds are.
 *
 * @returns Nothing for a text that is not of the kind.
 */
export function locateAs<View>(
  kind: Kind<View>,
  { text, hint }: { readonly text: string; readonly hint: ContentHint },
  locatePart: LocatePart,
): Located {
  const view = kind.parse(text, hint);
  if (view === undefined) return {};
  const parts = kind.parts?.(view);
  if (parts === undefined) return kind.locate?.(view) ?? {};
  return joined(
    text,
    parts.map((part) => {
      const { start, end, path, isWhole } = part;
      const { toolName } = hint;
      const found = locatePart(text.slice(start, end), {
        ...path !== undefined && { path },
        ...isWhole && toolName !== undefined && { toolName },
      });
      return { part, found };
    }),
  );
}

/** The same by lines of the whole. Numbers count only for a part that is all but a wrapper. */
function joined(
  text: string,
  located: readonly { readonly part: Part; readonly found: Located }[],
): Located {
  const files = located.flatMap(({ part, found }) =>
    (found.files ?? []).map((file) => ({
      ...file,
      lines: file.lines.map((line) => line + part.line),
    }))
  );
  const [only] = located;
  const inner = only?.part.isWhole ? only.found.numbers : undefined;
  return {
    ...files.length > 0 && { files },
    ...only !== undefined && inner !== undefined &&
      { numbers: numbersIn(text, only.part, inner) },
  };
}

function numbersIn(
  text: string,
  { line }: Part,
  inner: Uint32Array,
): Uint32Array {
  const numbers = new Uint32Array(indexLines(text).count);
  numbers.set(inner, line);
  return numbers;
}
