import assert from "node:assert/strict";
import fc from "fast-check";
import { configKind } from "../../../src/compressors/config/kind.ts";
import { entryOf } from "../../../src/engine/compressor.ts";
import { notesIn } from "../../../src/engine/note.ts";
import { assertLinear } from "../../cpu_time.ts";
import { contextOf, goldensIn, inputOf, testGoldens } from "../goldens.ts";
import { hostLines } from "./samples.ts";

const { recognise, compressor } = entryOf(configKind);

testGoldens(compressor, {
  folder: "config",
  more: [hostLines(40).join("\r\n")],
});

function elided(text: string, query = "") {
  const outcome = compressor.compress(text, contextOf(true, query));
  assert(outcome.type === "elided", outcome.type);
  return outcome;
}

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
  flowMaps:
    "# The front end.\nmetadata: { name: web, labels: { app: web } }\nspec:\n  # Web pool only.\n  nodeSelector: { pool: web }\n" +
    "  containers:\n    - name: web\n      ports: [{ containerPort: 80 }]\n      resources:\n" +
    "        requests: { cpu: 250m,\n          memory: 256Mi }\n      env:\n        - { name: A, value: b }\n",
  workflow:
    "name: CI\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    runs-on: ${{ matrix.os }}\n    steps:\n" +
    "      - uses: actions/checkout@v4\n      - name: Install what the tests of this project need before they run\n        run: npm ci\n" +
    "      - run: npm test -- --coverage\n        env:\n          TOKEN: ${{ secrets.TOKEN }}\n",
  goreleaser:
    "before:\n  hooks:\n    # You may remove this if you don't use go modules.\n    - go mod tidy\nbuilds:\n  - env:\n      - CGO_ENABLED=0\n" +
    '    goos:\n      - linux\narchives:\n  - name_template: >-\n      {{ .ProjectName }}_\n      {{- if eq .Arch "amd64" }}x86_64\n      {{- else }}{{ .Arch }}{{ end }}\n',
  chart:
    'apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Values.name }}\n  labels:\n    {{- include "labels" . | nindent 4 }}\nspec:\n  ports:\n    - port: 80\n',
  nginx: "server {\n  listen 80;\n  location / {\n    root /srv;\n  }\n}\n",
  terraform:
    'provider "aws" {\n  region = var.region\n}\n\nresource "aws_instance" "web" {\n  ami = "ami-0abc"\n  tags = {\n    Name = "web"\n  }\n}\n',
  terraformInLines:
    'terraform { required_version = ">= 1.4" }\nvariable "release" { type = string }\nresource "terraform_data" "bucket" {\n  input = { name = "harvest" }\n}\noutput "nodes" { value = [for n in terraform_data.node : n.output.name] }\n',
  serverState: "# Memory\n" +
    Array.from({ length: 24 }, (_, i) => `used_${i}:${i * 37}\r\n`).join("") +
    "# Keyspace\ndb0:keys=1,expires=0\r\n",
  dumpWithOrigins:
    "ACTION_WARNINGS(default) = True\nANSIBLE_HOME(default) = /home/dev/.ansible\nCONFIG_FILE() = None\nDEFAULT_FORKS(/etc/ansible/ansible.cfg) = 50\nPAGER(env: PAGER) = less\n",
  jsonPiece:
    '      "dev": true\n    },\n    "b": {\n      "version": "1.0",\n      "tags": [\n        "x"\n      ]\n    },\n    "c": {\n      "version": "2.0"\n',
  tomlText:
    '[project]\nname = "x"\ndescription = """\nWords that go on\nand on and on.\n"""\ndeps = [\n    "a>=1",\n    "b",\n]\n',
};
for (const { name, input } of goldensIn("config")) CONFIGS[name] = input;

for (const [name, text] of Object.entries(CONFIGS)) {
  Deno.test(`configKind claims ${name}`, () => {
    assert.equal(recognise(text), 1);
    assert.equal(recognise(text, { path: "a/b.yaml" }), 1);
  });
}

const OTHERS: Record<string, string> = {
  tightColonsInFewLines: "error:one\nwarning:two\nnote:three\nerror:four\n",
  tightColonsAmongSentences: "started:now\nThe server reads its files again.\n"
    .repeat(30),
  json: '{\n  "a": {\n    "b": 1\n  }\n}\n',
  typescript:
    "export interface A {\n  name: string;\n  port: number;\n}\n\nfunction f(x: A): void {\n  g(x);\n}\n"
      .repeat(4),
  objects:
    "export const A = {\n  name: 'a',\n  port: 80,\n  nested: {\n    deep: true,\n  },\n};\n"
      .repeat(4),
  struct: "struct point {\n  int x;\n  int y;\n};\n".repeat(4),
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
  script: "#!/bin/sh\nA=1\nB=2\nC=3\nD=4\nE=5\n",
  paths: "src/a.ts\nsrc/b.ts\nREADME.md\n".repeat(6),
  numbered: hostLines(8).map((line, i) =>
    `${String(i + 1).padStart(6)}\t${line}`
  )
    .join("\n"),
  jsonInText:
    "**To list the parts**\n\nThis lists them. ::\n\n    parts list\n\nOutput::\n\n    {\n" +
    '        "Parts": [\n            {\n                "Name": "a",\n                "Size": 3\n            }\n        ],\n        "More": false\n    }\n',
  remarks: `${"// a remark on the code below\n".repeat(20)}package race\n`,
  quotedLock: "import { x } from 'y';\n" +
    inputOf("config/cargo_lock").slice(0, 400) +
    "`;\n",
  empty: "",
  blank: "\n\n\n",
};

for (const [name, text] of Object.entries(OTHERS)) {
  Deno.test(`configKind leaves ${name} to others`, () => {
    assert.equal(recognise(text), 0);
  });
}

Deno.test("configKind leaves files of other kinds alone and asks less of its own", () => {
  const text = hostLines(10).join("\n");
  assert.equal(recognise(text, { path: "README.md" }), 0);
  const flat = "name: parcel\nversion: 1\n";
  assert.equal(recognise(flat), 0);
  assert.equal(recognise(flat, { path: "pubspec.yaml" }), 1);
});

Deno.test("configKind looks beyond the first lines", () => {
  const code = "function f(x) {\n  return g(x);\n}\n".repeat(400);
  assert.equal(recognise(hostLines(40).join("\n") + "\n" + code), 0);
});

Deno.test("configKind gives a text up by its first lines unless they are comments", () => {
  const entries = "a:\n  b: 1\n".repeat(900);
  assert.equal(
    recognise(`${"A line of words (so)\n".repeat(90)}${entries}`),
    0,
  );
  assert.equal(recognise(`${"# a line of words\n".repeat(90)}${entries}`), 1);
});

const NEEDLES: readonly (readonly string[])[] = [
  ["  - name: odd-one", "    address: 10.9.9.9", "    legacy: true"],
  [
    "  - name: sick-one",
    "    address: 10.9.9.8",
    "    role: web",
    "    limits:",
    "      memory: 512Mi",
    "    enabled: true",
    "    status: CrashLoopBackOff",
  ],
  [
    "  - name: off-one",
    "    address: 10.9.9.7",
    "    role: web",
    "    limits:",
    "      memory: 256Mi",
    "    enabled: false",
  ],
  ["  # TODO remove this host before the release"],
  ["  # one", "  # two", "  # WARNING: never restart this host", "  # four"],
  ["image: registry.example.com/parcel:1.9.2"],
  ["replicas: 3"],
];

Deno.test("configKind keeps what is rare, failing or a warning wherever it is", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NEEDLES),
      fc.integer({ min: 60, max: 300 }),
      fc.nat(),
      (needle, count, place) => {
        const lines = hostLines(count);
        const isTop = !needle[0]!.startsWith(" ");
        const at = isTop ? lines.length - 1 : 2 + 6 * (place % (count + 1));
        lines.splice(at, 0, ...needle);
        const { text } = elided(lines.join("\n"));
        for (const line of needle.filter((line) => /: |TODO/.test(line))) {
          assert.ok(text.includes(line), `${line}\n${text}`);
        }
      },
    ),
    { numRuns: 80 },
  );
});

Deno.test("configKind keeps an entry that fits the query although it is like the others", () => {
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 190 }), (place) => {
      const lines = hostLines(200);
      lines[2 + 6 * place] = "  - name: checkout-gateway";
      const { text } = elided(
        lines.join("\n"),
        "what is the address of checkout gateway?",
      );
      assert.ok(text.includes("- name: checkout-gateway"));
      assert.ok(text.includes(`    address: 10.0.0.${place}\n`));
    }),
    { numRuns: 30 },
  );
});

Deno.test("configKind accounts for every line, names what it leaves out and counts as the text around it does", () => {
  const text = hostLines(60).join("\n");
  const outcome = elided(text);
  assert.deepEqual(outcome.omitted, { count: 318, total: 363, unit: "lines" });
  assert.match(
    outcome.text,
    /^… lines 33-350 omitted \(53 items: host-5, host-6, /m,
  );
  const moved = compressor.compress(text, {
    ...contextOf(true),
    firstLine: 101,
  });
  assert(moved.type === "elided");
  assert.match(moved.text, /^… lines 133-450 omitted/m);
});

Deno.test("configKind says the main values of large entries and the settings that are switched off", () => {
  assert.match(
    elided(inputOf("config/kubectl_pods")).text,
    /omitted \(2 items: tracking-\S+ \(image registry\S+, nodeName node-3, ready true, /,
  );
  assert.match(
    elided(inputOf("config/tsconfig")).text,
    /omitted \(switched off: incremental, composite, tsBuildInfoFile, /,
  );
});

Deno.test("configKind names the first settings of a gap and counts the others", () => {
  const values = ["True", "False", "None"];
  const dump = Array.from(
    { length: 90 },
    (_, i) => `OPTION_${i}(default) = ${values[i * 7 % 3]}`,
  );
  assert.match(
    elided(dump.join("\n")).text,
    /^… lines 9-87 omitted \(OPTION_8, OPTION_9, .* and (?:6[5-9]|7\d) more\)$/m,
  );
  // A change between them, so that a gap of four is left.
  dump[12] = "OPTION_12(env: OPTION) = 512";
  assert.match(
    elided(dump.join("\n")).text,
    /^… lines 9-12 omitted \(OPTION_8, OPTION_9, OPTION_10, OPTION_11\)$/m,
  );
  const off = Array.from({ length: 60 }, (_, i) => `#some_option_${i} = ${i}`);
  assert.match(
    elided(off.concat("port = 1", "b = 2").join("\n")).text,
    /^… lines 1-60 omitted \(switched off: some_option_0, .* and 5\d more\)$/m,
  );
});

Deno.test("configKind points to lines that stay when a block is there again", () => {
  const { text } = elided(inputOf("config/openapi"));
  const lines = inputOf("config/openapi").split("\n");
  const notes = [...text.matchAll(
    /^… lines (\d+)-\d+ omitted \(same as lines (\d+)-(\d+)\)$/gm,
  )];
  assert.ok(notes.length > 3);
  for (const [, at, from, to] of notes) {
    const size = Number(to) - Number(from) + 1;
    const start = Number(at) - 1;
    const block = lines.slice(Number(from) - 1, Number(to));
    assert.deepEqual(lines.slice(start, start + size), block);
    assert.ok(text.includes(block.join("\n")), block.join("\n"));
  }
});

Deno.test("configKind never shows a shortened value without a note on it", () => {
  const hash = "0123456789abcdef".repeat(4);
  const text = hostLines(14).concat(
    Array.from({ length: 9 }, (_, i) => `image${i}: shop/web@sha256:${hash}`),
    `id: containerd://${hash}`,
    `long: ${"some words ".repeat(90)}`,
  ).join("\n");
  const outcome = elided(text);
  assert.ok(!outcome.text.includes(hash.slice(0, 12)));
  assert.ok(
    outcome.text.includes(
      "image3: shop/web@sha256:… [64 characters omitted]",
    ),
  );
  assert.match(
    outcome.text,
    /^long: some words .*… \[\d+ characters omitted\]$/m,
  );
  assert.ok(notesIn(outcome.text).length >= 12);
});

Deno.test("configKind folds blocks that are there again, and back", () => {
  const input = inputOf("config/fold_compose");
  const folded = compressor.compress(input, {
    ...contextOf(false),
    firstLine: 101,
  });
  assert(folded.type === "reformatted");
  assert.match(folded.text, /\(lines 1\d\d-1\d\d again\)/);
  assert.equal(folded.restore!(folded.text), input);
});

Deno.test("configKind keeps lines that look like notes, and what is beside them", () => {
  const lines = hostLines(60);
  lines.splice(200, 0, "… lines 4-99 omitted");
  const { text } = elided(lines.join("\n"));
  for (const line of lines.slice(199, 202)) assert.ok(text.includes(line));
});

const HOSTILE: Record<string, (size: number) => string> = {
  "deep nesting": (n) =>
    Array.from({ length: n / 100 }, (_, i) => `${" ".repeat(i % 200)}k${i}:`)
      .join("\n"),
  "one line": (n) => "a: ".repeat(n / 3),
  "dashes": (n) => "- ".repeat(n / 2),
  "open lists": (n) => "a = [\n".repeat(n / 6),
  "open quotes": (n) => 'a = """\n'.repeat(n / 8),
  "a long text": (n) => `x: |\n${"  text\n".repeat(n / 7)}`,
  "many comments": (n) => "# a\n\n".repeat(n / 5),
  "packages apart": (n) =>
    '[[package]]\nname = "a"\nversion = "1"\n\n\n\n'.repeat(n / 42),
  "blocks again": (n) => "a: 1\nb: 2\nc: 3\nd: 4\n".repeat(n / 20),
};
for (const [name, make] of Object.entries(HOSTILE)) {
  Deno.test(`configKind takes time in proportion to ${name}`, async () => {
    await assertLinear(name, {
      make,
      work: (text) => {
        recognise(text, { path: "a.yaml" });
        for (const mayElide of [true, false]) {
          compressor.compress(text, {
            ...contextOf(mayElide, "which text has a package"),
            path: "a.yaml",
          });
        }
      },
      sizes: [50_000, 1_000_000],
    });
  });
}
