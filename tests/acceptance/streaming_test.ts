/** Event streams: what reaches the client and when, and what is counted. */
import assert from "node:assert/strict";
import {
  arrival,
  eventsOf,
  FORMATS,
  manual,
  statsWith,
  streamBody,
} from "./streams.ts";
import {
  type ConversationRoute,
  GENERATING,
  type Place,
  post,
  withApp,
} from "./world.ts";

const utf8 = new TextEncoder();

/** Runs `test` for routes in turn behind one proxy; each has an upstream whose response the test writes. */
function onStreams(
  routes: readonly ConversationRoute[],
  test: (
    place: Place,
    upstream: ReturnType<typeof manual>,
    route: ConversationRoute,
  ) => Promise<void>,
): Promise<void> {
  let upstream = manual();
  return withApp((...request) => upstream.answer(...request), async (place) => {
    for (const route of routes) {
      upstream = manual();
      await test(place, upstream, route);
    }
  });
}

for (const tools of [false, true]) {
  Deno.test(`19 events reach the client while the upstream still writes, byte for byte, ${tools ? "our tool declared" : "without tools"}`, () =>
    onStreams(GENERATING, async (place, upstream, route) => {
      const events = await eventsOf(route);
      const asked = post(place, route.path, streamBody(route, tools));
      const controller = await upstream.started;
      // Behind the closing events nothing comes that could be waited for.
      const early = events.slice(0, events.length / 2);
      controller.enqueue(utf8.encode(early[0]));
      const response = await asked;
      const reader = response.body!
        .pipeThrough(new TextDecoderStream()).getReader();
      for (const [i, event] of early.entries()) {
        if (i > 0) controller.enqueue(utf8.encode(event));
        let seen = "";
        while (seen.length < event.length) {
          seen += (await arrival(reader.read())).value;
        }
        assert.equal(seen, event, route.path);
      }
      const late = events.slice(early.length).join("");
      controller.enqueue(utf8.encode(late));
      controller.close();
      let rest = "";
      for (let read; !(read = await reader.read()).done;) rest += read.value;
      assert.equal(rest, late, route.path);
    }));
}

Deno.test("23 an upstream that breaks off breaks the client's stream; it counts as failed, with the usage so far", async () => {
  for (const tools of [false, true]) {
    let total = 0;
    await onStreams(FORMATS, async (place, upstream, route) => {
      const events = await eventsOf(route);
      const asked = post(place, route.path, streamBody(route, tools));
      const controller = await upstream.started;
      for (const event of events.slice(0, 3)) {
        controller.enqueue(utf8.encode(event));
      }
      const reader = (await asked).body!.getReader();
      await reader.read();
      controller.error(new Error("broken"));
      await assert.rejects(async () => {
        while (!(await arrival(reader.read())).done);
      }, `${route.path} ended as if all were well`);
      total++;
      const { requests, prefix_cache } = await statsWith(place, total);
      assert.deepEqual([requests.total, requests.failed], [total, total]);
      // The other formats report usage in their closing event only.
      assert.equal(prefix_cache.totals.uncached_input_tokens, 100);
    });
  }
});
