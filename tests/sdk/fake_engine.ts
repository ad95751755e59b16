/** An engine whose results are easy to foresee. @module */
import type { EngineParts } from "../../src/sdk/engine.ts";
import { FORMATS, type Harness, harness } from "../pipeline/harness.ts";

/** An engine on a pipeline whose compressors keep the first and the last line; every span counts one token. */
export function engineOf(process: Harness = harness()): EngineParts {
  const { messages, chat_completions, responses } = FORMATS;
  return {
    compression: process.parts,
    formats: {
      messages: messages!,
      chat_completions: chat_completions!,
      responses: responses!,
    },
    count: ({ spans }) => {
      const counted = { tokens: spans.length, extraTokens: 0 };
      return {
        estimate: () => counted,
        isExact: () => true,
        done: Promise.resolve(counted),
      };
    },
  };
}
