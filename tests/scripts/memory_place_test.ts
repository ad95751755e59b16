import assert from "node:assert/strict";
import { placeInMemory } from "../../scripts/memory_place.ts";
import { tempDir } from "../temp_dir.ts";

/** Only Linux has a directory in memory. */
const ignore = Deno.build.os !== "linux";

/** Names in a directory, sorted. */
async function namesIn(path: string): Promise<readonly string[]> {
  const all = await Array.fromAsync(Deno.readDir(path), ({ name }) => name);
  return all.toSorted();
}

Deno.test({
  name: "placeInMemory removes what interrupted runs left, and nothing else",
  ignore,
  async fn() {
    await using temp = await tempDir();
    const memory = temp.path;
    const made = async (name: string) => {
      await Deno.mkdir(`${memory}/${name}`);
      await Deno.writeTextFile(`${memory}/${name}/lock`, "");
      return `${memory}/${name}`;
    };
    await Deno.writeTextFile(`${await made("svc-tests-1")}/db`, "left");
    await Deno.mkdir(`${memory}/svc-tests-2`);
    await made("svc-tests-x");
    await made("3");
    await Deno.symlink(await made("other"), `${memory}/svc-tests-4`);
    const kept = ["3", "other", "svc-tests-2", "svc-tests-4", "svc-tests-x"];
    const own = `svc-tests-${Deno.pid}`;
    {
      await using place = await placeInMemory(memory);
      assert.equal(place?.path, `${memory}/${own}`);
      assert.deepEqual(await namesIn(memory), [...kept, own].toSorted());
      using lock = await Deno.open(`${place.path}/lock`, { write: true });
      assert.equal(await lock.tryLock(true), false, "a run is no leftover");
    }
    assert.deepEqual(await namesIn(memory), kept);
  },
});
