/** Timing of functions, and how figures are printed. */

/** Milliseconds of `runs` calls, in ascending order, after `warm` calls that do not count. */
export function times(
  work: () => unknown,
  { runs, warm }: { readonly runs: number; readonly warm: number },
): readonly number[] {
  for (let i = 0; i < warm; i++) work();
  const samples: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    work();
    samples.push(performance.now() - start);
  }
  return samples.sort((a, b) => a - b);
}

/** The value below which the share `p` of ascending samples lies. */
export function percentile(samples: readonly number[], p: number): number {
  return samples[Math.min(samples.length - 1, Math.floor(p * samples.length))]!;
}

/** A figure with `digits` decimals. */
export function figure(value: number, digits = 2): string {
  return value.toFixed(digits);
}

/** A Markdown table. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = head.map((_, i) => i === 0 ? "---" : "---:");
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
