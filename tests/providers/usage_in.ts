/** What a format reads of the usage in a response. @module */
import type { ProviderFormat } from "../../src/core/format.ts";
import type { Usage } from "../../src/core/usage.ts";

/** Runs the taps of a format over texts, each cut into chunks of the given sizes, again and again. */
export function tapOf({ usageTap }: Pick<ProviderFormat, "usageTap">) {
  return (
    contentType: string,
    text: string,
    sizes: readonly number[] = [text.length],
  ): Usage => {
    const made = usageTap(contentType);
    const bytes = new TextEncoder().encode(text);
    let at = 0;
    for (let i = 0; at < bytes.length; i++) {
      const end = at + (sizes[i % sizes.length] ?? 1);
      made.push(bytes.slice(at, end));
      at = end;
    }
    return made.finish();
  };
}
