import assert from "node:assert/strict";
import { serveJobs, type StartWork } from "../../src/writer/serve_jobs.ts";
import type { WriterAnswer } from "../../src/writer/writer.ts";

function scene() {
  const answers: WriterAnswer[] = [];
  const done: string[] = [];
  const workOf = (name: string): StartWork => (settings, attempt) => ({
    perform(job) {
      if (job === "bad") throw new Error("disk is full");
      done.push(`${name} ${settings} ${job}`);
      return job;
    },
    afterwards(job) {
      attempt(() => {
        if (job === "messy") throw new Error("locked");
      });
    },
    close: () => done.push(`${name} closed`),
  });
  const serve = serveJobs(
    { a: workOf("a"), b: workOf("b") },
    (answer) => answers.push(answer),
  );
  return { serve, answers, done };
}

Deno.test("serveJobs does the jobs of each database with its own settings", () => {
  const { serve, answers, done } = scene();
  serve({ type: "settings", database: "a", settings: 1 });
  serve({ type: "settings", database: "b", settings: 2 });
  serve({ type: "job", database: "b", id: 1, job: "x" });
  serve({ type: "job", database: "a", id: 2, job: "y" });
  serve({ type: "close", database: "a", id: 3 });
  assert.deepEqual(done, ["b 2 x", "a 1 y", "a closed"]);
  assert.deepEqual(answers, [
    { type: "done", id: 1, result: "x" },
    { type: "done", id: 2, result: "y" },
    { type: "done", id: 3, result: undefined },
  ]);
});

Deno.test("serveJobs answers every job once, with a reason when it fails", () => {
  const { serve, answers } = scene();
  serve({ type: "settings", database: "nobody", settings: 1 });
  serve({ type: "settings", database: "a", settings: 1 });
  serve({ type: "job", database: "a", id: 1, job: "bad" });
  serve({ type: "job", database: "b", id: 2, job: "x" });
  serve({ type: "job", database: "a", id: 3, job: "messy" });
  assert.deepEqual(answers, [
    { type: "refused", id: 1, reason: "disk is full" },
    {
      type: "refused",
      id: 2,
      reason: "Cannot write before the settings are known",
    },
    { type: "done", id: 3, result: "messy" },
    { type: "sweep_failed", database: "a", reason: "locked" },
  ]);
});
