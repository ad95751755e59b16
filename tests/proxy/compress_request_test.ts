import assert from "node:assert/strict";
import {
  InvalidRequest,
  readCompressRequest,
} from "../../src/proxy/compress_request.ts";

const utf8 = new TextEncoder();
const read = (json: string) => readCompressRequest(utf8.encode(json));
const withMembers = (members: string) =>
  read(`{"model":"m","messages":[],${members}}`);
const withConfig = (members: string) =>
  withMembers(`"config":{${members}}`).config;

Deno.test("readCompressRequest finds model and messages wherever they stand, and ignores what it does not know", () => {
  const json =
    ' {"x":[1,{"model":2}], "messages" : [ {"role":"user"} ],"stream":true,"model":"a\\u0062" } ';
  const { model, messages, shape, tokenBudget, config } = read(json);
  const part = ({ start, end }: { start: number; end: number }) =>
    json.slice(start, end);
  assert.equal(part(model), '"a\\u0062"');
  assert.equal(part(messages), '[ {"role":"user"} ]');
  assert.equal(shape, "chat_completions");
  assert.equal(tokenBudget, undefined);
  assert.deepEqual(config, {
    isLossless: false,
    protectRecent: 0,
    protectAnalysis: false,
    isSimulation: false,
    wantsDiff: false,
  });
});

Deno.test("readCompressRequest reads the budget and the members of config", () => {
  assert.equal(withMembers('"token_budget":500').tokenBudget, 500);
  assert.equal(withMembers('"token_budget":null').tokenBudget, undefined);
  assert.equal(withMembers('"config":null').config.isLossless, false);
  assert.equal(withConfig('"lossless":true').isLossless, true);
  for (const given of [true, false]) {
    const { userMessages } = withConfig(`"compress_user_messages":${given}`);
    assert.equal(userMessages, given);
  }
  assert.equal(withConfig('"protect_recent":4').protectRecent, 4);
  assert.equal(withConfig('"protect_recent":null').protectRecent, 0);
  assert.equal(withConfig('"min_tokens_to_compress":9').minTokens, 9);
  assert.equal(
    withConfig('"protect_analysis_context":true').protectAnalysis,
    true,
  );
  for (const mode of ["simulate", "audit"]) {
    assert.equal(withConfig(`"default_mode":"${mode}"`).isSimulation, true);
  }
  assert.equal(withConfig('"default_mode":"optimize"').isSimulation, false);
  assert.equal(withConfig('"generate_diff_artifact":true').wantsDiff, true);
});

Deno.test("readCompressRequest finds instructions beside the messages, of any type", () => {
  const json = '{"system":[{"text":"a"}],"model":"m","messages":[]}';
  const { start, end } = read(json).system!;
  assert.equal(json.slice(start, end), '[{"text":"a"}]');
  assert.equal(withMembers('"x":1').system, undefined);
});

Deno.test("readCompressRequest takes what is not in this version only when it is off", () => {
  const off =
    '"generate_diff_artifact":false,"target_ratio":null,"later":{"a":[1]}';
  assert.equal(withConfig(off).isLossless, false);
  assert.throws(() => withConfig('"target_ratio":0.5'), /not in this version/);
});

Deno.test("readCompressRequest says what is wrong with a body, in an error of its own", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["", /it ends at byte 0/],
    ["[]", /must be a JSON object/],
    ['{"model":"m"}', /"messages" is required/],
    ['{"messages":[]}', /"model" is required/],
    ['{"model":"","messages":[]}', /"model" must not be empty/],
    ['{"model":1,"messages":[]}', /"model" must be a string, not number/],
    ['{"model":null,"messages":[]}', /"model" must be a string, not null/],
    ['{"model":"m","messages":{}}', /"messages" must be an array, not object/],
    ['{"model":"m","messages":[]} x', /unexpected byte 0x78/],
    ['{"model":"m","messages":[}', /unexpected byte/],
    ['{"model":"m","model":"m","messages":[]}', /"model" is repeated/],
    ['{"model":"m","messages":[{}]}', /messages\[0\] must be an object/],
    [
      '{"model":"m","messages":[],"token_budget":0}',
      /"token_budget" must be a whole number, at least 1/,
    ],
    ['{"model":"m","messages":[],"token_budget":1.5}', /whole number/],
    ['{"model":"m","messages":[],"token_budget":"9"}', /a number, not string/],
    ['{"model":"m","messages":[],"config":[]}', /"config" must be an object/],
    [
      '{"model":"m","messages":[],"config":{"lossless":1}}',
      /"config.lossless" must be true or false, not number/,
    ],
    [
      '{"model":"m","messages":[],"config":{"protect_recent":-1}}',
      /at least 0/,
    ],
    [
      '{"model":"m","messages":[],"config":{"default_mode":"fast"}}',
      /must be "optimize", "simulate" or "audit"/,
    ],
  ];
  for (const [json, message] of cases) {
    assert.throws(() => read(json), (error) => {
      assert(error instanceof InvalidRequest, json);
      assert.match(error.message, message);
      return true;
    });
  }
});
