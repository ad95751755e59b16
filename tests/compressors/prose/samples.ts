/** Golden inputs and generated documents for the tests of the prose compressor. @module */
import type { CompressContext } from "../../../src/core/compressor.ts";

/** What is asked when a golden file is read. */
export const QUERIES: Readonly<Record<string, string>> = {
  api_reference: "how do I lock a valve, and what happens then?",
  packages: "is there anything but MIT among the licences?",
  tool_help: "how do I check the format without writing files?",
  service_readme: "how can I look at an original with the retrieval tool?",
};

/** A context; four bytes count as a token. */
export function contextOf(mayElide: boolean, query = ""): CompressContext {
  const utf8 = new TextEncoder();
  return {
    query,
    mayElide,
    countTokens: (text) => Math.ceil(utf8.encode(text).length / 4),
  };
}

/** Sentences that name nothing: of little use to a reader. */
const FILLERS = [
  "It has been like this for quite a long time and people are used to it",
  "Most of what one sees there looks the same on every other day as well",
  "Some of the people who work with it have come to like the way it feels",
  "There is a good deal more that could be said about all of this one day",
  "Over the years it has grown a little and then it became smaller again",
];

/** Sections of two paragraphs each, which only talk. */
export function talk(sections: number): string {
  return Array.from({ length: sections }, (_, s) => {
    const words = ["quiet", "early", "late", "green", "soft", "tall", "warm"];
    const one = words[s % 7]!;
    const two = words[(s * 3 + 1) % 7]!;
    const sentences = FILLERS.map((filler, i) =>
      `${filler}, ${one} and ${two} by turns ${"again ".repeat((s + i) % 4)}.`
    );
    return `## The ${one} part ${
      "i".repeat(s + 1)
    }\n\nThis part begins in a ${one} way. ${
      sentences.slice(0, 3).join(" ")
    }\n\n${sentences.slice(2).join(" ")}\n`;
  }).join("\n");
}
