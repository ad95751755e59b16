/** Texts that hold times, levels or words of builds and are no logs. @module */

function rep(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("\n") + "\n";
}

/** Texts by what they are. */
export const NO_LOGS: Readonly<Record<string, string>> = {
  lsIso: "total 40\n" +
    rep(
      30,
      (i) =>
        `-rw-r--r-- 1 dev dev ${i * 37} 2026-02-0${i % 9 + 1} 10:0${
          i % 6
        }:11.000000000 +0000 file-${i}.log`,
    ),
  lsLa: "total 40\n" +
    rep(
      30,
      (i) =>
        `-rw-r--r-- 1 dev dev ${i * 37} Feb  2 10:0${i % 6} error-${i}.log`,
    ),
  psAux:
    "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n" +
    rep(
      30,
      (i) =>
        `root        ${10 + i}  0.0  0.1  12345  2345 ?        Ss   10:0${
          i % 6
        }   0:00 /usr/sbin/daemon --port ${i}`,
    ),
  psEf: "UID          PID    PPID  C STIME TTY          TIME CMD\n" +
    rep(
      30,
      (i) =>
        `root        ${10 + i}       1  0 10:0${i % 6} ?        00:00:0${
          i % 9
        } /usr/sbin/daemon --port ${i}`,
    ),
  psEfBare: rep(
    30,
    (i) =>
      `root        ${10 + i}       1  0 10:0${i % 6} ?        00:00:0${
        i % 9
      } /usr/sbin/daemon --port ${i}`,
  ),
  df: "Filesystem     1K-blocks    Used Available Use% Mounted on\n" +
    rep(
      9,
      (i) =>
        `/dev/sda${i}       ${1e6 + i}  ${1e5 + i}    ${
          9e5 - i
        }  1${i}% /mnt/${i}`,
    ),
  dockerPs:
    "CONTAINER ID   IMAGE     COMMAND    CREATED        STATUS        PORTS     NAMES\n" +
    rep(
      9,
      (i) =>
        `a1b2c3d4e5f${i}   redis:7   "redis"    2 hours ago    Up 2 hours    6379/tcp  redis-${i}`,
    ),
  kubectlGet: "NAME                   READY   STATUS    RESTARTS   AGE\n" +
    rep(
      19,
      (i) => `api-7d9f8b6c5d-x2x${i}   1/1     Running   ${i}          2d`,
    ),
  gitBlame: rep(
    40,
    (i) =>
      `a1b2c3d${i % 9} (Ann Dev 2026-02-0${i % 9 + 1} 10:0${i % 6}:11 +0000 ${
        i + 1
      }) const a${i} = load(${i});`,
  ),
  gitBlameFile: rep(
    40,
    (i) =>
      `^a1b2c3d src/a.ts (Ann Dev 2026-02-0${i % 9 + 1} 10:0${i % 6}:11 +0000 ${
        i + 1
      }) const a${i} = load(${i});`,
  ),
  gitLogDates: rep(
    30,
    (i) =>
      `a1b2c3d${i % 9} 2026-02-0${i % 9 + 1} Fix the ${i}. error in the parser`,
  ),
  gitOneline: rep(
    30,
    (i) => `a1b2c3d${i % 9} Fix the ${i}. error in the parser`,
  ),
  gitLog: rep(
    20,
    (i) =>
      `commit a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4e5f6a1b${
        i % 9
      }\nAuthor: Ann Dev <ann@x>\nDate:   Mon Feb 2 10:0${
        i % 6
      }:11 2026 +0000\n\n    Fix error ${i}\n`,
  ),
  diff:
    "diff --git a/x b/x\nindex 123..456 100644\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n" +
    rep(
      20,
      (i) => `${i % 2 ? "+" : "-"}2026-02-02 10:00:0${i % 9} INFO x ${i}`,
    ),
  csvTimes: "time,level,ms\n" +
    rep(30, (i) => `2026-02-02T10:00:${10 + i}Z,INFO,${i}`),
  csvText: rep(30, (i) => `2026-02-02 10:00:${10 + i},web,GET /a,${i}`),
  tsv: rep(30, (i) => `2026-02-02 10:00:${10 + i}\t${i}\t${i * 3}`),
  findPrintf: rep(
    30,
    (i) => `2026-02-0${i % 9 + 1}+10:00:${10 + i}.1234567890 ./src/a${i}.ts`,
  ),
  findPrintf2: rep(
    30,
    (i) => `2026-02-0${i % 9 + 1} 10:00:${10 + i} ./src/a${i}.ts`,
  ),
  duB: rep(30, (i) => `${1200000000 + i * 999}\t./data/part-${i}`),
  sums: rep(30, (i) => `d41d8cd98f00b204e9800998ecf8427${i % 9}  src/a${i}.ts`),
  numbers: rep(30, (i) => `${100000 + i * 17} ${200000 + i * 13} ${i}`),
  sar: rep(30, (i) => `10:00:${10 + i} ${i}.00 ${i}.1 0.0 ${99 - i}.0`),
  crontab: "# m h dom mon dow command\n" +
    rep(12, (i) => `${i} ${i % 24} * * * /usr/bin/job --n ${i}`),
  env: rep(20, (i) => `VAR_${i}=value ${i}`),
  ini: rep(10, (i) => `[section${i}]\nkey = ${i}\nname = error\n`),
  toml: rep(10, (i) => `[[job]]\nname = "job ${i}"\nat = 10:00:0${i}\n`),
  yaml: rep(
    12,
    (i) =>
      `- name: step ${i}\n  at: "10:00:0${
        i % 9
      }"\n  run: make test\n  level: error\n`,
  ),
  nginxConf: rep(
    9,
    (i) =>
      `server {\n  listen ${
        8000 + i
      };\n  error_log /var/log/nginx/error.log warn;\n}\n`,
  ),
  prose: rep(
    20,
    (i) =>
      `The error at 10:00:0${
        i % 9
      } was found in the second run. It failed because the disk was full.\nBuilding on this, we looked again.\n`,
  ),
  notes: rep(
    20,
    (i) =>
      `Note: the ${i}. run failed.\nWarning: nothing else is known about it.\n`,
  ),
  chat: rep(
    20,
    (i) =>
      `Ann: did the build fail at 10:0${i % 6}?\nBob: yes, with error ${i}.\n`,
  ),
  markdown: rep(
    9,
    (i) =>
      `## ${i}. Build\n\n- Run \`make\`\n- Look for \`ERROR\`\n\n1. first\n2. second\n\n> a quotation\n`,
  ),
  taskList: rep(20, (i) => `- [${i % 2 ? "x" : " "}] Fix the error ${i}`),
  links: rep(20, (i) => `[name-${i}]: https://example.com/${i}`),
  changelog: rep(
    12,
    (i) =>
      `## 1.${i}.0 (2026-02-0${
        i % 9 + 1
      })\n\n* Fixed an error in the parser (#${i})\n* Added a warning\n`,
  ),
  python: rep(
    12,
    (i) =>
      `def f${i}(x):\n    log.info("start")\n    if x > ${i}:\n        raise ValueError("failed")\n    return x\n`,
  ),
  go: rep(
    12,
    (i) =>
      `func F${i}() error {\n\tif err := run(); err != nil {\n\t\treturn fmt.Errorf("failed: %w", err)\n\t}\n\treturn nil\n}\n`,
  ),
  c: rep(
    12,
    (i) =>
      `static int f${i}(void)\n{\n\tprintk(KERN_INFO "x: %d\\n", ${i});\n\treturn -EINVAL;\n}\n`,
  ),
  js: rep(
    12,
    (i) =>
      `test("adds ${i}", () => {\n  assert.equal(add(1, ${i}), ${
        i + 1
      });\n});\n`,
  ),
  sql: rep(
    20,
    (i) =>
      `INSERT INTO log VALUES (${i}, '2026-02-02 10:00:0${i % 9}', 'ERROR');`,
  ),
  psqlExpanded: rep(
    9,
    (i) =>
      `-[ RECORD ${i} ]-----\nid      | ${i}\nname    | a${i}\ncreated | 2026-02-02 10:00:0${
        i % 9
      }`,
  ),
  psql: " id | name | created\n----+------+---------------------\n" +
    rep(20, (i) => `  ${i} | a${i} | 2026-02-02 10:00:1${i % 9}`),
  markdownTable: "| time | level |\n| --- | --- |\n" +
    rep(20, (i) => `| 10:00:0${i % 9} | INFO |`),
  grep: rep(
    40,
    (i) => `src/a${i % 4}.ts:${i}:  throw new Error("at 10:00:0${i % 9}");`,
  ),
  grepLog: rep(
    40,
    (i) => `logs/a${i % 4}.log:${i}:2026-02-02 10:00:0${i % 9} ERROR boom`,
  ),
  numbered: rep(
    40,
    (i) => `${String(i + 1).padStart(6)}\t2026-02-02 10:00:00 INFO x`,
  ),
  html: rep(20, (i) => `<tr><td>10:00:0${i % 9}</td><td>INFO</td></tr>`),
  jsonl: rep(
    20,
    (i) => `{"time":"2026-02-02T10:00:0${i % 9}Z","level":"info","msg":"x"}`,
  ),
  shell: rep(
    10,
    (i) =>
      `#!/bin/sh\nset -e\necho "Building ${i}"\nmake -j4 all\nif [ -f x ]; then rm x; fi\n`,
  ),
  makefile: rep(10, (i) => `a${i}.o: a${i}.c\n\t$(CC) -c $< -o $@\n`),
  dockerfile: rep(
    6,
    (i) => `FROM node:2${i}\nRUN npm ci\nCOPY . .\nCMD ["node", "a.js"]\n`,
  ),
  srt: rep(
    20,
    (i) =>
      `${i}\n00:00:0${i % 9},000 --> 00:00:0${
        i % 9
      },900\nSome words are spoken.\n`,
  ),
  schedule: rep(20, (i) => `10:0${i % 6} Talk ${i} by a speaker`),
  goMod: "module example.com/a\n\ngo 1.22\n\nrequire (\n" +
    rep(20, (i) => `\tgithub.com/a/b${i} v1.${i}.0`) +
    ")\n",
  man:
    "NAME\n       ls - list directory contents\n\nSYNOPSIS\n       ls [OPTION]... [FILE]...\n\n" +
    rep(
      12,
      (i) =>
        `       -${
          "abcdefghijkl"[i]
        }, --option-${i}\n              do not ignore entries starting with .\n`,
    ),
  stat: rep(
    8,
    (i) =>
      `  File: a${i}.ts\n  Size: ${i}  Blocks: 8  IO Block: 4096  regular file\nAccess: 2026-02-02 10:00:00.000000000 +0000\nModify: 2026-02-02 10:00:00.000000000 +0000\n`,
  ),
  tree: rep(20, (i) => `├── a${i}.ts\n│   └── b${i}.ts`),
  zipList: rep(20, (i) => `     ${1000 + i}  2026-02-02 10:00   src/a${i}.ts`),
  tarTv: rep(
    20,
    (i) => `-rw-r--r-- dev/dev      ${1000 + i} 2026-02-02 10:00 src/a${i}.ts`,
  ),
  awsLs: rep(
    20,
    (i) => `2026-02-02 10:00:1${i % 9}       ${1000 + i} src/a${i}.ts`,
  ),
  last: rep(
    20,
    (i) =>
      `dev      pts/${i}        10.0.0.${i}        Mon Feb  2 10:0${
        i % 6
      }   still logged in`,
  ),
  reflog: rep(20, (i) => `a1b2c3d HEAD@{${i}}: commit: Fix error ${i}`),
  interview: rep(
    20,
    (i) =>
      `Interviewer: What went wrong in ${i}?\n\nEngineer: An error, mostly. We had failures in the second run.\n`,
  ),
};
