/** A reader of the text exposition format that accepts nothing but what the format allows. */
import assert from "node:assert/strict";

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = `([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"`;
const SAMPLE = new RegExp(
  `^(${NAME})(\\{${LABEL}(?:,${LABEL})*\\})? ([0-9.e+-]+)$`,
);
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [""],
  gauge: [""],
  summary: ["_sum", "_count"],
  histogram: ["_bucket", "_sum", "_count"],
};

/**
 * Reads samples by name and labels as written, and throws at the first breach: HELP and TYPE once per family and right
 * before its samples, no family without samples, no series twice, no counter below zero, histograms that add up.
 */
export function parseMetrics(text: string): ReadonlyMap<string, number> {
  assert.ok(text.endsWith("\n"));
  const samples = new Map<string, number>();
  const families = new Set<string>();
  let [family, type, own] = ["", "", [] as [string, number][]];
  const end = () => {
    if (family === "") return;
    assert.ok(own.length > 0, `${family} has samples`);
    if (type === "histogram") checkHistogram(family, own);
  };
  const lines = text.slice(0, -1).split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const help = new RegExp(`^# HELP (${NAME}) (\\S.*)$`).exec(line);
    if (help) {
      end();
      family = help[1]!;
      const kind = new RegExp(
        `^# TYPE ${family} (counter|gauge|summary|histogram)$`,
      ).exec(lines[++i] ?? "");
      assert.ok(kind, `TYPE of ${family} follows its HELP`);
      type = kind[1]!;
      assert.ok(!families.has(family), `${family} is declared once`);
      families.add(family);
      own = [];
      continue;
    }
    const found = SAMPLE.exec(line);
    assert.ok(found, `a sample: ${line}`);
    const key = `${found[1]}${found[2] ?? ""}`;
    assert.ok(
      SUFFIXES[type]?.some((suffix) => found[1] === family + suffix),
      `${line} belongs to ${family}`,
    );
    assert.ok(!samples.has(key), `${key} occurs once`);
    const value = Number(found.at(-1));
    assert.ok(Number.isFinite(value), line);
    assert.ok(type === "gauge" || value >= 0, `${line} is not below zero`);
    samples.set(key, value);
    own.push([key, value]);
  }
  end();
  return samples;
}

function checkHistogram(name: string, own: readonly [string, number][]): void {
  const buckets = own.flatMap(([key, value]) => {
    const bound = /_bucket\{le="(.+)"\}$/.exec(key)?.[1];
    return bound === undefined
      ? []
      : [[bound === "+Inf" ? Infinity : Number(bound), value] as const];
  });
  assert.equal(buckets.at(-1)?.[0], Infinity, `${name} ends with +Inf`);
  for (let i = 1; i < buckets.length; i++) {
    assert.ok(buckets[i]![0] > buckets[i - 1]![0], `${name} rises`);
    assert.ok(buckets[i]![1] >= buckets[i - 1]![1], `${name} is cumulative`);
  }
  const count = own.find(([key]) => key.endsWith("_count"));
  assert.equal(buckets.at(-1)?.[1], count?.[1], `${name} +Inf is its count`);
}
