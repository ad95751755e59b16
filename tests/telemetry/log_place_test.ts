import assert from "node:assert/strict";
import { join } from "node:path";
import { claimLogFile } from "../../src/telemetry/log_place.ts";
import { filesIn, inDirectory } from "./log_samples.ts";

Deno.test("claimLogFile gives each claimant a file of its own, and the first free one again", async () => {
  await inDirectory(async (directory) => {
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
  });
});

Deno.test("claimLogFile gives a file to another process only when its owner has gone", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "proxy.log");
    const module = new URL(
      "../../src/telemetry/log_place.ts",
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
  });
});

Deno.test("claimLogFile makes a file private that was there before", async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, "proxy.log");
    await Deno.writeTextFile(path, "old\n", { mode: 0o644 });
    claimLogFile(path).release();
    const { mode, text } = (await filesIn(directory))["proxy.log"]!;
    assert.deepEqual([mode, text], [0o600, "old\n"]);
  });
});
