/** Texts for benchmarks, the same on every run. */

/** A sequence of numbers below 1 that depends on `seed` only: a linear congruential generator. */
export function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Joins what `line` makes until the text has `bytes` characters. */
function fill(bytes: number, line: (i: number) => string): string {
  const lines: string[] = [];
  let size = 0;
  while (size < bytes) {
    const next = line(lines.length);
    lines.push(next);
    size += next.length + 1;
  }
  return lines.join("\n");
}

/** A service log: one failure in a hundred lines. */
export function serviceLog(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  return fill(bytes, (i) => {
    const time = new Date(1_772_438_400_000 + i * 731).toISOString();
    const worker = `worker-${below(12)}`;
    switch (below(100)) {
      case 0:
        return `${time} ERROR [${worker}] job ${
          below(1e6)
        } failed: connect ECONNREFUSED 10.0.${below(256)}.${below(256)}:5432`;
      case 1:
      case 2:
        return `${time} WARN  [${worker}] queue depth ${
          below(5000)
        } above limit`;
      default:
        return `${time} INFO  [${worker}] GET /api/v1/items/${below(1e5)} 200 ${
          below(400)
        }ms trace=${below(2 ** 31).toString(16)}`;
    }
  });
}

/** `grep -rn` over a source tree. */
export function searchResults(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  let file = "";
  let line = 0;
  return fill(bytes, (i) => {
    if (i % 7 === 0) {
      file = `src/area_${below(40)}/module_${below(200)}.ts`;
      line = 1;
    }
    line += 1 + below(40);
    return `${file}:${line}:  const connection = await pool.acquire(${
      below(9000)
    }, options.timeout);`;
  });
}

/** A unified diff of many files. */
export function unifiedDiff(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  return fill(bytes, (i) => {
    const path = `src/area_${below(40)}/module_${i}.ts`;
    const hunks = Array.from({ length: 3 }, (_, h) => {
      const from = 1 + h * 60;
      return [
        `@@ -${from},8 +${from},8 @@ export function step${h}() {`,
        ...[0, 1, 2].map((n) => `   const before${n} = read(${below(900)});`),
        `-  return combine(before0, ${below(900)});`,
        `+  return combine(before1, before2, ${below(900)});`,
        ...[0, 1, 2, 3].map((n) => `   const after${n} = read(${below(900)});`),
      ].join("\n");
    });
    return [
      `diff --git a/${path} b/${path}`,
      `index ${below(2 ** 28).toString(16)}..${
        below(2 ** 28).toString(16)
      } 100644`,
      `--- a/${path}`,
      `+++ b/${path}`,
      ...hunks,
    ].join("\n");
  }) + "\n";
}

/** A JSON array of uniform rows. */
export function jsonRows(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  const rows = fill(bytes, (i) =>
    JSON.stringify({
      id: 1000 + i,
      time: new Date(1_772_438_400_000 + i * 60_000).toISOString(),
      state: below(50) === 0 ? "failed" : "done",
      host: `worker-${below(20)}`,
      latency_ms: 50 + below(20),
      message: `handled request ${i} for user ${below(10_000)}`,
      error: null,
    }));
  return `[${rows.replaceAll("\n", ",")}]`;
}

/** English-like prose. */
export function prose(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const words =
    "the of and to a in that is was for it with as on be at by this had not are but from have which one you were all her there would their been has when who will more out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our most made after also did many before must well back through years much where your way down should because"
      .split(" ");
  return fill(bytes, () => {
    const n = 8 + Math.floor(random() * 12);
    const sentence = Array.from(
      { length: n },
      () => words[Math.floor(random() * words.length)]!,
    ).join(" ");
    return sentence[0]!.toUpperCase() + sentence.slice(1) + ".";
  });
}

const NOUNS =
  "account budget cache client daemon engine filter gateway handler index journal kernel ledger monitor network order parser queue router session token upload vector worker"
    .split(" ");

/** `rg --files` over a large tree. */
export function pathList(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const noun = () => NOUNS[Math.floor(random() * NOUNS.length)]!;
  let directory = "";
  return fill(bytes, (i) => {
    if (i % 9 === 0) directory = `src/${noun()}/${noun()}_${i % 40}`;
    return `${directory}/${noun()}_${noun()}.${i % 17 ? "ts" : "json"}`;
  }) + "\n";
}

/** Comma-separated rows with a header. */
export function csvRows(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  const rows = fill(bytes, (i) =>
    [
      1000 + i,
      new Date(1_772_438_400_000 + i * 60_000).toISOString(),
      below(60) === 0 ? "failed" : "done",
      `worker-${below(8)}`,
      50 + below(20),
      `${NOUNS[below(24)]} ${below(10_000)}`,
    ].join(","));
  return `id,time,state,host,latency_ms,subject\n${rows}\n`;
}

/** Manifests of services, one document each. */
export function yamlManifests(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  return fill(bytes, (i) => {
    const name = `${NOUNS[i % 24]}-${i}`;
    return [
      "---",
      "apiVersion: apps/v1",
      "kind: Deployment",
      "metadata:",
      `  name: ${name}`,
      "  labels:",
      `    app: ${name}`,
      "    tier: backend",
      "spec:",
      `  replicas: ${1 + below(5)}`,
      "  template:",
      "    spec:",
      "      containers:",
      `        - name: ${name}`,
      `          image: registry.example.com/${name}:1.${below(30)}.${
        below(9)
      }`,
      "          resources:",
      "            limits:",
      `              memory: ${128 * (1 + below(8))}Mi`,
      "              cpu: 500m",
    ].join("\n");
  }) + "\n";
}

/** A page with navigation, an article and scripts. */
export function htmlPage(bytes: number, seed = 1): string {
  const text = prose(bytes, seed).split("\n");
  const sections = text.map((line, i) =>
    `<section class="part"><h2 id="s${i}">Part ${i}</h2><p>${line} <a href="/docs/${
      NOUNS[i % 24]
    }?ref=${i}">More</a></p></section>`
  );
  const links = NOUNS.map((noun) =>
    `<li class="nav-item"><a class="nav-link" href="/${noun}">${noun}</a></li>`
  ).join("");
  return `<!doctype html><html lang="en"><head><title>Guide</title><style>${
    ".a{color:red}".repeat(80)
  }</style><script>${
    "window.x=window.x||[];".repeat(200)
  }</script></head><body><nav><ul>${links}</ul></nav><main>${
    sections.join("\n")
  }</main><footer>All rights reserved</footer></body></html>\n`;
}

/** A TypeScript module of many functions. */
export function sourceCode(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  const functions = fill(bytes, (i) => {
    const noun = NOUNS[i % 24]!;
    const steps = Array.from(
      { length: 6 + below(12) },
      (_, n) =>
        `  const ${noun}${n} = await read(source, ${
          below(900)
        });\n  if (${noun}${n} === undefined) return fallback(${n});`,
    );
    return [
      `/** Reads the ${noun} number ${i}. */`,
      `export async function ${noun}Step${i}(source: Source, fallback: Fallback): Promise<number> {`,
      ...steps,
      `  return total(${noun}0, ${below(900)});`,
      "}",
      "",
    ].join("\n");
  });
  return `import { read, total } from "./store.ts";\nimport type { Fallback, Source } from "./types.ts";\n\n${functions}\n`;
}

/** A source file with a number before each line. */
export function numberedCode(bytes: number, seed = 1): string {
  return sourceCode(bytes, seed).split("\n")
    .map((line, i) => `${`${i + 1}`.padStart(6)}→${line}`).join("\n");
}

/** The output of a command in the header of an agent's shell. */
export function wrappedLog(bytes: number, seed = 1): string {
  return `Exit code: 1\nWall time: 2.5 seconds\nOutput:\n${
    serviceLog(bytes, seed)
  }`;
}

/** A document with code, JSON and tables between paragraphs. */
export function mixedDocument(bytes: number, seed = 1): string {
  return fill(bytes, (i) =>
    [
      `## Step ${i}`,
      "",
      prose(300, seed + i),
      "",
      "```ts",
      sourceCode(500, seed + i),
      "```",
      "",
      jsonRows(900, seed + i),
      "",
    ].join("\n")) + "\n";
}

/** Lines of minified code. */
export function minifiedCode(bytes: number, seed = 1): string {
  const random = randomSource(seed);
  const below = (n: number) => Math.floor(random() * n);
  return fill(bytes, () =>
    Array.from(
      { length: 120 },
      () =>
        `function ${NOUNS[below(24)]!.slice(0, 2)}${below(99)}(e,t){return e.${
          NOUNS[below(24)]
        }(t,${below(9999)})}`,
    ).join(""));
}
