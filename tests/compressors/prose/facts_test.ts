import assert from "node:assert/strict";
import { type Facts, factsOf } from "../../../src/compressors/prose/facts.ts";
import { codesOf } from "../../../src/text/lines.ts";

function read(sentence: string): Facts {
  return factsOf(codesOf(sentence), 0, sentence.length);
}

Deno.test("factsOf finds names that are no words of a language", () => {
  for (
    const sentence of [
      "call `open` now",
      "see https://a.b/c here",
      "in src/a.ts there",
      "in /etc now",
      "the snake_case one",
      "the camelCase one",
      "use --all here",
      "run open() first",
      "the std::vec type",
      "an HTTP call",
      'called "old" once',
      "set $HOME first",
      "the file.txt one",
    ]
  ) assert.equal(read(sentence).names.length, 1, sentence);
  assert.equal(read("this and/or that, one well-known word.").names.length, 0);
});

Deno.test("factsOf tells numbers by the word after them", () => {
  const three = read("wait 3 seconds").numbers;
  assert.equal(three.length, 1);
  assert.notDeepEqual(three, read("wait 3 minutes").numbers);
  assert.deepEqual(three, read("for 3 seconds").numbers);
  assert.equal(read("it was 7").numbers.length, 1);
});

Deno.test("factsOf finds capitalised words behind the first", () => {
  assert.equal(read("Yesterday Kito and Lenka met").proper.length, 2);
  assert.equal(read("Yesterday they met").proper.length, 0);
});

Deno.test("factsOf counts words and estimates tokens, more for other writing", () => {
  const english = read("one two three four");
  assert.equal(english.words, 4);
  assert.ok(english.tokens > 3 && english.tokens < 6);
  assert.ok(read("一二三四五六七八").tokens >= 4);
  assert.equal(read("one two").least, 0);
  assert.equal(read("One, two!").whole, read("one two").whole);
});
