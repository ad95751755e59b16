import assert from "node:assert/strict";
import { join } from "node:path";
import { completionItems } from "../../../src/cli/uninstall/completion_items.ts";
import { scriptOf } from "../completions/shell.ts";
import { inHome } from "./home.ts";

const PLACES = {
  bash: ".local/share/bash-completion/completions/svc",
  zsh: ".zfunc/_svc",
  fish: ".config/fish/completions/svc.fish",
} as const;

Deno.test("completionItems finds what svc completions printed, where its help says", async () => {
  await inHome(async (home) => {
    for (const [shell, place] of Object.entries(PLACES)) {
      await home.write({ [place]: await scriptOf(shell) });
    }
    const { items } = await completionItems({ HOME: home.path });
    assert.deepEqual(
      items.map(({ shown }) => shown),
      Object.values(PLACES).map((place) => join(home.path, place)),
    );
  });
});

Deno.test("completionItems leaves completions that somebody else wrote", async () => {
  await inHome(async (home) => {
    for (const place of Object.values(PLACES)) {
      await home.write({ [place]: "# mine\ncomplete -c svc\n" });
    }
    assert.deepEqual((await completionItems({ HOME: home.path })).items, []);
  });
});

Deno.test("completionItems finds nothing without a home directory", async () => {
  assert.deepEqual((await completionItems({})).items, []);
});
