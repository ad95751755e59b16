import { isOwnPath } from "../../src/proxy/gates/foreign_pages.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { normalPath } from "../../src/providers/normal_path.ts";
import { providerRouteOf } from "../../src/providers/registry.ts";

Deno.test("normalPath drops what servers do not look at, and nothing else", () => {
  for (
    const [written, expected] of [
      ["/", "/"],
      ["//", "/"],
      ["/v1/messages", "/v1/messages"],
      ["/v1/messages/", "/v1/messages"],
      ["//v1///messages//", "/v1/messages"],
      ["/v1/%6Dess%61ges", "/v1/messages"],
      ["/%7eme/%2D%2e%5F", "/~me/-._"],
      ["/a%2Fb%40c%20d%25%3A%C3%A9", "/a%2Fb%40c%20d%25%3A%C3%A9"],
      ["/%2541", "/%2541"],
      ["/%zz%4", "/%zz%4"],
      ["/a/../b/./c", "/a/../b/./c"],
      ["/V1/Messages", "/V1/Messages"],
    ] as const
  ) assert.equal(normalPath(written), expected, written);
});

const OWN = ["/mcp", "/cache/clear", "/v1/compress", "/v1/retrieve"];
const PROVIDERS = [
  "/v1/messages",
  "/v1/messages/count_tokens",
  "/v1/chat/completions",
  "/chat/completions",
  "/v1/completions",
  "/v1/responses/compact",
  "/openai/deployments/d/chat/completions",
  "/anthropic/v1/messages",
  "/v1/projects/p/locations/us/publishers/anthropic/models/m:rawPredict",
];
const TAILS = ["", "/x", "/chat/completions", "/v1/messages", "/responses"];

/** Other spellings of a path: encoded letters, repeated slashes, one at the end. */
function spelled(paths: readonly string[]): fc.Arbitrary<string> {
  return fc.constantFrom(...paths).chain((path) =>
    fc.tuple(
      ...[...path].map((char) =>
        char === "/"
          ? fc.constantFrom("/", "//", "///")
          : /[\w~.-]/.test(char)
          ? fc.constantFrom(char, encoded(char), encoded(char).toLowerCase())
          : fc.constant(char)
      ),
      fc.constantFrom("", "/"),
    ).map((chars) => chars.join(""))
  );
}

function encoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

Deno.test("in every spelling a provider's path has its route, and is none of ours", () => {
  fc.assert(fc.property(spelled(PROVIDERS), (path) => {
    const route = providerRouteOf("POST", path);
    assert.ok(route?.use === "generation" || route?.use === "preview", path);
    assert.equal(isOwnPath(`http://h${path}`), false, path);
  }));
});

Deno.test("in every spelling an own path, and what is below it, is ours before a route is looked for", () => {
  const below = OWN.flatMap((path) => TAILS.map((tail) => path + tail));
  fc.assert(fc.property(spelled(below), (path) => {
    assert.equal(isOwnPath(`http://h${path}`), true, path);
  }));
});
