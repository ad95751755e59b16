/** Licences of what the bundle holds of other people's work. @module */

/** Where the bundler says what a part of its output was: a file of the package cache. */
const CACHED =
  /^\s*\/\/ (\S*\/npm\/[^/\s]+\/((?:@[^/\s]+\/)?[^/\s]+)\/(\d+\.[^/\s]+)\/)\S+$/gm;

const LICENCE_FILES = [
  "LICENSE",
  "LICENSE.md",
  "LICENSE.txt",
  "license",
  "LICENCE",
];

/** The licence of the token ranks, which no package carries as a file. */
const RANKS = `## tiktoken (token ranks o200k_base and cl100k_base)

MIT License

Copyright (c) 2022 OpenAI, Shantanu Jain

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

/**
 * The text of `THIRD_PARTY_NOTICES.md`.
 *
 * @param bundled Texts of the bundler, unminified.
 * @param cwd Folder that paths in those texts start from; ends in a slash.
 * @throws {Error} If a package has no licence file.
 */
export async function notices(
  bundled: Iterable<string>,
  cwd: URL,
): Promise<string> {
  const packages = new Map<string, URL>();
  for (const text of bundled) {
    for (const [, folder, name, version] of text.matchAll(CACHED)) {
      packages.set(`${name} ${version}`, new URL(folder!, cwd));
    }
  }
  const sections: string[] = [];
  for (const [name, folder] of [...packages].sort()) {
    sections.push(`## ${name}\n\n${await licenceIn(folder, name)}`);
  }
  return [
    "# Other people's work in this package",
    ...sections,
    RANKS,
    "",
  ].join("\n\n").trimEnd() + "\n";
}

async function licenceIn(folder: URL, name: string): Promise<string> {
  for (const file of LICENCE_FILES) {
    try {
      return (await Deno.readTextFile(new URL(file, folder))).trim();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Error(
    `Cannot bundle ${name}: no licence file in ${folder.pathname}`,
  );
}
