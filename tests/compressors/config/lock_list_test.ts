import assert from "node:assert/strict";
import {
  readGemfileLock,
  readGoSum,
} from "../../../src/compressors/config/lock_list.ts";
import { indexLines } from "../../../src/text/lines.ts";
import { inputOf } from "./samples.ts";

Deno.test("readGoSum joins the two lines of a version and tells where code is missing", () => {
  const text = `example.org/a v1.0.0 h1:abc=
example.org/a v1.0.0/go.mod h1:def=
example.org/b v0.2.0/go.mod h1:ghi=
`;
  const [region] = readGoSum(indexLines(text));
  assert.deepEqual(
    region!.entries.map((
      { said, remarks, from, to },
    ) => [said, remarks, from, to]),
    [
      ["example.org/a v1.0.0", [], 0, 2],
      ["example.org/b v0.2.0", ["go.mod only"], 2, 3],
    ],
  );
});

Deno.test("readGemfileLock reads the gems of each specs", () => {
  const regions = readGemfileLock(indexLines(inputOf("gemfile_lock")));
  assert.equal(regions.length, 2);
  const sinatra = regions[1]!.entries.find(({ name }) => name === "sinatra")!;
  assert.equal(sinatra.said, "sinatra (4.0.0)");
  assert.deepEqual(sinatra.needs.slice(0, 2), ["mustermann", "rack"]);
});
