/** Errors of the upstream: relayed, tried again, or said by the proxy. */
import assert from "node:assert/strict";
import { startProxy } from "../e2e/proxy.ts";
import { freePort } from "../e2e/proxy_process.ts";
import { FORMATS, statsWith, streamBody } from "./streams.ts";
import {
  GENERATIONS,
  post,
  replies,
  statsOf,
  upstreamsAt,
  withApp,
} from "./world.ts";
import type { Answer } from "../e2e/upstream.ts";

const ERRORS = [400, 401, 402, 403, 404, 422, 500, 502, 503];

Deno.test("24 an error in answer to a stream request keeps status, body, content type and retry-after", async () => {
  let status = 0;
  const errorBody = () => ` {"error": {"message":"no ${status}"},"n":1.0}\n`;
  const answer = () =>
    new Response(errorBody(), {
      status,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "retry-after": "7",
        "request-id": `req_${status}`,
      },
    });
  await withApp(answer, async (place) => {
    let sent = 0;
    for (const route of GENERATIONS) {
      for (status of ERRORS) {
        sent++;
        const response = await post(
          place,
          route.path,
          streamBody(route, false),
        );
        assert.equal(response.status, status);
        assert.equal(await response.text(), errorBody());
        const { headers } = response;
        assert.equal(
          headers.get("content-type"),
          "application/json; charset=utf-8",
        );
        assert.equal(headers.get("retry-after"), "7");
        assert.equal(headers.get("request-id"), `req_${status}`);
      }
    }
    const { requests } = await statsWith(place, sent);
    assert.equal(requests.total, sent);
    assert.equal(requests.failed, GENERATIONS.length * 3);
    assert.equal(place.upstream.received.length, sent);
  });
});

Deno.test("25 an upstream that cannot be reached gives 502 and JSON in the family's shape", async () => {
  const proxy = await startProxy({
    ...upstreamsAt(`http://127.0.0.1:${freePort()}`),
    SVC_RETRY_BASE_DELAY_MS: "1",
  });
  try {
    for (const route of GENERATIONS) {
      const response = await post(proxy, route.path, streamBody(route, true));
      assert.equal(response.status, 502, route.path);
      assert.match(response.headers.get("content-type")!, /application\/json/);
      const { error } = await response.json();
      assert.match(error.message, /^Failed to connect to upstream API at /);
    }
    const response = await fetch(`${proxy.url}/v1/models`);
    assert.equal(response.status, 502);
    await response.json();
  } finally {
    await proxy.stop();
  }
});

/** Answers with these statuses one after the other, then with 200. */
function refusing(
  statuses: readonly number[],
  headers: Record<string, string>,
) {
  const times: number[] = [];
  const well = replies();
  const answer: Answer = (request, n, signal) => {
    times.push(performance.now());
    const status = statuses[n];
    return status === undefined
      ? well(request, n, signal)
      : new Response(`{"error":"${status} no ${n}"}`, { status, headers });
  };
  return { answer, times };
}

Deno.test("26 a 429 is tried again after the second that the upstream asks for", async () => {
  const { answer, times } = refusing([429], { "retry-after": "1" });
  await withApp(answer, async (place) => {
    const body = streamBody(FORMATS[0]!, false);
    const response = await post(place, "/v1/messages", body);
    assert.equal(response.status, 200);
    await response.bytes();
    assert.equal(times.length, 2);
    assert(times[1]! - times[0]! >= 999);
    const { requests } = await statsOf(place);
    assert.deepEqual([requests.total, requests.rate_limited], [1, 0]);
  });
});
