import assert from "node:assert/strict";
import { openExtensions } from "../../src/extensions/open_extensions.ts";
import { within } from "../hang.ts";
import { tempDir } from "../temp_dir.ts";

const soon = <T>(event: Promise<T>) => within(event, () => "the extensions");

/** Files of extensions by name, and what is logged of them. */
async function withFiles(
  files: Readonly<Record<string, string>>,
  test: (
    open: (...names: string[]) => ReturnType<typeof openExtensions>,
    logged: string[],
  ) => Promise<void>,
): Promise<void> {
  await using temp = await tempDir();
  const directory = temp.path;
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${directory}/${name}.js`, text);
  }
  const logged: string[] = [];
  await test(
    (...names) =>
      openExtensions(
        {
          names,
          source: "shell",
          onlyByFlag: undefined,
          directories: [directory],
        },
        (level, event, fields) =>
          void logged.push(
            `${level} ${event} ${fields?.["extension"] ?? ""}: ${
              fields?.["reason"] ?? fields?.["extensions"]
            }`,
          ),
      ),
    logged,
  );
}

const GOOD =
  `export const pipelineExtension = ({ messages }) => messages.map((_, i) => ({ path: ["messages", i, "content"], text: "edited" }));`;
const QUESTION = {
  format: "messages",
  model: "m",
  messages: '[{"role":"user","content":"Hi"}]',
};

Deno.test("openExtensions loads what is named, and says of what it cannot load which file and why", () =>
  withFiles(
    {
      good: GOOD,
      empty: "",
      broken: "(",
      throws: `throw new Error("\\x1b[31mno\\x1b[0m.")`,
    },
    async (open, logged) => {
      using extensions = await soon(
        open("good", "empty", "broken", "throws", "gone"),
      );
      assert.deepEqual(extensions?.names, ["good"]);
      const edits = await soon(extensions!.ask(QUESTION));
      assert.deepEqual(edits, [
        { path: ["messages", 0, "content"], text: "edited" },
      ]);
      const failed = logged.filter((line) =>
        line.startsWith("error extension_not_loaded ")
      );
      assert.equal(failed.length, 4);
      assert.match(failed.join("\n"), /empty: It exports no function/);
      assert.match(failed.join("\n"), /throws: no$/m);
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(failed.join("\n"), /\x1b|\.$/m);
      assert.ok(logged.includes("info extensions_loaded : good"));
    },
  ));

Deno.test("openExtensions gives nothing where nothing can be loaded", () =>
  withFiles({ empty: "" }, async (open) => {
    assert.equal(await soon(open("empty")), undefined);
    assert.equal(await soon(open("gone")), undefined);
  }));

Deno.test("openExtensions says once what an extension does wrong", () =>
  withFiles({
    bad: `export function pipelineExtension() { throw new RangeError("x"); }`,
    good: GOOD,
  }, async (open, logged) => {
    using extensions = await soon(open("bad", "good"));
    for (let i = 0; i < 3; i++) {
      assert.equal((await soon(extensions!.ask(QUESTION))).length, 1);
    }
    assert.deepEqual(logged.filter((line) => line.includes("failed")), [
      "error extension_failed bad: it threw RangeError",
    ]);
  }));

Deno.test("openExtensions asks each about what those before it left, and takes the last edit of a place", () =>
  withFiles({
    good: GOOD,
    more:
      `export const pipelineExtension = ({ messages }) => [{ path: ["messages", 0, "content"], text: messages[0].content + " again" }];`,
  }, async (open) => {
    using extensions = await soon(open("good", "more"));
    assert.deepEqual(await soon(extensions!.ask(QUESTION)), [
      { path: ["messages", 0, "content"], text: "edited again" },
    ]);
  }));

Deno.test("openExtensions keeps the edits of the others where one hangs or ends its thread", () =>
  withFiles({
    bad: `import process from "node:process";
      export function pipelineExtension({ messages: [{ content }] }) {
        if (content === "hang") while (true);
        if (content === "exit") Deno.exit();
        if (content === "close") close();
        if (content === "process") process.exit();
        if (content === "later") setTimeout(() => { throw new Error("x"); });
      }`,
    good: GOOD,
  }, async (open) => {
    using extensions = await soon(open("bad", "good"));
    const texts = ["exit", "close", "process", "later", "hang", "Hi", "Ho"];
    const answers = await soon(Promise.all(
      texts.map((content) =>
        extensions!.ask({
          ...QUESTION,
          messages: JSON.stringify([{ role: "user", content }]),
        })
      ),
    ));
    assert.deepEqual(answers.map(({ length }) => length), texts.map(() => 1));
  }));
