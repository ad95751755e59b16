/** A model that answers questions about files from the prompt alone: it follows references, and asks for what is left out. */
import { hashesIn } from "./simulated_model.ts";
import type { Script } from "./scripted_provider.ts";
import type { Reply } from "./scripted_wires.ts";

/** What a tool printed. */
interface Result {
  readonly tool: string;
  /** File of the call; empty for none. */
  readonly path: string;
  readonly text: string;
}

interface Call {
  readonly name: string;
  readonly path: string;
}

/** A question: `[ask] line 12 of src/a.ts, read 2`, reads counted from 1. */
const QUESTION = /\[ask\] line (\d+) of (\S+), read (\d+)/g;
const REFERENCE =
  /^… lines (\d+)-(\d+) are unchanged since the (?:(\d+)\w\w-)?last result of (\w+) (\S+) above(?:, lines (\d+)-\d+ there)?$/;
/** How a file begins of which the declarations are shown alone. */
const OUTLINE = "[Outline of lines ";
const GAP = /^… lines \d+-(\d+) omitted/;
/** How a read begins whose numbers are not on every line. */
const HEADING = /^\[lines (\d+)-\d+, each began with its number/;
const NUMBERED = /^\s*(\d+)[\t→](.*)$/;
const GIVEN_BACK = "original_content";

/** Question about line `line` of what read `read` of the file showed. */
export function ask(line: number, path: string, read: number): string {
  return `[ask] line ${line} of ${path}, read ${read}`;
}

/** Makes the model: it does what `plan` says for the first turns, then answers questions. */
export function readingModel(
  plan: readonly NonNullable<Reply["calls"]>[],
): Script {
  return ({ text, json }) => {
    const question = [...text.matchAll(QUESTION)].at(-1);
    const results = resultsIn(json ?? {});
    if (question === undefined) {
      const done = results.filter(({ tool }) => tool !== "headroom_retrieve");
      return { text: `step ${done.length}`, calls: plan[done.length] ?? [] };
    }
    const [, line, path, read] = question;
    return answer(results, {
      line: Number(line),
      path: path!,
      read: Number(read),
    });
  };
}

interface Question {
  readonly line: number;
  readonly path: string;
  /** Which of the reads of that file. */
  readonly read: number;
}

function answer(
  results: readonly Result[],
  { line, path, read }: Question,
): Reply {
  const reads = results.filter((one) =>
    one.tool === "Read" && one.path === path
  );
  const wanted = reads[read - 1];
  if (wanted === undefined) return { text: "no such read" };
  const seen = results.slice(0, results.indexOf(wanted) + 1);
  const found = look(seen, wanted.text, line);
  if (typeof found === "string") return { text: `it is ${found}` };
  const [hash] = hashesIn(wanted.text);
  if (hash === undefined) return { text: "not in the prompt" };
  const given = results.find(({ tool, text }) =>
    tool === "headroom_retrieve" && text.includes(hash) &&
    text.includes(GIVEN_BACK)
  );
  if (given === undefined) {
    return { calls: [{ tool: "headroom_retrieve", input: { hash } }] };
  }
  const original: string = JSON.parse(given.text)[GIVEN_BACK];
  return { text: `it is ${look([], original, line) ?? "not in the original"}` };
}

/** The line with that number in a text, or where the text says that it is. */
function look(
  seen: readonly Result[],
  text: string,
  line: number,
): string | undefined {
  if (text.includes(OUTLINE)) return undefined;
  let next = 1;
  for (const one of text.split("\n")) {
    const [, begins] = HEADING.exec(one) ?? [];
    if (begins !== undefined) {
      next = Number(begins);
      continue;
    }
    const [, omitted] = GAP.exec(one) ?? [];
    if (omitted !== undefined) {
      next = Number(omitted) + 1;
      continue;
    }
    const [, from, to, back = 1, tool, path, there = from] =
      REFERENCE.exec(one) ?? [];
    if (from !== undefined) {
      next = Number(to) + 1;
      if (line < Number(from) || line >= next) continue;
      const at = Number(there) + line - Number(from);
      const earlier = seen.slice(0, -1)
        .filter((one) => one.tool === tool && one.path === path)
        .at(-Number(back));
      return earlier && look([], earlier.text, at);
    }
    const [, number = next, said = one] = NUMBERED.exec(one) ?? [];
    if (Number(number) === line) return said;
    next = Number(number) + 1;
  }
  return undefined;
}

/** One element of a conversation, or a part of one. */
type Part = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Part[] =>
  Array.isArray(value) ? value : [];
const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : listOf(value).map(({ text }) => text ?? "").join("\n");

/** What tools printed, oldest first, in any of the three formats. */
function resultsIn(body: Part): readonly Result[] {
  const calls = new Map<unknown, Call>();
  const results: Result[] = [];
  const call = (id: unknown, name: unknown, args: unknown) => {
    const input = typeof args === "string" ? JSON.parse(args) : args;
    calls.set(id, { name: `${name}`, path: input.file_path ?? "" });
  };
  const result = (id: unknown, content: unknown) => {
    const { name, path } = calls.get(id) ?? { name: "", path: "" };
    results.push({ tool: name, path, text: textOf(content) });
  };
  for (const element of listOf(body["messages"] ?? body["input"])) {
    const { role, type, content } = element;
    for (const { id, function: made } of listOf(element["tool_calls"])) {
      const { name, arguments: args } = made as Part;
      call(id, name, args);
    }
    if (role === "tool") result(element["tool_call_id"], content);
    if (type === "function_call") {
      call(element["call_id"], element["name"], element["arguments"]);
    }
    if (type === "function_call_output") {
      result(element["call_id"], element["output"]);
    }
    for (const part of listOf(content)) {
      if (part["type"] === "tool_use") {
        call(part["id"], part["name"], part["input"]);
      }
      if (part["type"] === "tool_result") {
        result(part["tool_use_id"], part["content"]);
      }
    }
  }
  return results;
}
