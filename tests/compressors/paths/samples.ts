/** Golden inputs and generated lists for the tests of lists of paths. @module */

/** Sorted paths: so many files in each of so many directories of a service. */
export function manyPaths(directories: number, each: number): string[] {
  return Array.from({ length: directories * each }, (_, i) => {
    const directory = String(Math.floor(i / each)).padStart(3, "0");
    const name = WORDS[i % each % WORDS.length]!;
    return `packages/part${directory}/src/${name}_${NAMES[
      i % NAMES.length
    ]!}.ts`;
  });
}

const WORDS =
  "cart order user price stock refund ticket coupon badge audit basket bonus budget catalog charge client"
    .split(" ");
const NAMES =
  "reader writer parser store view model check guard scan queue cache".split(
    " ",
  );
