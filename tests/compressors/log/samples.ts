/** Golden inputs and generated logs for the tests of the log compressor. @module */

/** Lines of a service log, one a second, of a few kinds. */
export function serviceLines(count: number): string[] {
  const kinds = [
    (i: number) => `INFO  [http-${i % 8}] GET /health 200 ${i % 70}ms`,
    (i: number) =>
      `INFO  [http-${i % 8}] GET /v1/users/${i * 7} 200 ${i % 50}ms`,
    (i: number) => `DEBUG [cache] hit ratio ${(i * 37) % 100} size ${i * 3}`,
    (i: number) => `INFO  [sync] stored ${i % 40} rows, 0 errors, skipped=0`,
  ];
  return Array.from({ length: count }, (_, i) => {
    const clock = new Date(1_770_000_000_000 + i * 1000).toISOString();
    return `${clock} ${kinds[(i * 7 + (i >> 3)) % kinds.length]!(i)}`;
  });
}
