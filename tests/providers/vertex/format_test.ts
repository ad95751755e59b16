import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeLiteral } from "../../../src/bytes/json_string.ts";
import { messagesFormat } from "../../../src/providers/messages/format.ts";
import {
  isVertexPath,
  parseVertexPath,
  vertexFormat,
} from "../../../src/providers/vertex/format.ts";

const utf8 = new TextEncoder();
const body = (members: object) =>
  utf8.encode(JSON.stringify({
    anthropic_version: "vertex-2023-10-16",
    max_tokens: 9,
    messages: [
      { role: "user", content: "why?" },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "a", name: "Bash", input: {} }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: "one" }],
      },
    ],
    ...members,
  }));

Deno.test("vertexFormat reports model and stream flag of the path, and the rest as its base does", () => {
  const facts = { model: "claude@1", streaming: true };
  const format = vertexFormat(messagesFormat, facts);
  const scan = format.scan(body({}));
  assert.equal(scan.model, "claude@1");
  assert.equal(scan.streaming, true);
  assert.equal(decodeLiteral(body({}), scan.blocks[0]!.span), "one");
  assert.deepEqual(
    { ...scan, model: "", streaming: false },
    messagesFormat.scan(body({})),
  );
  assert.equal(format.id, messagesFormat.id);
  assert.equal(format.errorBody(413, "m"), messagesFormat.errorBody(413, "m"));
});

Deno.test("vertexFormat lets the path's model win, and a body still ask for a stream", () => {
  const format = vertexFormat(messagesFormat, { model: "p", streaming: false });
  const scan = format.scan(body({ model: "b", stream: true }));
  assert.equal(scan.model, "p");
  assert.equal(scan.streaming, true);
  assert.equal(format.scan(body({})).streaming, false);
});

Deno.test("vertexFormat refuses what its base refuses", () => {
  const format = vertexFormat(messagesFormat, { model: "p", streaming: false });
  assert.throws(() => format.scan(utf8.encode("{}")), SyntaxError);
});

const PLACE = "/projects/my-project/locations/us-east5";
const CALL = "/publishers/anthropic/models/claude-sonnet-4-5@20250929";

Deno.test("parseVertexPath reads region, publisher, model and verb, with a version and without", () => {
  const call = {
    publisher: "anthropic",
    model: "claude-sonnet-4-5@20250929",
    verb: "rawPredict",
  };
  assert.deepEqual(parseVertexPath(`/v1${PLACE}${CALL}:rawPredict`), {
    region: "us-east5",
    versioned: true,
    call,
  });
  assert.deepEqual(
    parseVertexPath(`${PLACE}${CALL}:rawPredict`),
    { region: "us-east5", versioned: false, call },
  );
  assert.equal(
    parseVertexPath(`/v1beta1${PLACE}${CALL}:streamRawPredict`)?.call?.verb,
    "streamRawPredict",
  );
});

Deno.test("parseVertexPath takes a region as long as a host label may be", () => {
  for (const region of ["u", "us", "u".repeat(63), `u${"-".repeat(61)}5`]) {
    const path = `/v1/projects/p/locations/${region}${CALL}:rawPredict`;
    assert.equal(parseVertexPath(path)?.region, region);
  }
});

Deno.test("parseVertexPath decodes the model; a colon may be part of it", () => {
  const model = (name: string) =>
    parseVertexPath(`${PLACE}/publishers/google/models/${name}:x`)?.call?.model;
  assert.equal(model("claude-sonnet-4%402025"), "claude-sonnet-4@2025");
  assert.equal(model("a%2Fb"), "a/b");
  assert.equal(model("a:b"), "a:b");
  assert.equal(model("%E2%82%AC"), "€");
});

Deno.test("parseVertexPath reads the region of paths that call no model", () => {
  for (
    const rest of [
      "",
      "/endpoints/openapi/chat/completions",
      "/publishers/google/models",
      `${CALL}`,
      "/publishers/google/models/x:cancel/more",
    ]
  ) {
    assert.deepEqual(
      parseVertexPath(`/v1/projects/p/locations/global${rest}`),
      { region: "global", versioned: true, call: undefined },
      rest,
    );
  }
});

Deno.test("parseVertexPath refuses a region that could change the host, while isVertexPath keeps the path away from others", () => {
  for (
    const region of [
      "",
      "us.evil.example",
      "US-EAST5",
      "us%2Deast5",
      "a@b",
      "a:80",
      "us_east",
      "é",
      "a b",
      "-a#",
      "-us",
      "us-",
      "u".repeat(64),
    ]
  ) {
    const path = `/v1/projects/p/locations/${region}${CALL}:rawPredict`;
    assert.equal(parseVertexPath(path), undefined, region);
    assert.equal(isVertexPath(path), true, region);
  }
});

Deno.test("parseVertexPath refuses a model that is no UTF-8", () => {
  for (const model of ["%", "%zz", "%ff"]) {
    const path = `${PLACE}/publishers/anthropic/models/${model}:rawPredict`;
    assert.equal(parseVertexPath(path), undefined, model);
    assert.equal(isVertexPath(path), true);
  }
});

Deno.test("parseVertexPath leaves every other path alone", () => {
  for (
    const path of [
      "/",
      "/v1/messages",
      "/v1/projects/p",
      "/v1/organization/projects/p/locations/x/y",
      "/projects//locations/us/x",
      "/api/v1/projects/p/locations/us-east5/x",
      "/model/id/invoke",
    ]
  ) {
    assert.equal(parseVertexPath(path), undefined, path);
    assert.equal(isVertexPath(path), false, path);
  }
});

Deno.test("parseVertexPath gives only regions that are part of a host name, whatever the path", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme-ascii" }),
      (region, rest) => {
        const found = parseVertexPath(`/projects/p/locations/${region}${rest}`);
        if (found === undefined) return;
        const { host } = new URL(`https://${found.region}.example`);
        assert.equal(host, `${found.region}.example`);
      },
    ),
    { numRuns: 300 },
  );
});
