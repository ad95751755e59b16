import assert from "node:assert/strict";
import fc from "fast-check";
import { withoutImages } from "../../src/telemetry/images.ts";

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
