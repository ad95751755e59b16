/** The library's composition root: compression in this process, without a proxy. @module */
import { ccrKey } from "../ccr/key.ts";
import { openRouter } from "../open_router.ts";
import { type Library, type LibraryParts, makeLibrary } from "./library.ts";

/** Loads what compression needs. */
export async function openLibrary(parts: LibraryParts): Promise<Library> {
  const { decide, counter } = await openRouter();
  return makeLibrary({
    decide,
    count: (text, model) => counter.count(text, model),
    keyOf: ccrKey,
  }, parts);
}
