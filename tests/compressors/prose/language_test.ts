import assert from "node:assert/strict";
import { languageOf } from "../../../src/compressors/prose/language.ts";

Deno.test("languageOf tells English from other known languages and the rest", () => {
  const texts: Record<string, string> = {
    english: "The door is open and the light is on, as it should be.",
    german: "Die Tür ist offen und das Licht ist an, wie es sein soll.",
    french: "La porte est ouverte et la lampe est dans le couloir.",
    russian: "Дверь открыта, и свет горит, как и должно быть.",
    chinese: "门是开着的，灯也亮着，一切正常。",
    japanese: "ドアは開いていて、明かりもついています。",
    greek: "Η πόρτα είναι ανοιχτή και το φως είναι αναμμένο.",
    korean: "문이 열려 있고 불이 켜져 있습니다.",
    names: "alpha beta gamma delta epsilon zeta eta theta",
    digits: "12 34 56",
  };
  const found = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, languageOf(text)]),
  );
  assert.deepEqual(found, {
    english: "english",
    german: "other",
    french: "other",
    russian: "other",
    chinese: "other",
    japanese: "other",
    greek: "unknown",
    korean: "unknown",
    names: "unknown",
    digits: "unknown",
  });
});
