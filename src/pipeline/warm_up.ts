/** Runs the compressors on generated texts, so that the first real block meets compiled code. @module */
import type { CcrKey } from "../core/store.ts";
import type { BlockJob, Decision } from "../core/decision.ts";

/** Times that each text is decided: the first takes ten times as long as the eighth. */
const ROUNDS = 8;
/** Lines per text: about 10 kB. */
const LINES = 120;

const list = (line: (i: number) => string) =>
  Array.from({ length: LINES }, (_, i) => line(i)).join("\n");

/** One text per kind that agents send most: logs, search results, JSON, diffs. */
const COMMONEST: readonly (() => string)[] = [
  () =>
    list((i) =>
      i % 40 === 7
        ? `2026-01-01T00:00:${10 + i % 50}Z ERROR worker-${
          i % 5
        } job ${i} failed: connection refused`
        : `2026-01-01T00:00:${10 + i % 50}Z INFO worker-${
          i % 5
        } job ${i} done in ${i * 37 % 180} ms`
    ),
  () =>
    list((i) =>
      `src/area_${Math.floor(i / 8)}.ts:${
        12 + i % 8 * 9
      }:  const row${i} = await read(${i * 7}, options);`
    ),
  () =>
    `[${
      list((i) =>
        `{"id":${i},"state":"${i % 30 ? "done" : "failed"}","owner":"team-${
          i % 4
        }","took_ms":${i * 37 % 180}}`
      ).replaceAll("\n", ",")
    }]`,
  () =>
    list((i) =>
      i % 12 === 0
        ? `diff --git a/src/unit_${i}.ts b/src/unit_${i}.ts\nindex 1234567..89abcde 100644\n--- a/src/unit_${i}.ts\n+++ b/src/unit_${i}.ts\n@@ -1,10 +1,11 @@ export function step() {`
        : i % 12 === 6
        ? `-  return old(${i});\n+  const row = read(${i});\n+  return row;`
        : `   const value${i} = read(${i});`
    ) + "\n",
];

/** One text per further kind: source code, paths, tables, prose. */
const OTHERS: readonly (() => string)[] = [
  () =>
    list((i) =>
      `${`${i + 1}`.padStart(6)}→  const row${i} = await read(${
        i * 7
      }, options);`
    ),
  () => list((i) => `src/area_${Math.floor(i / 9)}/unit_${i}.ts`) + "\n",
  () =>
    `NAME            READY   STATUS    RESTARTS   AGE\n${
      list((i) =>
        `worker-${1000 + i * 37}     1/1     ${
          i % 40 ? "Running" : "Failed "
        }   ${i % 3}          ${10 + i % 80}d`
      )
    }\n`,
  () =>
    list((i) =>
      i % 12 === 0
        ? `\n## Part ${i}\n`
        : `The service keeps the entries of part ${i} for ${
          10 + i
        } minutes. It reads them again when it starts, and a warning names what it cannot read.`
    ),
];

/** What the warm-up works with. */
export interface WarmUpParts {
  /** Loads what decides one block. */
  readonly open: () => Promise<(job: BlockJob) => Decision>;
  /** Resolves when nothing else is to be done, to whether to go on: asked before each text. */
  readonly idle: () => Promise<boolean>;
}

/** Decides each text a few times, all rounds of the commonest kinds first. Rejects with what goes wrong. */
export async function warmUp({ open, idle }: WarmUpParts): Promise<void> {
  if (!await idle()) return;
  const decide = await open();
  for (const texts of [COMMONEST, OTHERS]) {
    for (let round = 0; round < ROUNDS; round++) {
      for (const text of texts) {
        if (!await idle()) return;
        decide(jobOf(text()));
      }
    }
  }
}

function jobOf(text: string): BlockJob {
  return {
    text,
    original: "" as CcrKey,
    toolName: "Bash",
    rule: "normal",
    path: "",
    query: "why did the job fail",
    mayElide: true,
    notElided: [],
    model: "",
    options: { exact: false, folds: true, codeAware: true },
  };
}
