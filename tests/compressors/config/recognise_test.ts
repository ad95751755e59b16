import assert from "node:assert/strict";
import { recogniseConfig } from "../../../src/compressors/config/recognise.ts";
import { GOLDENS, hostLines } from "./samples.ts";

const CONFIGS: Record<string, string> = {
  hosts: hostLines(40).join("\n"),
  crlf: hostLines(10).join("\r\n"),
  env:
    "LOG_LEVEL=info\nDATABASE_URL=postgres://db:5432/x\nPORT=8080\nDEBUG=\nSECRET=abc\n",
  editorconfig:
    "root = true\n\n[*]\nindent_style = space\nend_of_line = lf\n\n[*.{js,ts}]\nindent_size = 2\n",
  setupCfg:
    "[metadata]\nname = parcel\nversion = 1.0\n\n[options]\npackages = find:\ninstall_requires =\n    httpx\n    rich>=13\n",
  gitList:
    "core.bare=false\nremote.origin.url=https://git.example.org/x.git\nbranch.main.remote=origin\nbranch.main.merge=refs/heads/main\nuser.name=A\n",
  documents: "a:\n  b: 1\n---\nc:\n  d: 2\n---\ne:\n  - f\n",
  script: "jobs:\n  test:\n    steps:\n      - run: |\n" +
    "          if [ -f x ]; then\n            make;\n          fi\n".repeat(8),
};
for (const { name, input } of GOLDENS) CONFIGS[name] = input;

for (const [name, text] of Object.entries(CONFIGS)) {
  Deno.test(`recogniseConfig claims ${name}`, () => {
    assert.ok(recogniseConfig(text) >= 0.8, `${recogniseConfig(text)}`);
    assert.ok(recogniseConfig(text, { path: "a/b.yaml" }) >= 0.8);
  });
}

const OTHERS: Record<string, string> = {
  json: '{\n  "a": {\n    "b": 1\n  }\n}\n',
  typescript:
    "export interface A {\n  name: string;\n  port: number;\n}\n\nfunction f(x: A): void {\n  g(x);\n}\n"
      .repeat(4),
  python:
    "class A:\n    x: int = 1\n\n    def f(self):\n        try:\n            self.x = 2\n        except ValueError:\n            pass\n        else:\n            return 1\n"
      .repeat(4),
  constants: "import os\nA = 1\nB = 2\nC = os.environ\nD = 4\nE = 5\n",
  css: "body {\n  color: red;\n  margin: 0;\n}\n".repeat(6),
  makefile:
    "build: main.o\n\tcc -o x main.o\n\nmain.o: main.c\n\tcc -c main.c\n",
  markdown:
    "---\ntitle: x\ntags: a\n---\n\n# Heading\n\nSome text about it. It goes on.\n\n- one thing\n- another thing\n\nMore text.\n"
      .repeat(2),
  bullets:
    "# Changes\n\n- Fixed: the parser\n- Added: a flag\n- Removed: nothing\n\n## Before\n\n- Fixed: more\n",
  prose:
    "Note: this is prose.\nIt has lines that go on and on.\nWarning: and colons.\n\n",
  headers:
    "content-type: text/html\ndate: Mon, 02 Feb 2026 10:00:00 GMT\nserver: nginx\netag: x\n",
  logfmt: "ts=1 level=info msg=started\nts=2 level=warn msg=slow\n".repeat(9),
  levels: "INFO: started\nWARN: slow\nERROR: failed\nINFO: done\n".repeat(4),
  gitStatus:
    "On branch main\nChanges not staged for commit:\n  (use git add)\n\tmodified:   a.ts\n\tmodified:   b.ts\n",
  gitLog:
    "commit 1234567890123456789012345678901234567890\nAuthor: A <a@x>\nDate:   Mon Feb 2\n\n    Fix it\n\n"
      .repeat(6),
  describe:
    "Name:         web-1\nNamespace:    shop\nLabels:       app=web\nContainers:\n  web:\n    Image:      web:1\n    Port:       80\n",
  tap:
    "TAP version 13\nok 1 - adds\n  ---\n  duration_ms: 0.5\n  ...\nok 2 - subtracts\n  ---\n  duration_ms: 0.7\n  ...\n",
  requirements:
    "urllib3==2.2.1\nrequests==2.31.0\nidna==3.6\ncertifi==2024.2.2\nrich==13.7\n",
  traceback:
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: x\n',
  nginx: "server {\n  listen 80;\n  location / {\n    root /srv;\n  }\n}\n",
  script: "#!/bin/sh\nA=1\nB=2\nC=3\nD=4\nE=5\n",
  paths: "src/a.ts\nsrc/b.ts\nREADME.md\n".repeat(6),
  numbered: hostLines(8).map((line, i) =>
    `${String(i + 1).padStart(6)}\t${line}`
  )
    .join("\n"),
  empty: "",
  blank: "\n\n\n",
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`recogniseConfig leaves ${name} to others`, () => {
    assert.ok(recogniseConfig(text) < 0.8, `${recogniseConfig(text)}`);
  });
}

Deno.test("recogniseConfig leaves files of other kinds alone and asks less of its own", () => {
  const text = hostLines(10).join("\n");
  assert.equal(recogniseConfig(text, { path: "README.md" }), 0);
  const flat = "name: parcel\nversion: 1\nlicense: MIT\n";
  assert.ok(recogniseConfig(flat) < 0.8);
  assert.ok(recogniseConfig(flat, { path: "pubspec.yaml" }) >= 0.8);
});

Deno.test("recogniseConfig looks beyond the first lines", () => {
  const code = "function f(x) {\n  return g(x);\n}\n".repeat(400);
  assert.ok(recogniseConfig(hostLines(40).join("\n") + "\n" + code) < 0.8);
});

Deno.test("recogniseConfig gives a text up by its first lines unless they are comments", () => {
  const text = `${"A line of words\n".repeat(90)}${"a:\n  b: 1\n".repeat(900)}`;
  assert.ok(recogniseConfig(text) < 0.8);
  const commented = `${"# a line of words\n".repeat(90)}${
    "a:\n  b: 1\n".repeat(900)
  }`;
  assert.ok(recogniseConfig(commented) >= 0.8);
});
