/** Golden inputs and generated results for the tests of the search compressor. @module */

/** `path:line:text` for so many matches in each of so many files. */
export function grepLines(files: number, each: number): string[] {
  return Array.from({ length: files * each }, (_, i) => {
    const file = Math.floor(i / each);
    const path = `src/part${file % 5}/module_${file}.ts`;
    return `${path}:${(i % each) * 13 + 4}:  const value${i} = compute(input, ${
      i * 3
    });`;
  });
}
