/** Failures, rare values and extreme numbers that stand among many lines alike must be in what is sent. */
import assert from "node:assert/strict";
import { unfoldStarts } from "../../src/engine/line_starts.ts";
import { openRouter } from "../../src/compute/open_router.ts";
import { jobOf } from "../pipeline/jobs.ts";

const { decide } = await openRouter();

const COUNT = 600;
const PLACE = 371;

/** What is sent for a text. */
async function sentFor(text: string, query = ""): Promise<string> {
  const decision = await decide(jobOf(text, { model: "gpt-5", query }));
  assert.notEqual(decision.type, "failed", JSON.stringify(decision));
  return decision.type === "form"
    ? JSON.parse(new TextDecoder().decode(decision.literal)) as string
    : text;
}

/** Number of a line that differs from line to line and is never extreme. */
function variedBy(line: number): number {
  return 40 + (line * 7919) % 160;
}

/** Lines of a service, one of them with another message. */
function service(
  usual: (line: number) => string,
  planted: string,
  place = PLACE,
): string {
  return Array.from({ length: COUNT }, (_, i) => {
    const time = `2026-03-02T10:${pad(10 + i / 60)}:${pad(i % 60)}.${
      100 + (i * 37) % 900
    }Z`;
    return `${time} INFO ${i === place ? planted : usual(i)}`;
  }).join("\n") + "\n";
}

function pad(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}

Deno.test("a log keeps no line merely for a number that looks like a status", async () => {
  const usual = (i: number) =>
    `request id=${100 + (i * 13) % 900} bytes=${
      100 + (i * 17) % 900
    } error_count=0 status=200`;
  const alarms = [
    "request id=503 bytes=417 error_count=0 status=200",
    "request id=418 bytes=502 error_count=0 status=200",
  ];
  for (const planted of alarms) {
    const sent = await sentFor(service(usual, planted));
    assert.ok(!sent.includes(planted), sent);
  }
  const sent = await sentFor(service(usual, alarms[0]!));
  assert.ok(!/\d+ error lines?/.test(sent), sent);
});

Deno.test("a status that all lines have is no failure of each", async () => {
  for (const field of ["status=404", "code=503"]) {
    const text = service(
      (i) => `probe path=/${"abcdefgh"[i % 8]}x${i} ${field}`,
      `probe path=/bx ${field}`,
    );
    const sent = await sentFor(text);
    assert.ok(sent.length < text.length / 6, `${field}: ${sent.length}`);
  }
});

Deno.test("a log of cargo keeps each error with its location", async () => {
  const errors = Array.from({ length: 15 }, (_, i) => [
    `error[E0${300 + i * 7}]: cannot use \`value_${i}\` here`,
    `  --> src/part_${i}/mod.rs:${10 + i * 9}:${5 + i}`,
    "   |",
    `${10 + i * 9} |     let a = value_${i}.clone();`,
    "   |             ^^^^^^^ not allowed",
    "   |",
    `   = help: consider another value than \`value_${i}\``,
    "",
  ]);
  const text = [
    ...Array.from({ length: 90 }, (_, i) => `   Compiling dep_${i} v1.${i}.0`),
    ...errors.flat(),
    'error: could not compile `ledger` (bin "ledger") due to 15 previous errors',
  ].join("\n");
  const sent = await sentFor(text);
  for (const error of errors) {
    assert.ok(sent.includes(error[0]!), `${error[0]} in\n${sent}`);
    assert.ok(sent.includes(error[1]!.trim()), `${error[1]} in\n${sent}`);
  }
});

Deno.test("of many errors of cargo that are alike each location stays", async () => {
  const places = Array.from(
    { length: 15 },
    (_, i) => `  --> src/part_${i % 5}.rs:${10 + i * 9}:${5 + i}`,
  );
  const text = [
    ...Array.from({ length: 90 }, (_, i) => `   Compiling dep_${i} v1.${i}.0`),
    ...places.flatMap((place, i) => [
      "error[E0308]: mismatched types",
      place,
      "   |",
      `${10 + i * 9} |     let total: u32 = value(${i});`,
      "   |                      ^^^^^^^^ expected `u32`, found `i64`",
      "   |",
      "help: you can convert an `i64` to a `u32`",
      "",
    ]),
    'error: could not compile `ledger` (bin "ledger") due to 15 previous errors',
  ].join("\n");
  const sent = await sentFor(text);
  assert.ok(sent.length < text.length / 2, "is shortened");
  for (const place of places) {
    assert.ok(
      sent.includes(place),
      `${place} in\n${sent}`,
    );
  }
});

Deno.test("a short log keeps a number far from the few others of its field", async () => {
  const cases: readonly (readonly [(i: number) => string, string])[] = [
    [(i) => `took=${9 + i}.671µs`, "took=2.35771ms"],
    [(i) => `rss=${41 + i % 5}M`, "rss=3910M"],
    [(i) => `(${40 + (i * 37) % 90} ms)`, "(48210 ms)"],
    [(i) => `lag=${i % 2 === 0 ? "+" : "-"}${1 + i % 3}`, "lag=-9120"],
  ];
  for (const [usual, extreme] of cases) {
    const lines = Array.from({ length: 48 }, (_, i) => {
      const time = `2026-11-21T22:29:${pad(i)}.698Z`;
      const key = `user:${(i * 7919) % 99}:cart`;
      if (i % 3 !== 0) return `${time} level=DEBUG msg=miss key=${key}`;
      return `${time} level=INFO msg=request method=GET path=/v1/keys/${key} ${
        i === 21 ? extreme : usual(i / 3)
      }`;
    });
    const sent = await sentFor(lines.join("\n"));
    assert.ok(sent.length < lines.join("\n").length, "is shortened");
    assert.ok(sent.includes(extreme), sent);
  }
});

Deno.test("a short log keeps a value that only one line has, also beside two usual ones", async () => {
  const word = (i: number) =>
    String.fromCharCode(...[3, 5, 7].map((n) => 97 + (i * n + 11) % 26));
  for (
    const [usual, rare, every] of [
      [["leader"], "follower", 4],
      [["HIT", "MISS"], "BYPASS", 1],
    ] as const
  ) {
    const lines = Array.from({ length: 48 }, (_, i) => {
      const value = i === 24 ? rare : usual[i % usual.length];
      const head = `2026-11-21T22:29:${pad(i)}.698Z INFO stored ${word(i)}`;
      return i % every === 0 ? `${head} state=${value}` : head;
    });
    const sent = await sentFor(lines.join("\n"));
    assert.ok(sent.length < lines.join("\n").length, "is shortened");
    assert.ok(sent.includes(`state=${rare}`), sent);
  }
});

function crateName(i: number): string {
  return (1_000_003 * (i + 7)).toString(36).replace(/\d/g, "-");
}

/** Goroutines of a Go program that hangs, some of them with frames that an earlier one has. */
function deadlock(): string {
  const runtime = (name: string, line: number) => [
    `${name}(0x${(line * 7919 ** 2).toString(16)}, {0x${line}a, 0x${line}b})`,
    `\t/usr/local/go/src/${name.split(".")[0]}/s${
      line % 7
    }.go:${line} +0x${line}c`,
  ];
  const waiting = (id: number) => [
    "",
    `goroutine ${id} [sync.Cond.Wait]:`,
    ...runtime("sync.runtime_notifyListWait", 617 + id),
    ...runtime("sync.(*Cond).Wait", 71 + id),
    "example.com/fleetd/store.(*Queue).Take(0x3bb35dd92f60)",
    "\t/home/dev/fleetd/store/store.go:18 +0x7c",
    "created by example.com/fleetd/store.TestTake in goroutine 18",
    "\t/home/dev/fleetd/store/store_test.go:12 +0x95",
  ];
  return [
    "panic: test timed out after 2s",
    "",
    "goroutine 1 [chan receive]:",
    ...Array.from(
      { length: 12 },
      (_, i) => runtime(`testing.(*T).run${i % 5}`, 2000 + 37 * i),
    )
      .flat(),
    ...[19, 20, 21, 34, 35, 36, 49].flatMap(waiting),
    "FAIL\texample.com/fleetd/store\t2.014s",
    "FAIL",
  ].join("\n");
}

Deno.test("a frame of a Go program that hangs is never without the head of its goroutine", async () => {
  const sent = unfoldStarts(await sentFor(deadlock(), "find the deadlock"));
  assert.match(sent, /omitted/);
  const hasLast = sent.includes("store_test.go:12 +0x95\nFAIL");
  assert.ok(!hasLast || sent.includes("goroutine 49 [sync.Cond.Wait]:"), sent);
  assert.ok(sent.includes("goroutine 19 [sync.Cond.Wait]:"), sent);
  assert.ok(sent.includes("store.go:18"), sent);
});

Deno.test("an error of rustc keeps its reason behind source that is cut with three dots", async () => {
  const error = (line: number) => [
    "error[E0308]: mismatched types",
    `  --> src/manifest.rs:${line}:5`,
    "   |",
    `${line - 6} | pub fn weigh_${line}(parcels: Vec<Parcel>) -> f32 {`,
    `   |                                            --- expected \`f32\` because of return type`,
    "...",
    `${line} |     total_${line} / 1000`,
    `   |     ^^^^^^^^^^^^ expected \`f32\`, found \`u${line}\``,
    "   |",
    `help: you can cast \`total_${line}\` to an \`f32\``,
    "",
  ];
  for (const count of [1, 2, 9]) {
    const steps = Array.from(
      { length: 60 },
      (_, i) => `   Compiling ${crateName(i)} v0.${i}.1`,
    );
    const errors = Array.from({ length: count }, (_, i) => 40 + 10 * i);
    const text = [...steps, ...errors.flatMap(error)].join("\n");
    const sent = unfoldStarts(await sentFor(text));
    assert.match(sent, /omitted/);
    for (const line of errors) {
      assert.ok(sent.includes(`src/manifest.rs:${line}:5`), sent);
      assert.ok(sent.includes(`found \`u${line}\``), sent);
    }
    for (const [, line] of sent.matchAll(/help: .*total_(\d+)/g)) {
      assert.ok(
        sent.includes(`src/manifest.rs:${line}:5`),
        "help has its error",
      );
    }
  }
});

Deno.test("a step of a build stays when the question names what it built", async () => {
  const lines = Array.from(
    { length: 120 },
    (_, i) => `   Compiling ${i === 71 ? "tokio" : crateName(i)} v1.${i}.0`,
  );
  lines.push("    Finished `dev` profile in 14.18s");
  const sent = await sentFor(
    lines.join("\n"),
    "which version of tokio is built?",
  );
  assert.match(sent, /omitted/);
  assert.ok(sent.includes("Compiling tokio v1.71.0"), sent);
});

Deno.test("a line of an indented list is not kept without the line that says what the list is", async () => {
  const lines = [
    "Reading package lists...",
    "The following additional packages will be installed:",
    "  libjemalloc2 liblzf1 nginx nginx-common",
    "The following NEW packages will be installed:",
    "  libjemalloc2 liblzf1 libnginx-mod-http-echo nginx nginx-common nginx-light",
    "  redis-server redis-tools ripgrep tree",
    "0 upgraded, 10 newly installed, 0 to remove and 136 not upgraded.",
    ...Array.from(
      { length: 40 },
      (_, i) =>
        `Get:${i + 1} http://deb.debian.org/debian bookworm/main amd64 p${i}`,
    ),
  ];
  const sent = await sentFor(lines.join("\n"), "install ripgrep and tree");
  assert.match(sent, /omitted/);
  assert.ok(sent.includes("  redis-server redis-tools ripgrep tree"), sent);
  assert.ok(sent.includes("The following NEW packages"), sent);
});

/** A word that differs from line to line. */
function nameOf(line: number): string {
  return (Math.imul(line + 7, 2654435761) >>> 0).toString(26)
    .replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)]!);
}

/** Lines that are alike, and lines that are not: each of these alone must be in what is sent. */
interface Crowd {
  readonly usual: (line: number) => string;
  readonly odd: readonly string[];
  readonly count?: number;
  /** What is sent of the text at most. */
  readonly share?: number;
}

const WORDS = "order ledger parser widget quota mailer zone tenant".split(" ");
const AGENTS = ["curl/8.5.0", "Mozilla/5.0+(Windows+NT+10.0;+Win64;+x64)"];
const iis = (line: number, result: string) =>
  `/api/${nameOf(line)} ${line % 2 ? `id=${line}` : "-"} 443 - 10.0.1.${
    line % 200
  } ${AGENTS[line % 2]} - ${result}`;
const dated = (line: number) => `${pad(line / 60)}:${pad(line % 60)}`;
const journal = (line: number, said: string) =>
  `Nov 20 06:${dated(line)} devbox systemd[1]: ${said}`;

const CROWDS: Readonly<Record<string, Crowd>> = {
  "what failed among units of many names in a journal": {
    usual: (i) =>
      journal(
        i,
        [
          `Started ${nameOf(i)}.service - ${nameOf(i + 1)}.`,
          `${nameOf(i)}.service: Deactivated successfully.`,
          `Starting ${nameOf(i)}.service - ${nameOf(i + 3)} ${
            nameOf(i + 9)
          }...`,
          `Finished ${nameOf(i)}.service - ${nameOf(i + 5)}.`,
          `${nameOf(i)}.service: Consumed ${i % 9}.${i % 999}s CPU time.`,
        ][(i * 7919) % 5]!,
      ),
    odd: [
      "wqxkd.service: Main process exited, code=exited, status=203/EXEC",
      "wqxkd.service: Main process exited, code=dumped, status=11/SEGV",
      "wqxkd.service: Start request repeated too quickly.",
      "wqxkd.service: start operation timed out. Terminating.",
      "Timed out waiting for device dev-sdb1.device.",
      "Dependency failed for wqxkd.mount - /wqxkd.",
    ].map((said) => journal(PLACE, said)),
    share: 1 / 3,
  },
  "the failed request and the slowest one of IIS": {
    usual: (i) =>
      `2026-11-20 10:${dated(i)} 10.0.0.5 ${i % 4 ? "GET" : "POST"} ${
        iis(i, `200 0 0 ${variedBy(i)}`)
      }`,
    odd: ["500 0 64 41", "200 0 0 48210"].map((result) =>
      `2026-11-20 10:${dated(PLACE)} 10.0.0.5 GET ${iis(PLACE, result)}`
    ),
    share: 1 / 3,
  },
  "a step of a build that fails with the words of the system": {
    usual: (i) =>
      `#7 ${i}.6 Get:${i} http://deb.debian.org/debian bookworm/main amd64 ${
        crateName(i)
      } amd64 1.3 [58 kB]`,
    odd: [
      "No space left on device",
      "Connection reset by peer",
      "Broken pipe",
      "Read-only file system",
      "No route to host",
      "Device or resource busy",
      "Operation not permitted",
      "Address already in use",
      "Disk quota exceeded",
    ].map((words) =>
      `#7 17.6 Get:17 http://deb.debian.org/debian write part: ${words}`
    ),
    count: 40,
  },
  "what terraform destroys": {
    usual: (i) => `aws_a.x_${i}: Refreshing state... [id=i-6d3cb128]`,
    odd: ["  # aws_s3_bucket.ledger will be destroyed"],
    count: 60,
  },
  "a crate from elsewhere": {
    usual: (i) => `   Compiling ${crateName(i)} v1.0.${i}`,
    odd: [
      "   Compiling ledger v9.0.0 (https://github.com/x/ledger?branch=y#1234)",
    ],
    count: 60,
  },
  "a host that is skipped": {
    usual: (i) => `ok: [web-${i}.prod]`,
    odd: ["skipping: [ledger-3.prod]"],
    count: 60,
  },
  "a task of Gradle without source": {
    usual: (i) => `> Task :m${i}:compileJava UP-TO-DATE`,
    odd: ["> Task :ledger:test NO-SOURCE"],
    count: 60,
  },
  "a module of the kernel": {
    usual: (i) => `  CC      drivers/net/part${i}.o`,
    odd: ["  CC [M]  drivers/ledger.o"],
    count: 60,
  },
  "a line among the sums of Ansible": {
    usual: (i) =>
      `web-${i}.prod : ok=12 changed=3 unreachable=0 failed=0 skipped=2 rescued=0`,
    odd: ["write ledger: quorum gone, rolled back"],
    count: 60,
  },
  "a test that took long": {
    usual: (i) => `  ✓ ${WORDS[i % 8]} ${WORDS[i % 5]} ${i}`,
    odd: ["  ✓ replays the journal 41288ms"],
  },
  "a test that leaks": {
    usual: (i) => `  PASS [   0.${100 + i % 400}s] app-${WORDS[i % 8]} t_${i}`,
    odd: ["  LEAK [   0.412s] app-media kills_child"],
  },
  "what CMake does not find": {
    usual: (i) =>
      `-- Looking for ${WORDS[i % 8]}_h${i}${i % 2 ? " - found" : ""}`,
    odd: ["-- Looking for pthread_setname_np - not found"],
  },
  "a test that passed when it was tried again": {
    usual: (i) => `  ✓ ${i} [webkit] › ${WORDS[i % 8]} (1.${i % 9}s)`,
    odd: ["  ✓ 300 [webkit] › pays with iDEAL (retry #1) (4.4s)"],
  },
  "a target of Bazel without a status": {
    usual: (i) =>
      `//app/p${i % 37}:t${i}_test   ${i % 3 ? "" : "(cached) "}PASSED in 0.${
        i % 9
      }s`,
    odd: ["//ledger/close:eod_test   NO STATUS"],
  },
};

for (const [what, crowd] of Object.entries(CROWDS)) {
  const { usual, odd, count = COUNT, share = 1 } = crowd;
  Deno.test(`what is sent of many lines that are alike has the one that is not: ${what}`, async () => {
    const lines = Array.from({ length: count }, (_, i) => usual(i));
    for (const line of odd) {
      const text = lines.with(Math.floor(count * 0.62), line).join("\n");
      const sent = await sentFor(text);
      assert.ok(sent.length < text.length * share, "is shortened");
      assert.ok(unfoldStarts(sent).includes(line.trim()), `${line}\n${sent}`);
    }
  });
}

Deno.test("a text whose lines end in anything but a line feed keeps its only failure", async () => {
  const usb = (i: number) =>
    `[ ${i}.963000] usb 2-1: new high-speed USB device number ${i} using xhci_hcd`;
  for (const end of ["\r", "\u2028", "\x85"]) {
    const lines = Array.from({ length: 160 }, (_, i) => usb(i));
    lines[71] = "Out of memory: Killed process 1004 (java)";
    assert.ok((await sentFor(lines.join(end))).includes("process 1004"));
    const rows = Array.from({ length: 60 }, (_, i) => `${i},ember,DE,active`);
    rows[33] = "33,ember,DE,suspended";
    assert.ok((await sentFor(rows.join(end))).includes("suspended"));
  }
});

Deno.test("a failure and an odd line keep the heading of their part", async () => {
  const parts = (head: (part: number) => string, usual: string, end: string) =>
    Array.from({ length: 40 }, (_, part) => [
      head(part),
      ...Array.from({ length: 12 }, (_, i) => `${usual}${i}${part % 7}]`),
      ...(part === 23 ? ["tar: unexpected EOF in archive"] : []),
      ...(part === 31 ? [`changed: [web11]`] : []),
      end,
    ]).flat().join("\n");
  const name = (part: number) =>
    "abcdefgh".charAt(part % 8) + "xyz".charAt(part % 3);
  const play = await sentFor(
    parts((n) => `TASK [role : Set ${name(n)}${n}] ****`, "ok: [web", ""),
  );
  assert.match(play, /TASK \[role : Set hz23\][^]*unexpected EOF/);
  assert.match(play, /TASK \[role : Set hy31\][^]*changed: \[web11\]/);
  const steps = await sentFor(
    parts((n) => `##[group]Run step-${n}`, "copy [file ", "##[endgroup]"),
  );
  assert.match(steps, /##\[group\]Run step-23[^]*unexpected EOF/);
});

Deno.test("a log keeps both sides of a gap in its times", async () => {
  const lines = Array.from({ length: COUNT }, (_, i) => {
    const seconds = 2 * i + (i > PLACE ? 7200 : 0);
    const time = new Date(Date.UTC(2026, 2, 2, 9, 0, seconds)).toISOString();
    return `${time} INFO heartbeat node=n${i % 9} load=0.${variedBy(i)}`;
  });
  const sent = unfoldStarts(await sentFor(lines.join("\n")));
  for (const line of lines.slice(PLACE, PLACE + 2)) {
    assert.ok(sent.includes(line), sent);
  }
});
