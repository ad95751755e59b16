/** A strict reader of OTLP/HTTP JSON logs. */
import assert from "node:assert/strict";
import {
  attributesOf,
  fieldsOf,
  listOf,
  plainValue,
} from "./export_samples.ts";

/** One report of the beacon. */
export interface Report {
  readonly resource: Record<string, unknown>;
  readonly body: Record<string, unknown>;
}

/** Reads an ExportLogsServiceRequest with one record; throws on any field that the protocol does not have. */
export function readReport(text: string): Report {
  const [resourceLogs, ...more] = listOf(
    fieldsOf(JSON.parse(text), ["resourceLogs"]).resourceLogs,
  );
  assert.equal(more.length, 0);
  const { resource, scopeLogs } = fieldsOf(resourceLogs, [
    "resource",
    "scopeLogs",
  ]);
  const [only, ...others] = listOf(scopeLogs);
  assert.equal(others.length, 0);
  const { logRecords } = fieldsOf(only, ["scope", "logRecords"]);
  const [record, ...further] = listOf(logRecords);
  assert.equal(further.length, 0);
  const { body, timeUnixNano } = fieldsOf(record, [
    ...["timeUnixNano", "observedTimeUnixNano", "severityNumber"],
    ...["severityText", "eventName", "body"],
  ]);
  assert.match(String(timeUnixNano), /^\d{19}$/);
  assert("kvlistValue" in (body as object));
  return {
    resource: attributesOf(fieldsOf(resource, ["attributes"]).attributes),
    body: plainValue(body) as Record<string, unknown>,
  };
}
