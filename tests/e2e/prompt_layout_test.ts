/** What the order of a prompt costs an agent that wakes again and again: the figures of docs/prompt-layout.md. */
import assert from "node:assert/strict";
import {
  type BilledAnswer,
  nanoUsdOf,
  startBillingProvider,
} from "./billing_provider.ts";
import { createSvc, retrieveTool } from "../../mod.ts";
import { startProxy } from "./proxy.ts";
import { Random } from "./random.ts";

const WAKES = 20;
/** Requests of one wake: each tool result makes another. */
const REQUESTS = 3;
const MINUTE_MS = 60_000;

/** About so many words that differ from one name to the next. */
function words(name: string, count: number): string {
  const random = new Random(name);
  return Array.from({ length: count }, () => `w${random.below(1e4)}`).join(" ");
}

/** The same bytes in every wake. */
const INSTRUCTIONS = words("instructions", 1500);
const digest = (wake: number) => words(`digest ${wake}`, 250);
const context = (wake: number) => words(`context ${wake}`, 120);

type Layout = "digest first" | "instructions first";

/** A run of the agent. */
interface Run {
  readonly format: "messages" | "chat";
  readonly layout: Layout;
  /** Between two wakes. */
  readonly pauseMs: number;
  /** For how long the client wants prompts to be kept; without a meaning for chat. */
  readonly life: "5m" | "1h";
}

/** Texts of the system prompt, and of the first user message. */
function partsOf(layout: Layout, wake: number): {
  readonly system: readonly string[];
  readonly user: readonly string[];
} {
  return layout === "digest first"
    ? { system: [digest(wake), INSTRUCTIONS], user: [context(wake)] }
    : { system: [INSTRUCTIONS], user: [digest(wake), context(wake)] };
}

/** Puts a mark on the last of these. */
function marked(parts: readonly object[], life: Run["life"]) {
  const cache_control = life === "1h"
    ? { type: "ephemeral", ttl: "1h" }
    : { type: "ephemeral" };
  return parts.map((part, i) =>
    i === parts.length - 1 ? { ...part, cache_control } : part
  );
}

/** The request number `n` of a wake, and its path. */
function requestOf({ format, layout, life }: Run, wake: number, n: number) {
  const { system, user } = partsOf(layout, wake);
  const texts = (all: readonly string[]) =>
    all.map((text) => ({ type: "text", text }));
  const steps = Array.from({ length: n }, (_, i) => ({
    says: words(`says ${wake} ${i}`, 20),
    hears: words(`hears ${wake} ${i}`, 60),
  }));
  if (format === "chat") {
    return {
      path: "/v1/chat/completions",
      body: {
        model: "gpt-4o",
        messages: [
          { role: "system", content: system.join("\n\n") },
          ...user.map((content) => ({ role: "user", content })),
          ...steps.flatMap(({ says, hears }) => [
            { role: "assistant", content: says },
            { role: "user", content: hears },
          ]),
        ],
      },
    };
  }
  const turns = [
    { role: "user", content: texts(user) },
    ...steps.flatMap(({ says, hears }) => [
      { role: "assistant", content: texts([says]) },
      { role: "user", content: texts([hears]) },
    ]),
  ];
  const last = turns.at(-1)!;
  return {
    path: "/v1/messages",
    body: {
      model: "claude-sonnet-4-5",
      max_tokens: 1000,
      system: marked(texts(system), life),
      messages: [
        ...turns.slice(0, -1),
        { ...last, content: marked(last.content, life) },
      ],
    },
  };
}

/** What all prompts of a run cost, as a share of their price without a cache. */
async function shareOf(run: Run): Promise<number> {
  const time = { ms: Date.UTC(2026, 2, 2) };
  const provider = await startBillingProvider(
    () => ({ text: "Done." }),
    () => time.ms,
  );
  const proxy = await startProxy({
    MSG_TARGET_API_URL: provider.url,
    CHAT_TARGET_API_URL: provider.url,
  }, { clock: { now: () => time.ms, monotonic: () => performance.now() } });
  try {
    for (let wake = 0; wake < WAKES; wake++) {
      for (let n = 0; n < REQUESTS; n++) {
        const { path, body } = requestOf(run, wake, n);
        const response = await fetch(proxy.url + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        assert.equal(response.status, 200, await response.text());
        time.ms += 5000;
      }
      time.ms += run.pauseMs;
    }
    assert.equal(provider.answers.length, WAKES * REQUESTS);
    return inputShare(provider.answers);
  } finally {
    await proxy.stop();
    await provider.stop();
  }
}

function inputShare(answers: readonly BilledAnswer[]): number {
  const plain = answers.map((answer) => {
    const { input, read, write5m, write1h } = answer;
    const all = input + read + write5m + write1h;
    return { ...answer, input: all, read: 0, write5m: 0, write1h: 0 };
  });
  const cost = (all: readonly BilledAnswer[]) =>
    nanoUsdOf(all.map((answer) => ({ ...answer, output: 0 })));
  return cost(answers) / cost(plain);
}

/** Rows of the page's table, by their first cell. */
const ROWS: Readonly<Record<string, Omit<Run, "layout">>> = {
  "messages, a wake each minute": {
    ...{ format: "messages", life: "5m", pauseMs: MINUTE_MS },
  },
  "messages, a wake each 20 minutes": {
    ...{ format: "messages", life: "5m", pauseMs: 20 * MINUTE_MS },
  },
  "the same, kept for an hour": {
    ...{ format: "messages", life: "1h", pauseMs: 20 * MINUTE_MS },
  },
  "chat completions, a wake each minute": {
    ...{ format: "chat", life: "5m", pauseMs: MINUTE_MS },
  },
};

const PAGE = new URL("../../docs/prompt-layout.md", import.meta.url);

Deno.test("docs/prompt-layout.md has the shares of the price of input that a provider bills for both orders", async () => {
  const page = await Deno.readTextFile(PAGE);
  for (const [name, run] of Object.entries(ROWS)) {
    const before = await shareOf({ ...run, layout: "digest first" });
    const after = await shareOf({ ...run, layout: "instructions first" });
    const cells = [name, before.toFixed(2), after.toFixed(2)];
    const row = new RegExp(`^\\| ${cells.join(" +\\| ")} +\\|$`, "m");
    assert.match(page, row, cells.join(" | "));
    assert(after <= before, name);
  }
});

Deno.test("docs/prompt-layout.md prints what its example says", async () => {
  const page = await Deno.readTextFile(PAGE);
  const [, code = ""] = /^```js\n([^]*?)^```$/m.exec(page)!;
  const [, printed = ""] = /holds \d+:\n\n```\n([^]*?)```$/m.exec(page)!;
  const said: string[] = [];
  const source = code
    .replace(/^import .*$/m, "")
    .replace("console.log(", "print(");
  const run = new Function(
    ...["createSvc", "retrieveTool", "print"],
    `return (async () => {${source}\nreturn lastRun;})()`,
  );
  const { tokensBefore, tokensAfter } = await run(
    createSvc,
    retrieveTool,
    (text: string) => said.push(text),
  );
  assert.equal(`${said.join("\n")}\n`, printed);
  const before = tokensBefore.toLocaleString("en");
  const sentence = `output's ${before} tokens the digest holds ${tokensAfter}:`;
  assert(page.includes(sentence), sentence);
});
