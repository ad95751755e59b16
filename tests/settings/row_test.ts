import assert from "node:assert/strict";
import fc from "fast-check";
import {
  parseBaseUrl,
  parseChoice,
  parseFullUrl,
  parseHost,
  parseInteger,
  parseMoney,
  parseNumber,
  parseSwitch,
  refusal,
  withoutSecrets,
} from "../../src/settings/row.ts";

Deno.test("refusal names the variable, the value and what is allowed", () => {
  const error = refusal("SVC_X", 'a"b', "one or two");
  assert(error instanceof RangeError);
  assert.equal(error.message, 'Cannot use SVC_X="a\\"b": must be one or two');
});

Deno.test("parseSwitch reads the four words for on and the four for off", () => {
  for (const word of ["true", "1", "yes", "on", "TRUE", " On "]) {
    assert.equal(parseSwitch("X", word), true, word);
  }
  for (const word of ["false", "0", "no", "off", "FALSE"]) {
    assert.equal(parseSwitch("X", word), false, word);
  }
});

Deno.test("parseSwitch refuses any other word", () => {
  for (const word of ["", "2", "enabled", "tru"]) {
    assert.throws(() => parseSwitch("X", word), /true, 1, yes, on, false/);
  }
});

Deno.test("parseInteger reads every integer within the bounds and refuses those outside", () => {
  fc.assert(fc.property(fc.integer(), fc.nat(1000), (value, max) => {
    const read = () => parseInteger("X", String(value), { min: -5, max });
    if (value >= -5 && value <= max) assert.equal(read(), value);
    else assert.throws(read, RangeError);
  }));
});

Deno.test("parseInteger refuses what is not a decimal integer", () => {
  for (
    const raw of [
      "",
      "1.5",
      "1e3",
      "0x10",
      "10s",
      "NaN",
      "Infinity",
      "9".repeat(17),
    ]
  ) {
    assert.throws(
      () => parseInteger("X", raw, { min: 0 }),
      /an integer of at least 0/,
      raw,
    );
  }
});

Deno.test("parseChoice returns the word and names all of them when it is none", () => {
  assert.equal(parseChoice("X", " b ", ["a", "b"]), "b");
  assert.throws(() => parseChoice("X", "B", ["a", "b"]), {
    message: 'Cannot use X="B": must be a or b',
  });
});

Deno.test("parseHost takes names and addresses, brackets dropped", () => {
  const hosts = ["localhost", "my-box.local", "a_b.c.", "127.0.0.1", "::1"];
  for (const host of [...hosts, "fe80::1%eth0", "xn--bcher-kva.example"]) {
    assert.equal(parseHost("X", ` ${host} `), host);
  }
  assert.equal(parseHost("X", "[::1]"), "::1");
});

Deno.test("parseHost refuses empty or long labels, other characters and half addresses", () => {
  const long = "a".repeat(64);
  for (
    const raw of ["", ".", "a..b", long, "a b", "ä", "1.2.3", "[a]b", "::g"]
  ) {
    assert.throws(
      () => parseHost("X", raw),
      /must be a host name or an IP address/,
      raw,
    );
  }
});

Deno.test("parseBaseUrl drops trailing slashes and keeps a path prefix", () => {
  assert.equal(parseBaseUrl("X", "https://a.example//"), "https://a.example");
  assert.equal(
    parseBaseUrl("X", "http://127.0.0.1:9/p/q/"),
    "http://127.0.0.1:9/p/q",
  );
});

Deno.test("parseFullUrl keeps path, query and the slash at the end, and refuses credentials and fragments", () => {
  const url = "https://a.example/v1/metrics/?tenant=a";
  assert.equal(parseFullUrl("X", ` ${url} `), url);
  for (
    const raw of [
      "a.example",
      "ftp://a.example/",
      "https://u:sesame@a.example/",
      "https://a.example/#x",
    ]
  ) {
    assert.throws(
      () => parseFullUrl("X", raw),
      ({ message }: RangeError) =>
        message.includes("an http or https URL") && !message.includes("sesame"),
      raw,
    );
  }
});

Deno.test("parseBaseUrl refuses other schemes, credentials, queries and fragments", () => {
  const bad = [
    "",
    "a.example",
    "ftp://a.example",
    "https://u@a.example",
    "https://u:p@a.example",
    "https://a.example/?k=v",
    "https://a.example/?",
    "https://a.example/#f",
  ];
  for (const raw of bad) {
    assert.throws(() => parseBaseUrl("X", raw), /an http or https URL/, raw);
  }
});

Deno.test("parseBaseUrl never repeats a password or a query in its message", () => {
  const bad = [
    "https://user:hunter2@a.example",
    "https://user:hun/ter2@a.example",
    "https://a.example/?key=hunter2",
    "nonsense?hunter2",
    "user:hunter2@a.example",
  ];
  for (const raw of bad) {
    assert.throws(
      () => parseBaseUrl("X", raw),
      (error: Error) => !/ter2/.test(error.message),
      raw,
    );
  }
});

Deno.test("parseNumber takes decimal fractions within the bounds, and nothing else", () => {
  const bounds = { min: 0.5, max: 2, unit: " of seconds" };
  const read = (raw: string) => parseNumber("X", raw, bounds);
  assert.deepEqual([" 0.5 ", "1.25", "2"].map(read), [0.5, 1.25, 2]);
  for (const raw of ["", "0.49", "2.01", "-1", "1e0", "1s", ".5", "0x1"]) {
    assert.throws(() => read(raw), {
      message: `Cannot use X=${
        JSON.stringify(raw)
      }: must be a number of seconds from 0.5 to 2`,
    });
  }
});

Deno.test("parseNumber without a largest one takes any and says so", () => {
  assert.equal(parseNumber("X", "1000000", { min: 1 }), 1e6);
  assert.throws(() => parseNumber("X", "0", { min: 1 }), {
    message: 'Cannot use X="0": must be a number of at least 1',
  });
});

Deno.test("parseMoney gives whole nano-dollars for every amount of cents", () => {
  fc.assert(fc.property(fc.nat(900_000_000), (cents) => {
    const text = (cents / 100).toFixed(2);
    assert.equal(parseMoney("X", text), cents * 10_000_000);
    assert.equal(parseMoney("X", `$${text}`), cents * 10_000_000);
  }));
});

Deno.test("withoutSecrets hides credentials, queries and fragments of a URL or a list of them", () => {
  assert.equal(withoutSecrets("https://a.example/x"), "https://a.example/x");
  assert.equal(withoutSecrets("https://u:p@a/?k=v"), "https://***@a/?***");
  assert.equal(withoutSecrets("u:p@a#f"), "***@a?***");
  assert.equal(withoutSecrets("http://u:p@a,http://v:q@b"), "http://***@b");
});
