/** Questions that are mostly asked with the same words as the time before. @module */

/**
 * `answer`, which depends on nothing but its argument, with the last answer kept: one client's requests have the same
 * address, host and path. What it throws is not kept.
 */
export function memoizeLast<V>(
  answer: (text: string) => V,
): (text: string) => V {
  let last: { readonly text: string; readonly value: V } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, value: answer(text) };
    return last.value;
  };
}
