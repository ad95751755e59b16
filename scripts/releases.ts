/**
 * Where releases are: an address that the release workflow knows, and a checkout does not.
 *
 * Usage, in the workflow: `SVC_RELEASES_URL=https://… deno run -A scripts/releases.ts`. It writes the address into
 * `scripts/install.sh`, and uncovers what pages hold in a comment of these three lines:
 *
 *     <!-- release
 *     Download it from RELEASES_URL.
 *     -->
 *
 * @module
 */

const ROOT = new URL("../", import.meta.url);

const COMMENT = /^<!-- release\n([^]*?)^-->\n/gm;

/**
 * The address of the releases in an environment.
 *
 * @returns Without a slash at the end; `undefined` when there is none.
 * @throws {Error} If it is not an https URL.
 */
export function releasesIn(
  env: Readonly<Record<string, string>>,
): string | undefined {
  const value = env["SVC_RELEASES_URL"];
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^https:\/\/[^\s"'|&\\]+$/.test(value)) {
    throw new Error(
      `Cannot use SVC_RELEASES_URL="${value}": must be an https URL`,
    );
  }
  return value.replace(/\/+$/, "");
}

/** A page, or the installer, as a release has it. */
export function releaseText(text: string, url: string): string {
  return text
    .replace(COMMENT, (_, body: string) => body.replaceAll("RELEASES_URL", url))
    .replace(/^RELEASES=$/m, `RELEASES='${url}'`);
}

/** What a reader of a checkout sees of a page: no text that is for releases. */
export function checkoutText(text: string): string {
  return text.replace(COMMENT, "");
}

/** Paths of the files that may name a release, below the root of the repository. */
export async function releaseFiles(): Promise<string[]> {
  const docs: string[] = [];
  for await (const { name } of Deno.readDir(new URL("docs/", ROOT))) {
    if (name.endsWith(".md")) docs.push(`docs/${name}`);
  }
  const others = ["README.md", "scripts/install.sh", "scripts/npm/README.md"];
  return [...docs.sort(), ...others];
}

if (import.meta.main) {
  const url = releasesIn(Deno.env.toObject());
  if (url === undefined) throw new Error("Cannot go on: set SVC_RELEASES_URL");
  for (const path of await releaseFiles()) {
    const file = new URL(path, ROOT);
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, releaseText(text, url));
  }
}
