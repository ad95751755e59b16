import assert from "node:assert/strict";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { refusalOf } from "../../src/upstream/public_address.ts";

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
