/** One-shot requests that hold results when they are first seen, over the corpus. */
import assert from "node:assert/strict";
import { openRouter } from "../../src/compute/open_router.ts";
import {
  bodyOf,
  type Conversation,
  messagesClient,
} from "../conformance/conversation.ts";
import { type Harness, harness } from "../pipeline/harness.ts";
import { loadCorpus } from "./corpus.ts";

/** Without marks of a prompt cache. */
const unmarked = (body: Uint8Array) =>
  new TextEncoder().encode(
    new TextDecoder().decode(body)
      .replace(/,"cache_control":\{[^}]*\}/g, ""),
  );

/** Samples of one kind that the test has time for. */
const PER_KIND = 3;
/** UTF-16 units below which a text says little about what is saved. */
const MIN_LENGTH = 6000;

Deno.test("one-shot requests save of every kind of text what conversations save that begin here", async () => {
  const items = await loadCorpus(new URL("../corpus/", import.meta.url));
  const { decide } = await openRouter();
  const large = items.filter(({ text }) =>
    text.length >= MIN_LENGTH && text.length < 40_000
  );
  for (const [kind, all] of Map.groupBy(large, ({ kind }) => kind)) {
    const sum = { midway: 0, begun: 0, original: 0 };
    for (const item of all.slice(0, PER_KIND)) {
      const { tool, query, args } = item;
      const conversation: Conversation = {
        question: query,
        steps: [{
          calls: [{
            id: "c",
            tool,
            args: args as Record<string, string>,
            result: item.text,
          }],
        }],
      };
      const saved = async (process: Harness) => {
        const body = unmarked(bodyOf(messagesClient, conversation, 1));
        return (await process.send("messages", body)).formTokensSaved;
      };
      const begun = harness({ decide });
      await begun.send(
        "messages",
        unmarked(bodyOf(messagesClient, conversation, 0)),
      );
      sum.begun += await saved(begun);
      sum.midway += await saved(harness({ decide }));
      sum.original += item.text.length;
    }
    assert(
      sum.midway >= 0.95 * sum.begun,
      `${kind}: ${sum.midway} of ${sum.begun}`,
    );
  }
});
