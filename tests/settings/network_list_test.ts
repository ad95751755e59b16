import assert from "node:assert/strict";
import fc from "fast-check";
import {
  parseAllowedBases,
  parseHosts,
  parseNetworks,
  parseOrigins,
} from "../../src/settings/network_list.ts";

const networks = (raw: string) =>
  parseNetworks("X", raw).map(([address, bits]) => `${address}/${bits}`);

Deno.test("parseNetworks reads networks and single addresses of both kinds", () => {
  assert.deepEqual(networks("10.1.0.0/16, 1.2.3.4,fd00::/8,::1"), [
    "10.1.0.0/16",
    "1.2.3.4/32",
    "fd00::/8",
    "::1/128",
  ]);
});

Deno.test("parseNetworks takes an IPv4-mapped network for the IPv4 network that it is", () => {
  assert.deepEqual(networks("::ffff:1.2.3.4,::ffff:a00:0/104"), [
    "1.2.3.4/32",
    "10.0.0.0/8",
  ]);
  assert.deepEqual(networks("::ffff:0.0.0.0/96"), ["0.0.0.0/0"]);
  assert.deepEqual(networks("::ffff:0.0.0.0/95"), ["::ffff:0:0/95"]);
});

Deno.test("parseNetworks takes prefixes up to the length of an address, and no longer ones", () => {
  fc.assert(fc.property(fc.nat(200), (bits) => {
    for (const [address, length] of [["10.0.0.0", 32], ["fd00::", 128]]) {
      const read = () => networks(`${address}/${bits}`);
      if (bits <= Number(length)) {
        assert.deepEqual(read(), [`${address}/${bits}`]);
      } else assert.throws(read, RangeError);
    }
  }));
});

Deno.test("parseNetworks refuses what is no whole address with a plain prefix, and names the item", () => {
  for (
    const item of [
      "localhost",
      "10.0.0",
      "10/8",
      "/8",
      "010.0.0.1",
      "0x7f.0.0.1",
      "2130706433",
      "[::1]",
      "1.2.3.4:80",
      "10.0.0.0/",
      "10.0.0.0/-1",
      "10.0.0.0/+8",
      "10.0.0.0/ 8",
      "10.0.0.0/8/8",
      "10.0.0.0/1e1",
      "10.0.0.0/0008",
      "::/129",
      "*",
    ]
  ) {
    assert.throws(() => parseNetworks("X", `::1,${item}`), {
      name: "RangeError",
      message: `Cannot use X=${
        JSON.stringify(`::1,${item}`)
      }: must be a list of networks such as 10.1.0.0/16,fd00::/8; ${
        JSON.stringify(item)
      } is none`,
    });
  }
});

/** What is a bare host, and how URLs write it. */
const HOSTS: readonly (readonly [item: string, host: string])[] = [
  ["A.Example", "a.example"],
  ["a.example.", "a.example"],
  ["my_box-1", "my_box-1"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["10.0.0.1", "10.0.0.1"],
  ["FD00::1", "[fd00::1]"],
  ["[::1]", "[::1]"],
];

/** What is more than a host, or none. */
const NO_HOSTS = [
  "a.example:443",
  "a.example:",
  "[::1]:80",
  "*.example",
  "a.*",
  "*",
  "user@a.example",
  "a.example/x",
  "a.example?x",
  "a.example#x",
  "a\\b",
  "%61.example",
  "fe80::1%eth0",
  "[::g]",
  ".",
  "..",
  ".a",
  "a..b",
  "a.example..",
  "a b",
  "a\tb",
  "a\nb",
  "a;b",
  "300.1.1.1",
];

Deno.test("parseHosts writes hosts as URLs do, without the dot of the root", () => {
  for (const [item, host] of HOSTS) {
    assert.deepEqual(parseHosts("X", ` ${item} `), [host]);
    const url = new URL(`http://${host}:9/`);
    assert.equal(url.hostname, host, "what a request is compared with");
  }
  assert.deepEqual(parseHosts("X", "b,a"), ["b", "a"]);
});

Deno.test("parseHosts refuses schemes, ports, wildcards, user names and names that are none", () => {
  for (const item of [...NO_HOSTS, "http://a.example"]) {
    assert.throws(
      () => parseHosts("X", `a,${item}`),
      /^RangeError: Cannot use X=.* a list of host names without scheme, port or wildcard; .* is none$/,
      item,
    );
  }
});

Deno.test("parseAllowedBases lets a bare host stand for all of its ports, a URL for its own origin", () => {
  for (const [item, host] of HOSTS) {
    assert.deepEqual(parseAllowedBases("X", item), [
      { host, origin: undefined },
    ]);
  }
  assert.deepEqual(
    parseAllowedBases(
      "X",
      "http://A.example:8080/v1?x, HTTPS://b:443,http://[::1]:9,https://ü.example",
    ),
    [
      { host: "a.example", origin: "http://a.example:8080" },
      { host: "b", origin: "https://b" },
      { host: "[::1]", origin: "http://[::1]:9" },
      { host: "xn--tda.example", origin: "https://xn--tda.example" },
    ],
  );
  const [dotted] = parseAllowedBases("X", "http://a.example.:8080");
  assert.equal(dotted?.host, "a.example");
});

Deno.test("parseAllowedBases refuses other schemes, wildcards, credentials and hosts that are none", () => {
  for (
    const item of [
      ...NO_HOSTS,
      "ftp://a.example",
      "file:///x",
      "javascript://a",
      "http://",
      "http://.",
      "https://*.example",
      "https://%2a.example",
      "https://user@a.example",
      "https://:pw@a.example",
      "https://a.example:99999",
      "https://a\tb.example",
    ]
  ) {
    assert.throws(
      () => parseAllowedBases("X", `a,${item}`),
      /^RangeError: Cannot use X=.* hosts and http or https URLs .* is none$/,
      item,
    );
  }
});

Deno.test("parseHosts and parseAllowedBases never repeat a password or a query in a message", () => {
  for (
    const raw of [
      "https://user:hunter2@a.example",
      "a,user:hun/ter2@a.example,*",
      "https://a.example/?key=hunter2,*",
      "*?hunter2",
    ]
  ) {
    for (const parse of [parseHosts, parseAllowedBases]) {
      assert.throws(
        () => parse("X", raw),
        (error: Error) => !/ter2/.test(error.message),
        raw,
      );
    }
  }
});

Deno.test("parseOrigins reads origins of pages and extensions, and bare hosts, in the form that is compared", () => {
  const raw = "http://LocalHost:3000/, https://app.example:443,null," +
    "file://,Chrome-Extension://abcdef,vscode-webview://a-b,app://obsidian.md," +
    "App.Example,[::1],::1,http://[::1]:5173";
  assert.deepEqual(parseOrigins("X", raw), [
    "http://localhost:3000",
    "https://app.example",
    "null",
    "file://",
    "chrome-extension://abcdef",
    "vscode-webview://a-b",
    "app://obsidian.md",
    "app.example",
    "[::1]",
    "[::1]",
    "http://[::1]:5173",
  ]);
});

Deno.test("parseOrigins refuses wildcards, paths and whatever else is more than an origin, and names the item", () => {
  for (
    const item of [
      "*",
      "https://*.example",
      "*.example",
      "http://a.example/path",
      "http://a.example?x",
      "http://a.example#x",
      "http://u:p@a.example",
      "chrome-extension://a/b",
      "chrome-extension://*",
      "a.example:80",
      "http://",
      "://a",
      "a b",
    ]
  ) {
    assert.throws(
      () => parseOrigins("SVC_X", `http://ok.example,${item}`),
      (error) =>
        error instanceof RangeError && /SVC_X=.* is none$/.test(error.message),
      item,
    );
  }
});

Deno.test("parseHosts trims the parts of a list and leaves out empty ones", () => {
  assert.deepEqual(parseHosts("X", " a ,, b,\n"), ["a", "b"]);
  assert.deepEqual(parseHosts("X", " , "), []);
});
