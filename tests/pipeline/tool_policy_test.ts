import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isRetrievalTool,
  readsWholeFile,
  toolPolicy,
} from "../../src/pipeline/tool_policy.ts";

const shell = (command: unknown, tool = "Bash") =>
  toolPolicy(tool, JSON.stringify({ command }));

for (
  const name of [
    "headroom_retrieve",
    "Headroom_Retrieve",
    "mcp__svc__headroom_retrieve",
    "mcp_svc_headroom_retrieve",
    "headroom_headroom_retrieve",
    "svc.headroom_retrieve",
  ]
) {
  Deno.test(`toolPolicy never lets the retrieval tool be compressed: ${name}`, () => {
    assert.deepEqual(toolPolicy(name, undefined), { rule: "never" });
  });
}

for (
  const name of [
    "Write",
    "Edit",
    "edit",
    "MultiEdit",
    "NotebookEdit",
    "apply_patch",
    "edit_file",
    "write_file",
    "replace",
    "mcp__files__edit_file",
    "mcp_files_write_file",
  ]
) {
  Deno.test(`toolPolicy never lets the answer to an edit be compressed: ${name}`, () => {
    const args = JSON.stringify({ file_path: "a.ts", content: "x" });
    assert.deepEqual(toolPolicy(name, args), { rule: "never" });
  });
}

Deno.test("toolPolicy tells an editor tool's view from its edits", () => {
  for (
    const tool of ["str_replace_based_edit_tool", "str_replace_editor"]
  ) {
    for (const command of ["create", "str_replace", "insert", "undo_edit"]) {
      const args = JSON.stringify({ command, path: "/a.py" });
      assert.deepEqual(toolPolicy(tool, args), { rule: "never" });
    }
    const view = JSON.stringify({ command: "view", path: "/a.py" });
    assert.deepEqual(toolPolicy(tool, view), { rule: "read", path: "/a.py" });
    assert.deepEqual(toolPolicy(tool, "{"), { rule: "never" });
  }
});

for (
  const [name, args, path] of [
    ["Read", { file_path: "/a/b.ts", offset: 3 }, "/a/b.ts"],
    ["read", { path: "b.ts" }, "b.ts"],
    ["view", { path: "b.ts" }, "b.ts"],
    ["ReadFile", { absolute_path: "/b.ts" }, "/b.ts"],
    ["read_file", { target_file: "b.ts" }, "b.ts"],
    ["mcp__filesystem__read_file", { path: "b.ts" }, "b.ts"],
    ["mcp_filesystem_read_file", { path: "b.ts" }, "b.ts"],
    ["functions.read_file", { filePath: "b.ts" }, "b.ts"],
    ["NotebookRead", { notebook_path: "n.ipynb" }, "n.ipynb"],
    ["Skill", { skill: "x" }, undefined],
    ["read_many_files", { paths: ["a", "b"] }, undefined],
  ] as const
) {
  Deno.test(`toolPolicy takes for a file read: ${name}`, () => {
    assert.deepEqual(
      toolPolicy(name, JSON.stringify(args)),
      path === undefined ? { rule: "read" } : { rule: "read", path },
    );
  });
}

Deno.test("toolPolicy takes a read without usable arguments for a read without path", () => {
  for (const args of [undefined, "", "{", "null", "[]", '{"file_path":7}']) {
    assert.deepEqual(toolPolicy("Read", args), { rule: "read" });
  }
});

for (const name of ["Grep", "Glob", "WebSearch", "LS", "BashOutput", "Task"]) {
  Deno.test(`toolPolicy leaves ${name} normal`, () => {
    assert.deepEqual(toolPolicy(name, '{"path":"src"}'), { rule: "normal" });
  });
}

Deno.test("toolPolicy leaves an unknown tool normal", () => {
  assert.deepEqual(toolPolicy(undefined, undefined), { rule: "normal" });
  assert.deepEqual(toolPolicy("reader", undefined), { rule: "normal" });
  assert.deepEqual(toolPolicy("my_credit", undefined), { rule: "normal" });
});

for (
  const [line, path] of [
    ["cat src/a.ts", "src/a.ts"],
    ["/bin/cat -n 'my file.ts'", "my file.ts"],
    ["head -n 20 a.ts", "a.ts"],
    ["head -20 a.ts", "a.ts"],
    ["tail -n +5 a.ts", "a.ts"],
    ["nl -b a a.ts", "a.ts"],
    ["bat --style plain a.ts", "a.ts"],
    ["less +F a.ts", "a.ts"],
    ["sed -n '1,40p' a.ts", "a.ts"],
    ["sed -ne 1,40p a.ts", "a.ts"],
    ["sed -n -e 1p -e 9p a.ts", "a.ts"],
    ["cd x && cat a.ts", "a.ts"],
    ["cd x; FOO=1 sudo -u me cat a.ts", "a.ts"],
    ["cat a.ts | head -50", "a.ts"],
    ["nl a.ts | sed -n '10,20p' | cat", "a.ts"],
    ["cat < a.ts", "a.ts"],
    ["cat a.ts 2>/dev/null", "a.ts"],
    ["npm test; cat a.ts", "a.ts"],
    ['bash -lc "cat a.ts"', "a.ts"],
    ["bash -lc 'cat a.ts' | tail -5", "a.ts"],
    ["timeout 5 nice -n 3 stdbuf -oL cat a.ts", "a.ts"],
    ["cat a.ts && cat a.ts", "a.ts"],
    ["cat a.ts b.ts", undefined],
    ["cat a.ts && cat b.ts", undefined],
    ['for f in *.ts; do echo "$f"; cat "$f"; done', "$f"],
    ["ls | xargs cat", undefined],
    ["cat package.json package-lock.json", "package.json"],
  ] as const
) {
  Deno.test(`toolPolicy takes for a file read in a shell: ${line}`, () => {
    const expected = path === undefined
      ? { rule: "read" }
      : { rule: "read", path };
    assert.deepEqual(shell(line), expected);
    assert.deepEqual(shell(["bash", "-lc", line], "shell"), expected);
    assert.deepEqual(
      toolPolicy("exec_command", JSON.stringify({ cmd: line })),
      expected,
    );
  });
}

for (
  const line of [
    "cat a.ts | grep x",
    "cat a.ts | sed 's/a/b/'",
    "cat a.ts > b.ts",
    "cat a.ts >> b.ts",
    "cat a.ts | tee b.ts",
    "cat a.ts | head -5 > b.ts",
    "cat > a.ts <<'EOF'\ncat b.ts\nEOF",
    "cat <<EOF\nhello\nEOF",
    "cat",
    "command -v cat",
    "cat package-lock.json",
    "head -100 deps/yarn.lock",
    "cat Cargo.lock uv.lock",
    "sed -i s/a/b/ a.ts",
    "sed -n -i 1p a.ts",
    "sed s/a/b/ a.ts",
    "sed -n 5p",
    "git diff | cat",
    "npm test 2>&1 | tail -40",
    "grep -rn x src | head -20",
    "echo 'cat a.ts'",
    "grep -r /v1/retrieve src",
    "ls ccr show",
    "cat ${",
    `cat ${"a".repeat(17_000)}`,
    "",
  ]
) {
  Deno.test(`toolPolicy leaves in a shell normal: ${line.slice(0, 40)}`, () => {
    assert.deepEqual(shell(line), { rule: "normal" });
  });
}

for (
  const line of [
    "svc ccr show 0123456789abcdef01234567",
    "cd x && /usr/local/bin/svc ccr show abc | head",
    "npx svc ccr --json show abc",
    "curl -s http://127.0.0.1:8787/v1/retrieve/abc",
    "curl -s \\\n  'http://127.0.0.1:8787/v1/retrieve?hash=abc'",
    "wget -qO- localhost:8787/v1/retrieve/abc | cat",
    'x="$(curl -s localhost:8787/v1/retrieve/abc)"; echo "$x"',
    "bash -c 'svc ccr show abc'",
    "cat a.ts; svc ccr show abc",
  ]
) {
  Deno.test(`toolPolicy never lets a shell that prints an original be compressed: ${line}`, () => {
    assert.deepEqual(shell(line), { rule: "never" });
    assert.deepEqual(shell(["sh", "-c", line], "local_shell"), {
      rule: "never",
    });
  });
}

Deno.test("toolPolicy never lets a fetched original be compressed", () => {
  const args = JSON.stringify({ url: "http://127.0.0.1:8787/v1/retrieve/abc" });
  assert.deepEqual(toolPolicy("WebFetch", args), { rule: "never" });
  assert.deepEqual(toolPolicy("WebFetch", '{"url":"http://x.example/"}'), {
    rule: "normal",
  });
});

Deno.test("toolPolicy reads arguments in every shape that clients send", () => {
  const read = { rule: "read", path: "a.ts" };
  const line = { command: "cat a.ts" };
  assert.deepEqual(
    toolPolicy("Bash", JSON.stringify(JSON.stringify(line))),
    read,
  );
  assert.deepEqual(shell(["cat", "a.ts"], "local_shell"), read);
  assert.deepEqual(shell(["cat a.ts"], "shell"), read);
  assert.deepEqual(
    toolPolicy("local_shell", JSON.stringify({ action: line })),
    read,
  );
  for (
    const tool of [
      "run_terminal_cmd",
      "run_shell_command",
      "terminal",
      "execute_command",
      "mcp__dev__shell",
    ]
  ) assert.deepEqual(shell("cat a.ts", tool), read);
});

Deno.test("toolPolicy leaves a shell with unusable arguments normal", () => {
  for (
    const args of [
      undefined,
      "",
      "{",
      "7",
      '{"command":7}',
      '{"command":[]}',
      '{"command":[1,null]}',
    ]
  ) assert.deepEqual(toolPolicy("Bash", args), { rule: "normal" });
});

Deno.test("toolPolicy never throws", () => {
  const names = fc.constantFrom("Bash", "Read", "shell", "WebFetch", "x");
  const args = fc.oneof(
    fc.json(),
    fc.string(),
    fc.string({ unit: "binary" }).map((command) => JSON.stringify({ command })),
  );
  fc.assert(fc.property(names, args, (name, text) => {
    assert.match(toolPolicy(name, text).rule, /^(?:never|read|normal)$/);
  }));
});

Deno.test("isRetrievalTool knows MCP aliases and nothing else", () => {
  assert(isRetrievalTool("mcp_headroom_headroom_retrieve"));
  assert(isRetrievalTool("Headroom_Retrieve"));
  assert(!isRetrievalTool("headroom_retrieve_all"));
  assert(!isRetrievalTool("retrieve"));
});

Deno.test("toolPolicy follows the first rule of the user that fits the name, with or without its server", () => {
  const rules = [
    { pattern: "mcp__db__*", rule: "lossless" },
    { pattern: "query", rule: "never" },
    { pattern: "re?d", rule: "normal" },
    { pattern: "bash", rule: "normal" },
    { pattern: "*", rule: "lossless" },
  ] as const;
  const ruleOf = (name: string, args?: string) =>
    toolPolicy(name, args, rules).rule;
  assert.equal(ruleOf("mcp__DB__query"), "lossless");
  assert.equal(ruleOf("mcp__other__query"), "never");
  assert.equal(ruleOf("Read", '{"file_path":"a.ts"}'), "normal");
  assert.equal(ruleOf("Bash", '{"command":"cat a.ts"}'), "normal");
  assert.equal(ruleOf("Fetch"), "lossless");
});

Deno.test("toolPolicy keeps its own care under a lossless rule: edits stay untouched, reads exact", () => {
  const all = [{ pattern: "*", rule: "lossless" }] as const;
  assert.equal(toolPolicy("Edit", "{}", all).rule, "never");
  assert.deepEqual(toolPolicy("Read", '{"file_path":"a.log"}', all), {
    rule: "read",
    path: "a.log",
    lossless: true,
  });
});

Deno.test("toolPolicy keeps the file of a read that a rule calls normal", () => {
  const rules = [{ pattern: "read", rule: "normal" }] as const;
  assert.deepEqual(toolPolicy("Read", '{"file_path":"a.ts"}', rules), {
    rule: "normal",
    path: "a.ts",
  });
});

Deno.test("toolPolicy fits names of any spelling, and patterns of many stars in no time", () => {
  const rules = [{ pattern: "read_file", rule: "never" }] as const;
  for (
    const name of [
      "mcp_fs_read_file",
      "fs.read_file",
      "fs/read_file",
      "mcp__fs__read_file",
    ]
  ) {
    assert.equal(toolPolicy(name, "{}", rules).rule, "never", name);
  }
  const hostile = [{ pattern: "*a*a*a*a*a*a*a*b", rule: "never" }] as const;
  const long = "a".repeat(10_000);
  assert.equal(toolPolicy(long, "{}", hostile).rule, "normal");
});

Deno.test("toolPolicy never compresses a retrieved original, whatever the user's rules say", () => {
  const all = [{ pattern: "*", rule: "normal" }] as const;
  const calls = [
    ["headroom_retrieve", "{}"],
    ["mcp__svc__headroom_retrieve", "{}"],
    ["Bash", '{"command":"svc ccr show abc"}'],
    ["WebFetch", '{"url":"http://127.0.0.1:8787/v1/retrieve/abc"}'],
  ] as const;
  for (const [name, args] of calls) {
    assert.equal(toolPolicy(name, args, all).rule, "never", name);
  }
});

Deno.test("readsWholeFile is true for a read that names a file and no part of it", () => {
  for (
    const [tool, args] of [
      ["Read", { file_path: "/a.ts" }],
      ["read_file", { path: "a.ts", offset: null, limit: null }],
      ["mcp__files__read_text_file", { path: "a.ts" }],
      ["str_replace_based_edit_tool", { command: "view", path: "a.ts" }],
      ["Bash", { command: "cat a.ts" }],
      ["Bash", { command: "cd src && cat -n a.ts", description: "Look" }],
      ["Bash", { command: "nl -ba a.ts" }],
      ["shell", { command: ["bash", "-lc", "cat a.ts"] }],
      ["exec_command", { cmd: "bash -lc 'cd src; cat a.ts'" }],
    ] as const
  ) {
    const text = JSON.stringify(args);
    assert.equal(readsWholeFile(tool, text), true, `${tool} ${text}`);
    assert.equal(readsWholeFile(tool, JSON.stringify(text)), true, tool);
  }
});

Deno.test("readsWholeFile is false for a part of a file, for several files, and for what it does not know", () => {
  for (
    const [tool, args] of [
      ["Read", { file_path: "/a.ts", offset: 0 }],
      ["Read", { file_path: "/a.ts", limit: 2000 }],
      ["read_file", { path: "a.ts", ranges: [[1, 5]] }],
      ["read_file", { path: "a.ts", whatever: 1 }],
      ["Read", {}],
      ["Edit", { file_path: "/a.ts" }],
      [
        "str_replace_based_edit_tool",
        { command: "view", path: "a.ts", view_range: [1, 5] },
      ],
      ["Bash", { command: "sed -n '1,40p' a.ts" }],
      ["Bash", { command: "head -100 a.ts" }],
      ["Bash", { command: "tail -n +20 a.ts" }],
      ["Bash", { command: "cat a.ts | head" }],
      ["Bash", { command: "cat a.ts b.ts" }],
      ["Bash", { command: "cat a.ts; cat b.ts" }],
      ["Bash", { command: "git status && cat a.ts" }],
      ["Bash", { command: "cat a.ts > b.ts" }],
      ["Bash", { command: "bash -c 'make; cat a.ts'" }],
      ["Bash", { command: "make" }],
    ] as const
  ) {
    const text = JSON.stringify(args);
    assert.equal(readsWholeFile(tool, text), false, `${tool} ${text}`);
  }
  assert.equal(readsWholeFile(undefined, "{}"), false);
  assert.equal(readsWholeFile("Read", undefined), false);
  assert.equal(readsWholeFile("Read", "{"), false);
});
