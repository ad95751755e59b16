import assert from "node:assert/strict";
import { resourceOf } from "../../src/telemetry/otel_resource.ts";
import { otelIo, otelOptions, withEnv } from "./export_samples.ts";

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
