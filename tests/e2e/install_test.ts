/** `svc install` as a user runs it. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { hasSystemd } from "../cli/install/systemd_analyze.ts";
import { cacheOfRuntime } from "./proxy_process.ts";
import { playService } from "./service_unit.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

Deno.test({
  name:
    "svc install apply writes a unit whose command is a proxy that says how it is deployed and ends cleanly",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const home = await Deno.makeTempDir();
    const bin = await Deno.makeTempDir();
    try {
      await playService({
        ...{ home, bin },
        async run(args) {
          const { code, stdout, stderr } = await new Deno.Command(
            Deno.execPath(),
            {
              args: [
                ...["run", "-A", "--no-prompt", "--no-check", MAIN, "install"],
                ...args,
              ],
              env: { HOME: home, PATH: bin, ...cacheOfRuntime() },
              clearEnv: true,
              stdin: "null",
            },
          ).output();
          const decoder = new TextDecoder();
          return {
            code,
            text: decoder.decode(stdout) + decoder.decode(stderr),
          };
        },
        start: ([program, ...args], env) =>
          new Deno.Command(program!, {
            ...{ args, env, clearEnv: true, cwd: "/" },
            ...{ stdin: "null", stdout: "null", stderr: "null" },
          }).spawn(),
      });
    } finally {
      for (const path of [home, bin]) {
        await Deno.remove(path, { recursive: true });
      }
    }
  },
});

/** How the stage says that no service manager runs here. */
const NO_MANAGER = 3;

Deno.test({
  name:
    "svc install works with a real systemd: login, failure, restart for a setting, stop, removal",
  // A namespace with mounts of its own takes root.
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  async fn() {
    const home = await Deno.makeTempDir();
    try {
      const skipped = (why: string) =>
        // deno-lint-ignore no-console
        console.log(`skipped: ${why}`);
      if (!await hasSystemd()) return skipped("systemd is not to be had here");
      const stage = fileURLToPath(
        new URL("./systemd_stage.ts", import.meta.url),
      );
      const { code, stdout, stderr } = await new Deno.Command("unshare", {
        args: [
          ...["--mount", "--pid", "--fork", "--mount-proc", "--kill-child"],
          ...[Deno.execPath(), "run", "-A", "--no-prompt", "--no-check"],
          ...[stage, home, MAIN],
        ],
        env: { ...cacheOfRuntime(), NO_COLOR: "1" },
        stdin: "null",
      }).output();
      if (code === NO_MANAGER) return skipped("systemd does not run here");
      const decoder = new TextDecoder();
      const text = decoder.decode(stdout) + decoder.decode(stderr);
      assert.equal(code, 0, text);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
});
