import assert from "node:assert/strict";
import { join } from "node:path";
import {
  claimLogFile,
  RotatingFile,
} from "../../src/telemetry/rotating_file.ts";
import { filesIn, linesIn } from "./log_samples.ts";
import { inTempDir } from "../temp_dir.ts";

function parts(path: string, failures: string[], clock = { time: 0 }) {
  return {
    path,
    maxBytes: 10_000,
    backups: 5,
    gatheredChars: 300,
    now: () => clock.time,
    onFailure: (reason: string) => void failures.push(reason),
    lostLine: (lost: number) => `${JSON.stringify({ lost })}\n`,
  };
}

Deno.test("RotatingFile loses no line, keeps their order and bounds each file while it rotates under load", () =>
  inTempDir(async (directory) => {
    const failures: string[] = [];
    const file = new RotatingFile(parts(join(directory, "a.log"), failures));
    const count = 500;
    for (let i = 0; i < count; i++) {
      file.write(`${JSON.stringify({ i, text: "x".repeat(80) })}\n`);
      if (i % 50 === 0) await Promise.resolve();
    }
    await file.close();
    const files = await filesIn(directory);
    const names = [
      "a.log.5",
      "a.log.4",
      "a.log.3",
      "a.log.2",
      "a.log.1",
      "a.log",
    ]
      .filter((name) => name in files);
    assert(names.length > 4, names.join());
    const lines = names.flatMap((name) => linesIn(files[name]!.text));
    assert.deepEqual(
      lines.map(({ i }) => i),
      Array.from({ length: count }, (_, i) => i),
    );
    for (const name of names) {
      assert(files[name]!.text.length <= 10_000 + 110);
      assert.equal(files[name]!.mode, 0o600);
    }
    assert.deepEqual(failures, []);
  }));

Deno.test("RotatingFile keeps the last line and five rotated files when there were more", () =>
  inTempDir(async (directory) => {
    const file = new RotatingFile(parts(join(directory, "a.log"), []));
    for (let i = 0; i < 2000; i++) {
      file.write(`${JSON.stringify({ i, text: "x".repeat(80) })}\n`);
    }
    await file.close();
    const files = await filesIn(directory);
    assert.deepEqual(Object.keys(files), [
      "a.log",
      "a.log.1",
      "a.log.2",
      "a.log.3",
      "a.log.4",
      "a.log.5",
      "a.log.lock",
    ]);
    const all = Object.values(files).map(({ text }) => text).join("");
    assert(all.includes('{"i":1999,'));
    assert(!all.includes('{"i":0,'));
  }));

Deno.test("RotatingFile goes on in a file that is there already", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a.log");
    for (const line of ["1\n", "2\n"]) {
      const file = new RotatingFile(parts(path, []));
      file.write(line);
      await file.close();
    }
    assert.equal(await Deno.readTextFile(path), "1\n2\n");
  }));

Deno.test("RotatingFile makes nothing before its first line, and drops what comes after its close", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "logs", "a.log");
    const file = new RotatingFile(parts(path, []));
    await file.close();
    file.write("late\n");
    await file.close();
    assert.deepEqual(await filesIn(directory), {});
  }));

Deno.test("RotatingFile says once that it cannot write, tries again after a minute, and then says how much was lost", () =>
  inTempDir(async (directory) => {
    const failures: string[] = [];
    const clock = { time: 1000 };
    const path = join(directory, "logs", "a.log");
    await Deno.writeTextFile(join(directory, "logs"), "a file in the way");
    const file = new RotatingFile(parts(path, failures, clock));
    file.write("lost 1\n");
    await file.settled();
    file.write("lost 2\n");
    await file.settled();
    assert.equal(failures.length, 1);
    await Deno.remove(join(directory, "logs"));
    file.write("lost 3\n");
    await file.settled();
    assert.deepEqual(await filesIn(directory), {});
    clock.time += 60_000;
    file.write("kept\n");
    await file.close();
    assert.equal(await Deno.readTextFile(path), '{"lost":3}\nkept\n');
    assert.equal(failures.length, 1);
  }));

Deno.test("RotatingFile survives a rotation that fails", () =>
  inTempDir(async (directory) => {
    const failures: string[] = [];
    const clock = { time: 0 };
    const path = join(directory, "a.log");
    // A directory that is not empty cannot be written over.
    await Deno.mkdir(join(directory, "a.log.1", "in"), { recursive: true });
    await Deno.mkdir(join(directory, "a.log.2", "the way"), {
      recursive: true,
    });
    await Deno.mkdir(join(directory, "a.log.3", "of"), { recursive: true });
    await Deno.mkdir(join(directory, "a.log.4", "of"), { recursive: true });
    await Deno.mkdir(join(directory, "a.log.5", "of"), { recursive: true });
    const file = new RotatingFile(parts(path, failures, clock));
    for (let i = 0; i < 120; i++) file.write(`${"x".repeat(99)}\n`);
    await file.settled();
    assert.equal(failures.length, 1);
    for (const i of [1, 2, 3, 4, 5]) {
      await Deno.remove(join(directory, `a.log.${i}`), { recursive: true });
    }
    clock.time += 60_000;
    file.write("kept\n");
    await file.close();
    assert((await Deno.readTextFile(path)).endsWith("kept\n"));
  }));

Deno.test("RotatingFile drops and counts what is too much to wait", () =>
  inTempDir(async (directory) => {
    const failures: string[] = [];
    const path = join(directory, "a.log");
    const file = new RotatingFile({ ...parts(path, failures), maxBytes: 1e9 });
    file.write("first\n");
    await file.settled();
    for (let i = 0; i < 6; i++) file.write(`${"x".repeat(1e6)}\n`);
    assert.equal(file.lost, 2);
    await file.settled();
    file.write("last\n");
    await file.close();
    const lines = (await Deno.readTextFile(path)).split("\n");
    assert.deepEqual(
      lines.map((line) => line.slice(0, 10)),
      ["first", ...Array(4).fill("x".repeat(10)), '{"lost":2}', "last", ""],
    );
    assert.deepEqual(failures, []);
  }));

Deno.test("RotatingFile gathers lines that may wait, and writes them before one that may not", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a.log");
    const file = new RotatingFile(parts(path, []));
    file.gather("1\n");
    file.gather(`${"x".repeat(400)}\n`);
    file.gather("2\n");
    file.write("3\n");
    await file.settled();
    const first = `1\n${"x".repeat(400)}\n2\n3\n`;
    assert.equal(await Deno.readTextFile(path), first);
    const many = Array.from({ length: 100 }, (_, i) => `${i}\n`);
    for (const line of many) file.gather(line);
    await file.close();
    file.gather("late\n");
    assert.equal(await Deno.readTextFile(path), first + many.join(""));
  }));

Deno.test("RotatingFile lets a line wait for a quarter of a second", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "a.log");
    const file = new RotatingFile(parts(path, []));
    file.write("1\n");
    await file.settled();
    file.gather("2\n");
    for (let i = 0; i < 200; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (await Deno.readTextFile(path) === "1\n2\n") break;
    }
    assert.equal(await Deno.readTextFile(path), "1\n2\n");
    await file.close();
  }));

Deno.test("claimLogFile gives each claimant a file of its own, and the first free one again", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "logs", "proxy.log");
    const [a, b, c] = [0, 1, 2].map(() => claimLogFile(path));
    const names = [a, b, c].map((place) => place!.path.slice(directory.length));
    assert.deepEqual(names, [
      "/logs/proxy.log",
      "/logs/proxy-1.log",
      "/logs/proxy-2.log",
    ]);
    b!.release();
    const again = claimLogFile(path);
    assert.equal(again.path, join(directory, "logs", "proxy-1.log"));
    for (const place of [a!, c!, again]) place.release();
    assert.equal(
      (await Deno.stat(join(directory, "logs"))).mode! & 0o777,
      0o700,
    );
    for (const { mode } of Object.values(await filesIn(directory))) {
      assert.equal(mode, 0o600);
    }
  }));

Deno.test("claimLogFile gives a file to another process only when its owner has gone", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "proxy.log");
    const module = new URL(
      "../../src/telemetry/rotating_file.ts",
      import.meta.url,
    ).href;
    const code = `import { claimLogFile } from ${JSON.stringify(module)};
      console.log(claimLogFile(${JSON.stringify(path)}).path);
      await Deno.stdin.read(new Uint8Array(1));`;
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-lock", code],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    assert.equal(new TextDecoder().decode(value).trim(), path);
    const second = claimLogFile(path);
    assert.equal(second.path, join(directory, "proxy-1.log"));
    second.release();
    child.kill("SIGKILL");
    await Promise.all([
      child.status,
      reader.cancel(),
      child.stdin.close().catch(() => {}),
    ]);
    const third = claimLogFile(path);
    assert.equal(third.path, path);
    third.release();
  }));

Deno.test("claimLogFile makes a file private that was there before", () =>
  inTempDir(async (directory) => {
    const path = join(directory, "proxy.log");
    await Deno.writeTextFile(path, "old\n", { mode: 0o644 });
    claimLogFile(path).release();
    const { mode, text } = (await filesIn(directory))["proxy.log"]!;
    assert.deepEqual([mode, text], [0o600, "old\n"]);
  }));
