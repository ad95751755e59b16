import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Choice,
  chooseKnown,
  chooseUpstream,
  parseChosenBase,
  type PermittedBase,
} from "../../src/upstream/chosen_upstream.ts";

/** What names resolve to in these tests. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "api.example": ["93.184.216.34", "2606:2800:220:1::1"],
  "xn--bcher-kva.example": ["93.184.216.34"],
  "private.example": ["10.0.0.5"],
  "mixed.example": ["93.184.216.34", "10.0.0.5"],
  "mixed6.example": ["93.184.216.34", "::1"],
  "odd.example": ["not an address"],
  "localhost": ["127.0.0.1"],
  "gpu.lan": ["192.168.1.7"],
  "x.gpu.lan": ["192.168.1.7"],
  "evil": ["10.6.6.6"],
};

function choose(
  value: string,
  allowed: readonly PermittedBase[] = [],
): Promise<Choice> {
  const find = (host: string) =>
    Promise.resolve(NAMES[host] ?? "unresolvable" as const);
  return chooseUpstream(value, { lookup: { find }, allowed });
}

async function reasonOf(
  value: string,
  allowed?: readonly PermittedBase[],
): Promise<string | undefined> {
  const choice = await choose(value, allowed);
  return choice.type === "refused" ? choice.reason : undefined;
}

Deno.test("chooseUpstream takes a public host with all its addresses and the path prefix", async () => {
  const choice = await choose("https://api.example/prefix");
  assert.ok(choice.type === "chosen");
  assert.equal(choice.base.href, "https://api.example/prefix");
  assert.deepEqual(choice.addresses, NAMES["api.example"]);
});

Deno.test("chooseUpstream takes a public literal without a look-up", async () => {
  for (
    const [host, address] of [["8.8.8.8", "8.8.8.8"], ["[2606::1]", "2606::1"]]
  ) {
    const choice = await choose(`http://${host}:8080`);
    assert.ok(choice.type === "chosen");
    assert.deepEqual(choice.addresses, [address]);
  }
});

Deno.test("chooseUpstream refuses every way to name a private address", async () => {
  const table: Readonly<Record<string, string>> = {
    "http://169.254.169.254/latest": "metadata",
    "http://10.1.2.3": "private",
    "http://[::1]:8787": "loopback",
    "http://[64:ff9b::a9fe:a9fe]": "metadata",
    "http://[::ffff:127.0.0.1]": "loopback",
    "http://2130706433": "loopback",
    "http://0177.0.0.1": "loopback",
    "http://0x7f.1": "loopback",
    "http://0x7f000001": "loopback",
    "http://127.1": "loopback",
    "http://127.0.0.1.": "loopback",
    "http://127.0.0.1..": "loopback",
    "http://0": "unspecified",
    "http://%31%32%37.0.0.1": "loopback",
    "http://１２７.０.０.１": "loopback",
    "http://localhost": "loopback",
    "http://LOCALHOST.:8787": "loopback",
    "http://ⓛocalhost": "loopback",
    "https://private.example": "private",
    "https://mixed.example": "private",
    "https://mixed6.example": "loopback",
    "https://odd.example": "no_address",
    "https://nowhere.example": "unresolvable",
    "https://a..b": "unresolvable",
  };
  for (const [value, reason] of Object.entries(table)) {
    assert.equal(await reasonOf(value), reason, value);
  }
});

Deno.test("chooseUpstream hands on why a look-up failed", async () => {
  for (const reason of ["lookup_timeout", "lookup_overload"] as const) {
    const find = () => Promise.resolve(reason);
    assert.deepEqual(
      await chooseUpstream("https://api.example", {
        lookup: { find },
        allowed: [],
      }),
      { type: "refused", host: "api.example", reason },
    );
  }
});

Deno.test("chooseUpstream asks for a name once, so a second answer cannot matter", async () => {
  const answers = [["93.184.216.34"], ["127.0.0.1"]];
  const find = () => Promise.resolve(answers.shift() ?? []);
  const parts = { lookup: { find }, allowed: [] };
  const choice = await chooseUpstream("https://rebind.example", parts);
  assert.ok(choice.type === "chosen");
  assert.deepEqual(choice.addresses, ["93.184.216.34"]);
  assert.equal(answers.length, 1);
});

Deno.test("a permitted host may be private on every port, and is pinned too", async () => {
  const allowed = [{ host: "gpu.lan", origin: undefined }];
  for (
    const url of ["http://gpu.lan:9", "https://GPU.lan", "http://gpu.lan."]
  ) {
    const choice = await choose(url, allowed);
    assert.ok(choice.type === "chosen", url);
    assert.deepEqual(choice.addresses, ["192.168.1.7"]);
  }
  assert.equal(await reasonOf("http://private.example", allowed), "private");
  assert.equal(await reasonOf("http://192.168.1.7", allowed), "private");
  assert.equal(await reasonOf("http://x.gpu.lan", allowed), "private");
  assert.equal(await reasonOf("https://api.example", allowed), undefined);
});

Deno.test("a permitted URL may be private at its own origin only", async () => {
  const secure = [{ host: "gpu.lan", origin: "https://gpu.lan" }];
  assert.equal(await reasonOf("https://gpu.lan:443/v1", secure), undefined);
  assert.equal(await reasonOf("https://gpu.lan:444", secure), "private");
  assert.equal(await reasonOf("http://gpu.lan", secure), "private");
  const port = [{ host: "gpu.lan", origin: "http://gpu.lan.:8000" }];
  assert.equal(await reasonOf("http://gpu.lan:8000", port), undefined);
  assert.equal(await reasonOf("http://gpu.lan", port), "private");
  const v6 = [{ host: "[::1]", origin: "http://[::1]:8000" }];
  assert.equal(await reasonOf("http://[0:0::1]:8000", v6), undefined);
  assert.equal(await reasonOf("http://[::1]:8001", v6), "loopback");
});

Deno.test("a permitted host that does not resolve is refused all the same", async () => {
  const allowed = [{ host: "gone.lan", origin: undefined }];
  assert.equal(await reasonOf("http://gone.lan", allowed), "unresolvable");
});

Deno.test("parseChosenBase refuses what is no plain http base, with the host that was meant", () => {
  const table: Readonly<
    Record<string, readonly [reason: string, host: string]>
  > = {
    "https://api.host@evil": ["has_credentials", "evil"],
    "https://api.host:443@evil/": ["has_credentials", "evil"],
    "https://u:secret@api.example": ["has_credentials", "api.example"],
    "https://@api.example": ["has_credentials", "api.example"],
    "https://api.example/?": ["has_query_or_fragment", "api.example"],
    "https://api.example?key=secret": [
      "has_query_or_fragment",
      "api.example",
    ],
    "https://api.example/#x": ["has_query_or_fragment", "api.example"],
    "https://api.example#@evil": ["has_query_or_fragment", "api.example"],
    "ftp://api.example": ["unsupported_scheme", "api.example"],
    "wss://api.example": ["unsupported_scheme", "api.example"],
    "file:///etc/passwd": ["unsupported_scheme", "unparsable"],
    "javascript:alert(1)": ["unsupported_scheme", "unparsable"],
    "api.example:8080": ["unsupported_scheme", "unparsable"],
    "api.example": ["invalid_url", "unparsable"],
    "//api.example": ["invalid_url", "unparsable"],
    "http:api.example": ["invalid_url", "api.example"],
    "http:\\\\api.example": ["invalid_url", "api.example"],
    "http://api.example\\@evil": ["invalid_url", "api.example"],
    "http://": ["invalid_url", "unparsable"],
    "http://a b": ["invalid_url", "unparsable"],
    "http://a,http://b": ["invalid_url", "unparsable"],
    'http://a"b': ["invalid_url", "unparsable"],
    "http://256.1.1.1": ["invalid_url", "unparsable"],
    "http://[fe80::1%25eth0]": ["invalid_url", "unparsable"],
    "http://api.example:65536": ["invalid_url", "unparsable"],
    [`http://api.example/${"x".repeat(2048)}`]: ["invalid_url", "api.example"],
    [`http://${"x".repeat(254)}`]: ["invalid_url", "unparsable"],
  };
  for (const [value, [reason, host]] of Object.entries(table)) {
    assert.deepEqual(
      parseChosenBase(value),
      { type: "refused", host, reason },
      value,
    );
  }
});

Deno.test("parseChosenBase gives a normal base back as URLs write it", () => {
  const table: Readonly<Record<string, string>> = {
    "HTTPS://Api.Example:443/A/b": "https://api.example/A/b",
    "http://bücher.example.:8080/": "http://xn--bcher-kva.example:8080/",
    "https://api.example/@scope": "https://api.example/@scope",
    "http://[2606:0:0::1]": "http://[2606::1]/",
  };
  for (const [value, expected] of Object.entries(table)) {
    const parsed = parseChosenBase(value);
    assert.ok(parsed.type === "base", value);
    assert.equal(parsed.base.href, expected);
  }
});

Deno.test("chooseUpstream never rejects and never takes a private address", async () => {
  const part = fc.constantFrom(
    ...["http", "https", "://", ":", "/", "@", "\\", "?", "#", ".", "[", "]"],
    ...["127.0.0.1", "::1", "0x7f", "10", "localhost", "evil", "mixed.example"],
  );
  const values = fc.array(part, { minLength: 1, maxLength: 8 });
  await fc.assert(fc.asyncProperty(values, async (parts) => {
    const choice = await choose(`http://${parts.join("")}`);
    assert.ok(
      choice.type === "refused" ||
        (choice.addresses !== undefined && isPublicHere(choice.addresses)),
    );
  }));
});

function isPublicHere(addresses: readonly string[]): boolean {
  return !addresses.some((address) => /^(127|10|0)\.|^::/.test(address));
}

Deno.test("chooseKnown takes what is permitted by name, and looks nothing up", () => {
  const allowed: readonly PermittedBase[] = [
    { host: "gpu.lan", origin: undefined },
    { host: "api.example", origin: "https://api.example" },
  ];
  const choice = chooseKnown("http://GPU.lan:81/x", allowed);
  assert.ok(choice.type === "chosen");
  assert.equal(choice.base.href, "http://gpu.lan:81/x");
  assert.equal(choice.addresses, undefined);
  assert.equal(chooseKnown("https://api.example", allowed).type, "chosen");
});

Deno.test("chooseKnown refuses every other host, public ones too, and what is no base", () => {
  const allowed = [{ host: "gpu.lan", origin: "http://gpu.lan:81" }];
  const reason = (value: string) => {
    const choice = chooseKnown(value, allowed);
    return choice.type === "refused" ? choice.reason : undefined;
  };
  assert.equal(reason("https://8.8.8.8"), "offline");
  assert.equal(reason("https://api.example"), "offline");
  assert.equal(reason("http://gpu.lan:82"), "offline");
  assert.equal(reason("ftp://gpu.lan"), "unsupported_scheme");
});
