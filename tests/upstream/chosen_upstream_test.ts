import assert from "node:assert/strict";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import {
  type Choice,
  chooseKnown,
  chooseUpstream,
  parseChosenBase,
  type PermittedBase,
  refusalOf,
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

/** A base of as many characters as one may have. */
const LONGEST = "http://api.example/".padEnd(2048, "x");

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
    [`${LONGEST}x`]: ["invalid_url", "api.example"],
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
    [LONGEST]: LONGEST,
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

const REFUSED: readonly (readonly [address: string, reason: string])[] = [
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["10.0.0.1", "private"],
  ["10.255.255.255", "private"],
  ["100.64.0.1", "shared"],
  ["100.127.255.255", "shared"],
  ["100.100.100.200", "metadata"],
  ["127.0.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["168.63.129.16", "metadata"],
  ["169.254.0.1", "link_local"],
  ["169.254.169.254", "metadata"],
  ["169.254.170.2", "metadata"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.0.0.1", "reserved"],
  ["192.0.0.192", "metadata"],
  ["192.0.2.1", "reserved"],
  ["192.88.99.1", "reserved"],
  ["192.168.0.1", "private"],
  ["198.18.0.1", "reserved"],
  ["198.19.255.255", "reserved"],
  ["198.51.100.1", "reserved"],
  ["203.0.113.1", "reserved"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.255", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::2", "unspecified"],
  ["fc00::1", "private"],
  ["fdff::1", "private"],
  ["fd00:ec2::254", "metadata"],
  ["FD00:0EC2:0:0:0:0:0:0254", "metadata"],
  ["fe80::1", "link_local"],
  ["febf::1", "link_local"],
  ["fec0::1", "site_local"],
  ["feff::1", "site_local"],
  ["ff02::1", "multicast"],
  ["100::1", "reserved"],
  ["2001:1::1", "reserved"],
  ["2001:2::1", "reserved"],
  ["2001:10::1", "reserved"],
  ["2001:20::1", "reserved"],
  ["2001:db8::1", "reserved"],
  ["3fff::1", "reserved"],
  ["4000::1", "reserved"],
  ["5f00::1", "reserved"],
  ["8000::1", "reserved"],
  ["64:ff9b:1:a00::808:808", "reserved"],
  ["64:ff9b:2::808:808", "reserved"],
];

Deno.test("refusalOf refuses every class of address that is not public", () => {
  for (const [address, reason] of REFUSED) {
    assert.equal(refusalOf(address), reason, address);
  }
});

Deno.test("refusalOf looks at the IPv4 address inside first", () => {
  const embedded: typeof REFUSED = [
    ["::ffff:127.0.0.1", "loopback"],
    ["::FFFF:7F00:1", "loopback"],
    ["0:0:0:0:0:ffff:a00:1", "private"],
    ["::ffff:169.254.169.254", "metadata"],
    ["64:ff9b::a9fe:a9fe", "metadata"],
    ["64:ff9b::10.0.0.1", "private"],
    ["64:ff9b:1::10.0.0.1", "private"],
    ["::127.0.0.1", "loopback"],
    ["::ffff:0:127.0.0.1", "loopback"],
    ["2002:7f00:1::", "loopback"],
    ["2002:c0a8:101::1", "private"],
    // The client of Teredo stands there inverted, the server does not.
    ["2001:0:808:808::80ff:fffe", "loopback"],
    ["2001:0:7f00:1::f7f7:f7f7", "loopback"],
    ["2606:4700::5efe:127.0.0.1", "loopback"],
    ["2606:4700::200:5efe:10.0.0.1", "private"],
  ];
  for (const [address, reason] of embedded) {
    assert.equal(refusalOf(address), reason, address);
  }
});

Deno.test("refusalOf refuses tunnels and dead notations whatever is inside", () => {
  const tunnels = [
    "::8.8.8.8",
    "::ffff:0:8.8.8.8",
    "2002:808:808::1",
    "2001:0:808:808::f7f7:f7f7",
  ];
  for (const address of tunnels) {
    assert.equal(refusalOf(address), "tunnel", address);
  }
});

Deno.test("refusalOf lets public addresses pass, also mapped and behind NAT64", () => {
  const open = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "168.63.129.17",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.1",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:4860:4860::8888",
    "2606:4700::1111",
    "2a00::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::808:808",
    "2606:4700::5efe:8.8.8.8",
  ];
  for (const address of open) {
    assert.equal(refusalOf(address), undefined, address);
  }
});

Deno.test("refusalOf refuses text that is no address in its usual form", () => {
  const others = [
    "",
    " 8.8.8.8",
    "8.8.8.8:80",
    "8.8.8",
    "2130706433",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "127.1",
    "008.8.8.8",
    "::ffff:010.8.8.8",
    "::ffff:0x8.8.8.8",
    "[2606:4700::1111]",
    "2606:4700::1111%eth0",
    "fe80::1%1",
    "2606:4700::1111/64",
    "example.com",
  ];
  for (const address of others) {
    assert.equal(refusalOf(address), "no_address", address);
  }
});

/** First address and length of every IPv4 range that is not public. */
const CLOSED_RANGES: readonly (readonly [first: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

const byte = fc.integer({ min: 0, max: 255 });
const fourBytes = fc.array(byte, { minLength: 4, maxLength: 4 });
const closed = fc.tuple(fc.constantFrom(...CLOSED_RANGES), fourBytes).map(
  ([[first, bits], random]) => {
    const base = ipaddr.IPv4.parse(first).octets;
    const mask = ipaddr.IPv4.subnetMaskFromPrefixLength(bits).octets;
    return base.map((octet, i) => octet | (random[i]! & ~mask[i]! & 0xff));
  },
);

/** Ways of putting IPv4 into IPv6: all sixteen bytes. */
const EMBEDDINGS: Readonly<
  Record<string, (v4: readonly number[], rest: readonly number[]) => number[]>
> = {
  mapped: (v4) => [...zeros(10), 255, 255, ...v4],
  compatible: (v4) => [...zeros(12), ...v4],
  translated: (v4) => [...zeros(8), 255, 255, 0, 0, ...v4],
  nat64: (v4) => [0, 0x64, 0xff, 0x9b, ...zeros(8), ...v4],
  localNat64: (v4) => [0, 0x64, 0xff, 0x9b, 0, 1, ...zeros(6), ...v4],
  localNat64At48: (v4, rest) => [
    ...[0, 0x64, 0xff, 0x9b, 0, 1],
    ...v4.slice(0, 2),
    ...[0, ...v4.slice(2)],
    ...[0, ...rest],
  ],
  sixToFour: (v4, rest) => [0x20, 2, ...v4, ...rest, ...zeros(6)],
  teredoClient: (v4, rest) => [
    ...[0x20, 1, 0, 0, 8, 8, 8, 8],
    ...rest,
    ...v4.map((octet) => octet ^ 255),
  ],
  teredoServer: (v4, rest) => [0x20, 1, 0, 0, ...v4, ...rest, ...rest],
  isatap: (v4, rest) => [0x26, 6, ...rest, 0, 0, 0, 0, 0x5e, 0xfe, ...v4],
};

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}

Deno.test("refusalOf refuses every address that is not public in every embedding", () => {
  fc.assert(
    fc.property(closed, fourBytes, (v4, rest) => {
      assert.notEqual(refusalOf(v4.join(".")), undefined);
      for (const [name, embed] of Object.entries(EMBEDDINGS)) {
        const text = ipaddr.fromByteArray(embed(v4, rest)).toString();
        assert.notEqual(refusalOf(text), undefined, `${name} ${text}`);
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("refusalOf never throws and lets nothing pass but IP literals", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    assert.ok(refusalOf(text) !== undefined || ipaddr.isValid(text));
  }));
});
