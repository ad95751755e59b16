/** Golden files: an input, a line `-----`, what becomes of it. @module */

/** An input and what becomes of it. */
export interface Golden {
  /** Name of the file. */
  readonly name: string;
  /** What goes in. */
  readonly input: string;
  /** What comes out. */
  readonly expected: string;
}

/** The pairs in the given files. */
export function goldensOf(
  files: Readonly<Record<string, string>>,
): readonly Golden[] {
  return Object.entries(files).map(([name, file]) => {
    const at = file.indexOf("\n-----\n");
    return {
      name,
      input: file.slice(0, at + 1),
      expected: file.slice(at + "\n-----\n".length),
    };
  });
}
