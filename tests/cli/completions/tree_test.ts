import assert from "node:assert/strict";
import { Argument, Command, Option } from "@commander-js/extra-typings";
import {
  allCommands,
  type CompletionCommand,
  completionTree,
  headerOf,
  quoted,
} from "../../../src/cli/completions/tree.ts";
import { scriptOf } from "./shell.ts";

function treeOf(define: (program: Command) => void): CompletionCommand {
  const program = new Command("svc").description("The program.");
  define(program);
  return completionTree(program);
}

Deno.test("completionTree has the commands, and help with their names, but nothing hidden", () => {
  const tree = treeOf((program) => {
    program.command("one").description("first");
    program.command("secret", { hidden: true });
    program.command("two").command("deep");
  });
  const all = allCommands(tree).map(({ path }) => path.join(" "));
  assert.deepEqual(all, [
    "",
    "one",
    "two",
    "two deep",
    "two help",
    "help",
  ]);
  assert.equal(tree.commands[0]!.summary, "first");
  const [slot] = tree.commands.at(-1)!.slots;
  assert.deepEqual(slot!.value, { type: "words", words: ["one", "two"] });
});

Deno.test("completionTree knows flags by all their names, and what they take", () => {
  const { flags } = treeOf((program) => {
    program
      .option("-f, --follow", "Go on. And on, e.g. long [SVC_F]")
      .option("--ca-file <path>", "a file")
      .option("--mode <a|b>", "a mode")
      .option("--n <number>", "a number.")
      .addOption(new Option("--by <what...>", "x").choices(["c", "d"]))
      .addOption(new Option("--later").hideHelp());
  });
  assert.deepEqual(flags, [
    { names: ["-f", "--follow"], summary: "Go on" },
    {
      names: ["--ca-file"],
      summary: "a file",
      slot: { name: "path", value: { type: "files" }, isMany: false },
    },
    {
      names: ["--mode"],
      summary: "a mode",
      slot: {
        name: "a|b",
        value: { type: "words", words: ["a", "b"] },
        isMany: false,
      },
    },
    {
      names: ["--n"],
      summary: "a number",
      slot: { name: "number", value: { type: "text" }, isMany: false },
    },
    {
      names: ["--by"],
      summary: "x",
      slot: {
        name: "what",
        value: { type: "words", words: ["c", "d"] },
        isMany: true,
      },
    },
    { names: ["-h", "--help"], summary: "display help for command" },
  ]);
});

Deno.test("completionTree knows arguments, and which of them are names of settings", () => {
  const tree = treeOf((program) => {
    program.command("read").argument("[file]").argument("<rest...>");
    program.command("shell").addArgument(
      new Argument("<shell>").choices(["bash"]),
    );
    program.command("config").command("set").argument("<name>").argument(
      "<value>",
    );
  });
  const [read, shell, config] = tree.commands;
  assert.deepEqual(read!.slots, [
    { name: "file", value: { type: "files" }, isMany: false },
    { name: "rest", value: { type: "text" }, isMany: true },
  ]);
  assert.deepEqual(shell!.slots[0]!.value, { type: "words", words: ["bash"] });
  const [name, value] = config!.commands[0]!.slots;
  assert(name!.value.type === "words");
  assert(name!.value.words.includes("mode"));
  assert.deepEqual(value!.value, { type: "text" });
});

Deno.test("completionTree keeps a sentence whole that has an abbreviation", () => {
  const { flags } = treeOf((program) => {
    program.option("--tools <names>", "By name, e.g. Grep. More. [SVC_TOOLS]");
  });
  assert.equal(flags[0]!.summary, "By name, e.g. Grep");
});

Deno.test("quoted makes one word of any text", () => {
  assert.equal(quoted("it's $(x)"), `'it'\\''s $(x)'`);
  assert.equal(quoted(""), "''");
});

Deno.test("headerOf is among the first two lines of every script", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const lines = (await scriptOf(shell)).split("\n").slice(0, 2);
    assert(lines.includes(headerOf(shell)), shell);
  }
});
