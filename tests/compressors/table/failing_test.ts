import assert from "node:assert/strict";
import {
  failingLines,
  failingRows,
} from "../../../src/compressors/table/failing.ts";
import { profilesOf } from "../../../src/compressors/table/profile.ts";
import { inputOf, padded, podLines, tableOf } from "./samples.ts";

function failing(text: string): number[] {
  const table = tableOf(text);
  const rows = failingRows(table, profilesOf(table), failingLines(table.lines));
  return [...rows].flatMap((byte, row) => byte ? [row] : []);
}

Deno.test("failingRows knows states of pods, containers, nodes and processes", () => {
  const states = [
    "CrashLoopBackOff",
    "ImagePullBackOff",
    "OOMKilled",
    "Init:Error",
    "NotReady",
    "Evicted",
    "unhealthy",
    "Failed",
    "failed",
    "zombie",
    "degraded",
  ];
  for (const state of states) {
    const rows = podLines(12).map((line) => line.split(/ {2,}/));
    rows[5]![2] = state;
    assert.deepEqual(failing(padded(rows).join("\n")), [5], state);
  }
});

Deno.test("failingRows does not take names for states", () => {
  const names = [
    "error-pages-7d9",
    "failed_jobs.ts",
    "src/failure",
    "dead-letter",
    "unknown.txt",
    "backoffice",
  ];
  for (const name of names) {
    const rows = podLines(12).map((line) => line.split(/ {2,}/));
    rows[5]![0] = name;
    assert.deepEqual(failing(padded(rows).join("\n")), [], name);
  }
  assert.deepEqual(failing(inputOf("ls_long")), []);
});

Deno.test("failingRows reads exit codes, states of HTTP, READY and STAT", () => {
  const csv = (name: string, value: string) =>
    [
      `a,${name}`,
      ...Array.from({ length: 9 }, (_, i) => `x${i},${i === 4 ? value : "0"}`),
    ]
      .join("\n");
  assert.deepEqual(failing(csv("exit_code", "137")), [5]);
  assert.deepEqual(failing(csv("status", "503")), [5]);
  assert.deepEqual(failing(csv("count", "137")), []);
  const pods = podLines(12).map((line) => line.split(/ {2,}/));
  pods[3]![1] = "0/1";
  pods[4]![1] = "0/1";
  pods[4]![2] = "Completed";
  assert.deepEqual(failing(padded(pods).join("\n")), [3]);
  const ps = inputOf("fold_ps_aux").replace("?        S    ", "?        Zs   ");
  assert.equal(failing(ps).length, 1);
});
