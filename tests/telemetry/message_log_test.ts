import assert from "node:assert/strict";
import fc from "fast-check";
import { MessageLog, withoutImages } from "../../src/telemetry/message_log.ts";

const utf8 = new TextEncoder();
/** What is kept of a request, parsed. */
function keptOf(log: MessageLog, id: string) {
  const texts = log.texts(id);
  const parsed = (json: string | null) =>
    json === null ? null : JSON.parse(json);
  return texts && {
    request_messages: parsed(texts.request_messages),
    compressed_messages: parsed(texts.compressed_messages),
    response_content: parsed(texts.response_content),
  };
}

const body = (value: unknown) => utf8.encode(JSON.stringify(value));

Deno.test("MessageLog gives messages as received and as sent, and the response", () => {
  const log = new MessageLog();
  const received = body({
    model: "m",
    messages: [{ role: "user", content: "a secret? sk-mine-1234567" }],
  });
  log.note("r", { received, sent: body({ messages: [1], model: "m" }) });
  log.noteResponse("r", utf8.encode('event: x\ndata: {"é":1}\n\n'));
  assert.deepEqual(keptOf(log, "r"), {
    request_messages: [{ role: "user", content: "a secret? sk-mine-1234567" }],
    compressed_messages: [1],
    response_content: 'event: x\ndata: {"é":1}\n\n',
  });
  assert.equal(log.texts("other"), undefined);
});

Deno.test("MessageLog gives input for messages, a whole body without either, and a text for what is no JSON", () => {
  const log = new MessageLog();
  for (
    const [given, expected] of [
      [body({ input: "hi" }), "hi"],
      [body({ contents: [] }), { contents: [] }],
      [body([1]), "[1]"],
      [utf8.encode("no json"), "no json"],
    ] as const
  ) {
    log.note("r", { received: given, sent: given });
    const kept = keptOf(log, "r");
    assert.deepEqual(kept?.request_messages, expected);
    assert.deepEqual(kept?.compressed_messages, expected);
    assert.equal(kept?.response_content, null);
  }
});

Deno.test("MessageLog takes images out of what it gives", () => {
  const log = new MessageLog();
  const data = "A".repeat(2000);
  const received = body({ messages: [{ source: { data } }] });
  log.note("r", { received, sent: received });
  log.noteResponse("r", body({ data }));
  const image = "<image:base64-redacted bytes=2000>";
  assert.deepEqual(keptOf(log, "r"), {
    request_messages: [{ source: { data: image } }],
    compressed_messages: [{ source: { data: image } }],
    response_content: JSON.stringify({ data: image }),
  });
});

Deno.test("MessageLog gives texts as JSON on one line, also of a body with line breaks", () => {
  const log = new MessageLog();
  const received = utf8.encode('{\r\n "messages": [\n {"a":\n "x\\ny"}\n]\n}');
  log.note("r", { received, sent: utf8.encode("{broken\n") });
  log.noteResponse("r", utf8.encode("a\nb"));
  const texts = log.texts("r")!;
  for (const text of Object.values(texts)) assert(!/[\r\n]/.test(text!));
  assert.deepEqual(JSON.parse(texts.request_messages!), [{ a: "x\ny" }]);
  assert.equal(JSON.parse(texts.compressed_messages!), "{broken\n");
  assert.equal(JSON.parse(texts.response_content!), "a\nb");
  assert.equal(log.texts("other"), undefined);
});

Deno.test("MessageLog keeps no more requests and bytes than it may, the newest ones", () => {
  const log = new MessageLog({ maxBytes: 1000, maxRequests: 3 });
  const note = (id: string, size: number) => {
    const received = new Uint8Array(size);
    log.note(id, { received, sent: received });
  };
  const kept = () =>
    ["a", "b", "c", "d", "e"].filter((id) => log.texts(id)).join("");
  for (const id of ["a", "b", "c", "d"]) note(id, 100);
  assert.deepEqual([kept(), log.bytes], ["bcd", 300]);
  log.noteResponse("c", new Uint8Array(750));
  assert.deepEqual([kept(), log.bytes], ["cd", 950]);
  log.noteResponse("c", new Uint8Array(100));
  assert.equal(log.bytes, 300);
  log.noteResponse("a", new Uint8Array(10));
  note("e", 2000);
  assert.deepEqual([kept(), log.bytes], ["", 0]);
});

const BIG = "iVBORw0K/Gg+o".repeat(100);
const REDACTED = `<image:base64-redacted bytes=${BIG.length}>`;

for (const key of ["data", "url", "image_url", "image"]) {
  Deno.test(`withoutImages takes base64 under ${key} out of a JSON text`, () => {
    const image = { a: "é\n", [key]: BIG, b: [1.5] };
    assert.deepEqual(
      JSON.parse(withoutImages(JSON.stringify(image, null, 2))),
      {
        ...image,
        [key]: REDACTED,
      },
    );
  });
}

Deno.test("withoutImages takes data URLs out of any string, also of JSON inside of JSON", () => {
  const url = `data:image/png;base64,${BIG}`;
  const inner = JSON.stringify({ seen: `before ${url} after`, n: 1 });
  const result = JSON.parse(withoutImages(JSON.stringify({ text: inner })));
  assert.deepEqual(JSON.parse(result.text), {
    seen: `before ${REDACTED} after`,
    n: 1,
  });
  assert.equal(
    withoutImages(JSON.stringify({ image_url: { url } })),
    JSON.stringify({ image_url: { url: REDACTED } }),
  );
});

Deno.test("withoutImages takes base64 with escaped slashes out", () => {
  const escaped = `{"data":"${BIG.replaceAll("/", "\\/")}"}`;
  assert.match(
    withoutImages(escaped),
    /^\{"data":"<image:base64-redacted bytes=\d+>"\}$/,
  );
});

Deno.test("withoutImages leaves short ones, texts and other keys as they are", () => {
  const json = JSON.stringify({
    data: BIG.slice(0, 1023),
    url: `${BIG} and more`,
    text: BIG,
    image: "https://host.test/a.png",
  });
  assert.equal(withoutImages(json), json);
});

Deno.test("withoutImages returns JSON of the same structure for any JSON", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const image = fc.constantFrom(BIG, `data:image/gif;base64,${BIG}`, "\\");
  fc.assert(fc.property(value, image, (value, data) => {
    const result = JSON.parse(
      withoutImages(JSON.stringify([{ data }, value, { data }])),
    );
    const stays = data === "\\" ? data : REDACTED;
    assert.deepEqual(result[0].data, stays);
    assert.deepEqual(result[2].data, stays);
    assert.deepEqual(result[1], JSON.parse(JSON.stringify(value)));
  }));
});

Deno.test("withoutImages takes linear time for texts made to slow it down", () => {
  for (const part of ['"data":"', "data:image/png;base64,", '"data" ', "A"]) {
    const text = part.repeat(300_000);
    withoutImages(text);
  }
});
