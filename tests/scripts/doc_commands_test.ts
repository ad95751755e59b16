import assert from "node:assert/strict";
import { parse } from "shell-quote";
import { scriptOf } from "../cli/completions/shell.ts";
import { pages } from "./pages.ts";

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
