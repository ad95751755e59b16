/** Every way in which a model asks for originals, in every format, as the official SDKs see it. */
import assert from "node:assert/strict";
import { withProxy } from "./proxy.ts";
import {
  type Answer,
  ask,
  BASH,
  type Case,
  CaseModel,
  FETCH,
  type Originals,
  type Place,
  play,
} from "./retrieval_talk.ts";
import { SDK_CLIENTS } from "./sdk_clients.ts";

const DONE = { text: 'It is "ünlucky" 😀.' };
const UNKNOWN = "f".repeat(24);

const wholeLog = ({ original_content }: Answer, { log }: Originals) =>
  assert.equal(original_content, log);
const wholeRows = ({ original_content }: Answer, { rows }: Originals) =>
  assert.equal(original_content, rows);
const missing = ({ original_content, error }: Answer) => {
  assert.equal(original_content, undefined);
  assert.match(error ?? "", /not found/);
};

/** The original is there, the part is not. */
const unfit = (what: RegExp) => ({ original_content, error }: Answer) => {
  assert.equal(original_content, undefined);
  assert.match(error ?? "", what);
};
const linesOf = (text: string, from: number, to: number) =>
  text.split("\n").slice(from, to).map((line) => `${line}\n`).join("");

const CASES: Readonly<Record<string, Case>> = {
  "alone": {
    rounds: ({ log }) => [{ calls: [ask({ hash: log })] }, DONE],
    answers: [wholeLog],
  },
  "after text": {
    rounds: ({ log }) => [
      { text: "Let me see. ", calls: [ask({ hash: log })] },
      DONE,
    ],
    answers: [wholeLog],
  },
  "after thinking": {
    rounds: ({ log }) => [
      { thinking: "hm, what?", calls: [ask({ hash: log })] },
      { thinking: "ah, so!", ...DONE },
    ],
    answers: [wholeLog],
  },
  "after thinking and text, then calls of the client": {
    rounds: ({ rows }) => [
      { thinking: "hm", text: "Look. ", calls: [ask({ hash: rows })] },
      { thinking: "so", text: "Now run.", calls: [BASH, FETCH] },
    ],
    answers: [wholeRows],
  },
  "before a call of the client": {
    rounds: ({ log }) => [
      { thinking: "t", calls: [ask({ hash: log }), BASH] },
    ],
    answers: [wholeLog],
  },
  "behind a call of the client": {
    rounds: (
      { log },
    ) => [{ text: "Both. ", calls: [BASH, ask({ hash: log })] }],
    answers: [wholeLog],
  },
  "between calls of the client": {
    rounds: ({ log }) => [{ calls: [BASH, ask({ hash: log }), FETCH] }],
    answers: [wholeLog],
  },
  "around a call of the client": {
    rounds: ({ log, rows }) => [
      { text: "x", calls: [ask({ hash: log }), BASH, ask({ hash: rows })] },
    ],
    answers: [wholeLog, wholeRows],
  },
  "rounds, then beside a call of the client": {
    rounds: ({ log, rows }) => [
      { text: "First. ", calls: [ask({ hash: log })] },
      { thinking: "then", calls: [BASH, ask({ hash: rows })] },
    ],
    answers: [wholeLog, wholeRows],
  },
  "twice in a row": {
    rounds: ({ log, rows }) => [
      { text: "One. ", calls: [ask({ hash: log })] },
      { text: "Two. ", calls: [ask({ hash: rows })] },
      DONE,
    ],
    answers: [wholeLog, wholeRows],
  },
  "two in one turn": {
    rounds: ({ log, rows }) => [
      { calls: [ask({ hash: log }), ask({ hash: rows })] },
      DONE,
    ],
    answers: [wholeLog, wholeRows],
  },
  "the same twice in one turn": {
    rounds: ({ log }) => [
      { calls: [ask({ hash: log }), ask({ hash: log })] },
      DONE,
    ],
    answers: [wholeLog, wholeLog],
  },
  "three rounds": {
    rounds: ({ log, rows }) => [
      { calls: [ask({ hash: log })] },
      { thinking: "t", calls: [ask({ hash: rows })] },
      { text: "Last. ", calls: [ask({ hash: UNKNOWN })] },
      DONE,
    ],
    answers: [wholeLog, wholeRows, missing],
  },
  "an unknown hash": {
    rounds: () => [{ calls: [ask({ hash: UNKNOWN })] }, DONE],
    answers: [missing],
  },
  "malformed hashes": {
    rounds: () => [
      { calls: ["../etc/passwd", "", 17, null].map((hash) => ask({ hash })) },
      { calls: [ask({}), BASH] },
    ],
    answers: [missing, missing, missing, missing, missing],
  },
  "a hash with the marker's words around it": {
    rounds: ({ log }) => [
      { calls: [ask({ hash: `Retrieve more: hash=${log}]` })] },
      DONE,
    ],
    answers: [wholeLog],
  },
  "lines of it": {
    rounds: ({ log }) => [
      {
        calls: [ask({ hash: log, lines: "2-3" }), ask({ hash: log, lines: 4 })],
      },
      DONE,
    ],
    answers: [
      ({ original_content }, { log }) =>
        assert.equal(original_content, linesOf(log, 1, 3)),
      ({ original_content }, { log }) =>
        assert.equal(original_content, linesOf(log, 3, 4)),
    ],
  },
  "a place in it, beside a call of the client": {
    rounds: ({ rows }) => [
      { calls: [ask({ hash: rows, path: "[1].message" }), BASH] },
    ],
    answers: [
      ({ original_content }, { rows }) =>
        assert.equal(
          original_content,
          JSON.stringify(JSON.parse(rows)[1].message),
        ),
    ],
  },
  "words in it, then lines": {
    rounds: ({ log }) => [
      { text: "Search. ", calls: [ask({ hash: log, query: "worker-3" })] },
      { text: "Read. ", calls: [ask({ hash: log, lines: "1-2", query: "" })] },
      DONE,
    ],
    answers: [
      ({ original_content }, { log }) => {
        const found = log.split("\n").filter((l) => l.includes("[worker-3]"));
        assert(found.length > 0);
        for (const line of found) assert(original_content!.includes(line));
        assert(original_content!.length < log.length);
      },
      ({ original_content }, { log }) =>
        assert.equal(original_content, linesOf(log, 0, 2)),
    ],
  },
  "a part that is not there": {
    rounds: ({ log }) => [
      {
        calls: [
          ask({ hash: log, lines: "9000-" }),
          ask({ hash: log, path: "a" }),
        ],
      },
      { calls: [ask({ hash: UNKNOWN, lines: "1" })] },
      DONE,
    ],
    answers: [unfit(/lines/), unfit(/path/), missing],
  },
  "parts that are no text": {
    rounds: ({ log }) => [
      { calls: [ask({ hash: log, lines: null, query: ["x"], path: {} })] },
      DONE,
    ],
    answers: [wholeLog],
  },
  "nothing more to say": {
    rounds: ({ log }) => [{ text: "Only this.", calls: [ask({ hash: log })] }, {
      text: "",
    }],
    answers: [wholeLog],
  },
  "cut off at once": {
    rounds: ({ log }) => [
      { text: "It is", calls: [ask({ hash: log })], cut: true },
    ],
    answers: [],
  },
  "cut off later": {
    rounds: ({ log, rows }) => [
      { text: "One. ", calls: [ask({ hash: log })] },
      { text: "It is", calls: [ask({ hash: rows })], cut: true },
    ],
    answers: [wholeLog],
  },
};

for (const client of SDK_CLIENTS) {
  Deno.test(`a client sees no retrieval, and the model keeps its answer: ${client.format}`, async (t) => {
    const model = new CaseModel();
    await withProxy(model.script, async ({ provider, ...proxy }) => {
      for (const streaming of [false, true]) {
        const place: Place = { client, streaming, proxy, provider, model };
        for (const [what, one] of Object.entries(CASES)) {
          const name = `${streaming ? "stream" : "document"}, ${what}`;
          await t.step(name, () => play(place, { name, one }));
        }
      }
      // The prefix is compared byte for byte: breakpoints of ours would move.
    }, { SVC_AUTO_CACHE: "0" });
  });
}
