import assert from "node:assert/strict";
import { codesOf } from "../../../src/text/lines.ts";
import {
  RequestStatus,
  statusAfter,
  statusBefore,
  statusBehind,
  targetEnd,
  versionEnd,
} from "../../../src/text/signs/requests.ts";

const spanOf = (text: string) => ({
  text,
  codes: codesOf(text),
  start: 0,
  end: text.length,
});

Deno.test("targetEnd finds what is requested", () => {
  const end = (text: string) => targetEnd(spanOf(text), 3);
  assert.equal(end("GET /a/b 200"), 8);
  assert.equal(end('GET "/a" 1'), 8);
  assert.equal(end("GET 404 https://a.example"), 3);
  for (const text of ["GET", "GETS", "GET x", "GET 404 rows", "GET 12 /"]) {
    assert.equal(end(text), -1, text);
  }
});

Deno.test("versionEnd reads a version of HTTP", () => {
  assert.equal(versionEnd(spanOf("/1.1 200"), 0), 4);
  assert.equal(versionEnd(spanOf("/2"), 0), 2);
  for (const text of ["", "/x", "1.1"]) {
    assert.equal(versionEnd(spanOf(text), 0), -1, text);
  }
});

Deno.test("statusAfter takes the first number that may be a status", () => {
  const after = (text: string) => statusAfter(spanOf(text), 0);
  assert.equal(after(" 200 503"), 200);
  assert.equal(after('" 404 153 "-"'), 404);
  assert.equal(after(" -> 404 in 3ms"), 404);
  assert.equal(after(" 12ms 500 x"), 500);
  assert.equal(after(" took 503 ms"), 0);
  assert.equal(after(" id=503 a503 999"), 0);
});

Deno.test("statusBefore takes a number with a size behind it", () => {
  const before = (text: string) => statusBefore(spanOf(text), text.length);
  assert.equal(before("s2 10/0/69/109 503 213 - - "), 503);
  assert.equal(before("TCP_MISS/404 4102 "), 404);
  assert.equal(before("| 404 |  1.2ms | "), 404);
  assert.equal(before("INFO 503 --- [main] "), 0);
});

Deno.test("statusBehind reads a status that is the next word", () => {
  assert.equal(statusBehind(spanOf(" 503 x"), 0), 503);
  for (const text of ["", " ", " 50", " 503 ms", " x", "503"]) {
    assert.equal(statusBehind(spanOf(text), 0), 0, text);
  }
});

Deno.test("RequestStatus finds the status of a line by its method or its version", () => {
  const statusOf = (text: string) => {
    const request = new RequestStatus();
    const span = spanOf(text);
    request.start();
    const method = text.indexOf("GET");
    if (method >= 0) request.method(span, method, method + 3);
    const version = text.indexOf("HTTP");
    const next = version < 0 ? 0 : request.version(span, version, version + 4);
    return next || request.end(span);
  };
  assert.equal(statusOf('"GET /a HTTP/1.1" 404 12'), 404);
  assert.equal(statusOf("GET /a 503 12ms"), 503);
  assert.equal(statusOf('s2 10/0 502 213 "GET /a HTTP/1.1"'), 502);
  assert.equal(statusOf("HTTP 500 from b"), 500);
  assert.equal(statusOf("a 500 b"), 0);
});
