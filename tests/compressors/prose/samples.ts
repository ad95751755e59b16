/** Golden inputs and generated documents for the tests of the prose compressor. @module */
import agentReport from "../../golden/prose/agent_report.txt" with {
  type: "text",
};
import apiReference from "../../golden/prose/api_reference.txt" with {
  type: "text",
};
import chinese from "../../golden/prose/chinese.txt" with { type: "text" };
import german from "../../golden/prose/german.txt" with { type: "text" };
import ghIssue from "../../golden/prose/gh_issue.txt" with { type: "text" };
import gitLog from "../../golden/prose/git_log.txt" with { type: "text" };
import issueThread from "../../golden/prose/issue_thread.txt" with {
  type: "text",
};
import manual from "../../golden/prose/manual.txt" with { type: "text" };
import packages from "../../golden/prose/packages.txt" with { type: "text" };
import readme from "../../golden/prose/readme.txt" with { type: "text" };
import releaseNotes from "../../golden/prose/release_notes.txt" with {
  type: "text",
};
import russian from "../../golden/prose/russian.txt" with { type: "text" };
import serviceReadme from "../../golden/prose/service_readme.txt" with {
  type: "text",
};
import toolHelp from "../../golden/prose/tool_help.txt" with { type: "text" };
import type { CompressContext } from "../../../src/core/compressor.ts";

/** An input and what becomes of it. */
export interface Golden {
  readonly name: string;
  readonly input: string;
  readonly expected: string;
  /** What is asked when it is read. */
  readonly query: string;
}

const QUERIES: Readonly<Record<string, string>> = {
  apiReference: "how do I lock a valve, and what happens then?",
  packages: "is there anything but MIT among the licences?",
  toolHelp: "how do I check the format without writing files?",
  serviceReadme: "how can I look at an original with the retrieval tool?",
};

/** All golden files. */
export const GOLDENS: readonly Golden[] = Object.entries({
  agentReport,
  apiReference,
  chinese,
  german,
  ghIssue,
  gitLog,
  issueThread,
  manual,
  packages,
  readme,
  releaseNotes,
  russian,
  serviceReadme,
  toolHelp,
}).map(([name, file]) => goldenOf(name, file));

function goldenOf(name: string, file: string): Golden {
  const at = file.indexOf("\n-----\n");
  return {
    name,
    input: file.slice(0, at + 1),
    expected: file.slice(at + "\n-----\n".length),
    query: QUERIES[name] ?? "",
  };
}

/** The input of a golden file. */
export function inputOf(name: string): string {
  return GOLDENS.find((golden) => golden.name === name)!.input;
}

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
