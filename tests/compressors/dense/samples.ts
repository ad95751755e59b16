/** Golden inputs and generated texts for the tests of the dense compressor. @module */

/** Code without blanks, in one line of about so many characters. */
export function minified(length: number): string {
  let code = "";
  for (let i = 0; code.length < length; i++) {
    code += `function f${i}(a,b){return a*${i}+b.c${i % 7}[${i % 13}]}`;
  }
  return code;
}
