/** Originals that expire at once: what leaves can still be asked for. */
import assert from "node:assert/strict";
import { type Home, last, withHome } from "./retrieval_home.ts";
import {
  ask,
  BASH,
  begin,
  goOn,
  type Originals,
  type Place,
} from "./retrieval_talk.ts";
import { SDK_CLIENTS } from "./sdk_clients.ts";
import { hashesIn } from "./simulated_model.ts";

/** What a proxy gives back for a hash, over HTTP. */
async function fetched(url: string, hash: string): Promise<string> {
  const response = await fetch(`${url}/v1/retrieve/${hash}`);
  const body = await response.json();
  assert.equal(response.status, 200, `${hash}: ${JSON.stringify(body)}`);
  return body.original_content;
}

for (const client of SDK_CLIENTS) {
  Deno.test(`with a TTL of 1 s and pauses of 5 s every marker that leaves can be retrieved, and a model that thinks for 5 s gets what it asks for: ${client.format}`, async () => {
    const found = new Map<string, string>();
    let thinksMs = 0;
    await withHome({
      client,
      env: { SVC_CCR_TTL_SECONDS: "1" },
      async meanwhile({ proxies, time }, request) {
        time.ms += thinksMs;
        if (thinksMs > 0) return;
        // Whoever sees the marker can ask for it.
        for (const hash of hashesIn(request.text)) {
          found.set(hash, await fetched(proxies[0]!.url, hash));
        }
      },
    }, async (home) => {
      const place = home.at();
      const originals = await talkSlowly(home, place);
      assert.deepEqual(
        new Set(found.values()),
        new Set(Object.values(originals)),
      );
      thinksMs = 5000;
      await talkSlowly(home, place);
    });
  });
}

/** A conversation with three retrievals and a pause before each request. */
async function talkSlowly(home: Home, place: Place): Promise<Originals> {
  const { client } = place;
  const { request, originals } = await begin(place, {
    name: `slow ${home.time.ms}`,
    one: {
      rounds: ({ log, rows }) => [
        { text: "a", calls: [ask({ hash: log })] },
        { text: "b" },
        { text: "c", calls: [ask({ hash: rows }), BASH] },
        { text: "d", calls: [ask({ hash: log })] },
        { text: "e" },
      ],
      answers: [],
    },
  });
  let next = request;
  for (let turn = 0; turn < 4; turn++) {
    home.time.ms += 5000;
    const seen = await client.send(next);
    next = goOn(place, next, seen);
  }
  const sent = last(home).text;
  assert.doesNotMatch(sent, /Entry expired|not found/);
  assert.equal(sent.split("original_content").length - 1, 3);
  return originals;
}
