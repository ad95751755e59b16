/** What exported data says about this process. @module */
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import type { OtelIo, OtelOptions } from "./otel_contract.ts";

/** Name of the service unless the user sets another. */
const DEFAULT_NAME = "svc-proxy";

/**
 * Attributes of this process: those of the standard variables, then the user's for this program, which win. The name
 * that is set for this program wins over the standard one, its default does not.
 */
export function resourceOf(
  { serviceName, resourceAttributes }: Pick<
    OtelOptions,
    "serviceName" | "resourceAttributes"
  >,
  { env, instanceId, version }: Pick<OtelIo, "env" | "instanceId" | "version">,
): Resource {
  const name = serviceName === DEFAULT_NAME
    ? env.OTEL_SERVICE_NAME || serviceName
    : serviceName;
  return defaultResource()
    .merge(resourceFromAttributes({
      "service.version": version,
      "service.instance.id": instanceId,
    }))
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({
      ...Object.fromEntries(resourceAttributes),
      "service.name": name,
    }));
}
