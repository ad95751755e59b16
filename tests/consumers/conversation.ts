/** A real conversation: ten results of tools that were run, about 200 KB. */

const CORPUS = new URL("../corpus/", import.meta.url);

/** Items of the corpus that anybody may look at, in the order in which they are called for. */
const RESULTS = [
  "build_log/mvn_test_first.txt",
  "code_read/json_scan.txt",
  "build_log/pytest_v.txt",
  "config/pg_conf.txt",
  "html/cargo_doc.txt",
  "paths/node_types.txt",
  "shell/deno_test_help.txt",
  "markdown/api_store.txt",
  "markdown/readme_tail.txt",
  "html/mkdocs.txt",
];

/** What the corpus says of an item. */
interface Item {
  readonly file: string;
  readonly tool: string;
  readonly args: object;
}

/** A message of content blocks, as far as it is built here. */
export interface RealMessage {
  /** Who says it. */
  readonly role: "user" | "assistant";
  /** What is said: a text, or blocks. */
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
}

/** Builds the conversation: calls and results as they were. */
export async function realConversation(): Promise<RealMessage[]> {
  const messages: RealMessage[] = [
    { role: "user", content: "Why does the build fail?" },
  ];
  for (const [i, file] of RESULTS.entries()) {
    const { tool, args } = await itemOf(file);
    const id = `toolu_${i}`;
    const content = await Deno.readTextFile(new URL(file, CORPUS));
    messages.push(
      {
        role: "assistant",
        content: [{ type: "tool_use", id, name: tool, input: args }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content }],
      },
    );
  }
  return messages;
}

async function itemOf(file: string): Promise<Item> {
  const [folder] = file.split("/");
  const index = new URL(`${folder}/index.json`, CORPUS);
  const items: readonly Item[] = JSON.parse(await Deno.readTextFile(index));
  return items.find((item) => item.file === file)!;
}
