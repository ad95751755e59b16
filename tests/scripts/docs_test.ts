/** The pages that users read: their links lead somewhere, and what they say to type works. */
import assert from "node:assert/strict";
import { parse } from "shell-quote";
import { scriptOf } from "../cli/completions/shell.ts";

/** Directory of the repository. */
const ROOT = new URL("../../", import.meta.url);

/** `README.md` and every page of `docs/`, those of agents included. */
async function pages(): Promise<URL[]> {
  const all = [new URL("README.md", ROOT)];
  for (const path of ["docs/", "docs/agents/"]) {
    const directory = new URL(path, ROOT);
    for await (const { name } of Deno.readDir(directory)) {
      if (name.endsWith(".md")) all.push(new URL(name, directory));
    }
  }
  return all;
}

/** A link to another place of the repository. */
interface RelativeLink {
  /** Path from the page's directory; empty for the page itself. */
  readonly path: string;
  /** Heading it leads to, as in an address; `undefined` for the whole page. */
  readonly heading: string | undefined;
}

/** `[text](target)` and `![text](target)`. */
const LINK = /!?\[[^\]]*\]\(([^()\s]+)\)/g;
/** Fenced blocks and code in a line: what looks like a link in there is none. */
const CODE = /^ *(```|~~~)[^]*?^ *\1|`[^`\n]*`/gm;

/** The links to files and headings, in their order; addresses elsewhere are left out. */
function relativeLinks(markdown: string): RelativeLink[] {
  const targets = [...markdown.replace(CODE, "").matchAll(LINK)]
    .map(([, target]) => target!);
  return targets.filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target))
    .map((target) => {
      const [path = "", heading] = target.split("#", 2);
      return { path, heading };
    });
}

/** Names under which the headings of a page are reached. */
function headingNames(markdown: string): ReadonlySet<string> {
  const names = new Set<string>();
  const fenced = /^ *(```|~~~)[^]*?^ *\1/gm;
  for (
    const [, text] of markdown.replace(fenced, "").matchAll(/^#+ +(.+)$/gm)
  ) {
    const name = text!.trim().toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
    let unique = name;
    for (let n = 1; names.has(unique); n++) unique = `${name}-${n}`;
    names.add(unique);
  }
  return names;
}

Deno.test("every relative link of README.md and docs/ leads to a file, and to a heading where it names one", async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const page of await pages()) {
    const markdown = await Deno.readTextFile(page);
    for (const { path, heading } of relativeLinks(markdown)) {
      count++;
      const target = new URL(path, page);
      const text = await textOf(target);
      const isThere = text !== undefined &&
        (heading === undefined || headingNames(text).has(heading));
      const place = page.pathname.slice(ROOT.pathname.length);
      if (!isThere) wrong.push(`${place}: ${path}#${heading ?? ""}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert(count > 50, `${count} links`);
});

Deno.test("README.md leads to every page of docs/", async () => {
  const links = relativeLinks(
    await Deno.readTextFile(new URL("README.md", ROOT)),
  );
  const linked = new Set(links.map(({ path }) => new URL(path, ROOT).href));
  const missing = (await pages()).filter(({ href }) =>
    !href.endsWith("/README.md") && !linked.has(href)
  );
  assert.deepEqual(missing.map(({ pathname }) => pathname), []);
});

/** The text of a file; empty for a directory, `undefined` for nothing. */
async function textOf(url: URL): Promise<string | undefined> {
  try {
    const { isFile } = await Deno.stat(url);
    return isFile ? await Deno.readTextFile(url) : "";
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  }
}

/** Commands of svc in code: in a line between backticks, or in a block for a shell. */
function commandsIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```(?:sh|bash)\n([^]*?)^```/gm)]
    .flatMap(([, block]) => block!.split("\n"))
    .map((line) => line.replace(/^\$ /, "").replace(/^\w+=\S+ /, ""));
  const inline = [...markdown.matchAll(/`(svc [^`\n]+)`/g)]
    .map(([, code]) => code!);
  return [...blocks, ...inline].filter((line) => /^svc [a-z-]/.test(line));
}

/** Words up to the first thing that only a shell understands, or that is for another program. */
function wordsOf(command: string): string[] {
  const words: readonly unknown[] = parse(
    command.replace(/ *[…].*/, "").replace(/<[^>]*>/g, "X"),
  );
  const end = words.findIndex((word) =>
    typeof word !== "string" || word === "--"
  );
  return words.slice(1, end < 0 ? undefined : end).map(String);
}

Deno.test("every command and flag of svc that README.md and docs/ name is one", async () => {
  const script = await scriptOf("bash");
  const tableOf = (name: string) => {
    const [, body = ""] = new RegExp(`^${name}\\(\\)[^]*?case([^]*?)esac`, "m")
      .exec(script)!;
    return new Map(
      [...body.matchAll(/^ *'([^']*)'\) words='([^']*)'/gm)]
        .map(([, path, words]) => [path!, words!.split(" ")]),
    );
  };
  const commands = tableOf("__svc_commands");
  const flags = tableOf("__svc_flags");
  const wrong: string[] = [];
  let count = 0;
  for (const page of await pages()) {
    for (const command of commandsIn(await Deno.readTextFile(page))) {
      count++;
      let at = "";
      for (const word of wordsOf(command)) {
        if (word.startsWith("--")) {
          const [name = ""] = word.split("=");
          const known = flags.get(at)?.includes(name);
          if (!known) wrong.push(`${page.pathname}: ${command}: ${name}`);
        } else if (commands.get(at)?.includes(word)) at += ` ${word}`;
        else if (at === "") wrong.push(`${page.pathname}: ${command}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert(count > 50, `${count} commands`);
});
