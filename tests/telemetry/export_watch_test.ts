import assert from "node:assert/strict";
import { ExportWatch, resourceOf } from "../../src/telemetry/export_watch.ts";
import {
  type Logged,
  logInto,
  otelIo,
  otelOptions,
  withEnv,
} from "./export_samples.ts";

function watched(): { watch: ExportWatch; events: () => unknown[] } {
  const logged: Logged[] = [];
  return {
    watch: new ExportWatch("metrics", logInto(logged)),
    events: () => logged.map(([, event]) => event),
  };
}

const refused = Object.assign(new Error("http://u:pw@h refused"), {
  code: "ECONNREFUSED",
});

Deno.test("ExportWatch says nothing while all is well", () => {
  const { watch, events } = watched();
  watch.answered({});
  watch.ended({ code: 0 });
  watch.answered(undefined);
  watch.ended({ code: 0 });
  assert.deepEqual([events(), watch.error], [[], null]);
});

Deno.test("ExportWatch warns of failures once until a recovery", () => {
  const { watch, events } = watched();
  for (let i = 0; i < 3; i++) watch.ended({ code: 1, error: refused });
  assert.equal(watch.error, "failed: ECONNREFUSED");
  watch.ended({ code: 0 });
  assert.equal(watch.error, null);
  watch.ended({ code: 1, error: new Error("Request timed out") });
  assert.deepEqual(events(), [
    "otel_export_failed",
    "otel_export_recovered",
    "otel_export_failed",
  ]);
  assert.equal(watch.error, "failed: no answer in time");
});

Deno.test("ExportWatch warns of rejected points once per reason, and counts them all", () => {
  const { watch, events } = watched();
  const export_ = (
    rejectedDataPoints: number | string,
    errorMessage: string,
  ) => {
    watch.answered({ rejectedDataPoints, errorMessage });
    watch.ended({ code: 0 });
  };
  export_("3", "too old");
  export_(4, "too old");
  export_("1", "no such unit");
  assert.deepEqual(events(), ["otel_points_rejected", "otel_points_rejected"]);
  assert.equal(watch.rejected, 8);
  assert.equal(watch.error, "rejected: no such unit");
});

Deno.test("ExportWatch passes a warning on although everything was taken", () => {
  const { watch, events } = watched();
  watch.answered({ errorMessage: "use gzip" });
  watch.ended({ code: 0 });
  assert.deepEqual(events(), ["otel_points_rejected"]);
  assert.equal(watch.error, "warned: use gzip");
});

Deno.test("ExportWatch warns again when what was rejected fails, and the other way round", () => {
  const { watch, events } = watched();
  watch.answered({ rejectedDataPoints: 1 });
  watch.ended({ code: 0 });
  watch.ended({ code: 1, error: refused });
  watch.answered({ rejectedDataPoints: 1 });
  watch.ended({ code: 0 });
  assert.deepEqual(events(), [
    "otel_points_rejected",
    "otel_export_failed",
    "otel_points_rejected",
  ]);
});

Deno.test("ExportWatch believes no number that is none", () => {
  const { watch } = watched();
  for (const count of ["x", "-3", "1e400", "1.5"]) {
    watch.answered({ rejectedDataPoints: count });
    watch.ended({ code: 0 });
  }
  assert.equal(watch.rejected, 0);
});

const STANDARD = {
  OTEL_SERVICE_NAME: "standard",
  OTEL_RESOURCE_ATTRIBUTES: "team=a,room=1",
};

Deno.test("resourceOf takes the standard variables, and lets those of this program win", async () => {
  await withEnv(STANDARD, () => {
    const { attributes } = resourceOf(
      otelOptions({
        serviceName: "mine",
        resourceAttributes: [["room", "2"], ["service.name", "no"]],
      }),
      otelIo({ env: STANDARD }),
    );
    assert.equal(attributes["service.name"], "mine");
    assert.equal(attributes["team"], "a");
    assert.equal(attributes["room"], "2");
    assert.equal(attributes["telemetry.sdk.language"], "nodejs");
    return Promise.resolve();
  });
});

Deno.test("resourceOf lets the standard name win over the default one", () => {
  const named = (env: Record<string, string>) =>
    resourceOf(otelOptions(), otelIo({ env })).attributes["service.name"];
  assert.equal(named(STANDARD), "standard");
  assert.equal(named({}), "svc-proxy");
});

Deno.test("resourceOf lets the user name the instance", () => {
  const resourceAttributes = [["service.instance.id", "box"]] as const;
  const { attributes } = resourceOf(
    otelOptions({ resourceAttributes }),
    otelIo(),
  );
  assert.equal(attributes["service.instance.id"], "box");
});
