/** Files in several languages, and each declaration in them with its first and last line, read by hand. @module */

/** Name, text and the lines of the outline. */
export type Listed = readonly [string, string, readonly string[]];

/** Members of one line, lines that go on, macros, namespaces, strings with brackets in them. */
export const LISTED: readonly Listed[] = [
  [
    "t.ts",
    `import a from "a";
export abstract class K extends B {
  readonly x = 1;
  constructor(a: string) { super(); }
  abstract foo(): void;
  get y() { return 1; }
  @dec()
  static of(a: number): K { return new K(a); }
  #error = "";
  end(
    a: string,
  ): void {
    return;
  }
  catch(): void {}
  z = () => 5;
}
export type G = Pick<
  K,
  "x"
>;
interface I {
  [k: string]: unknown;
  on:
    | string
    | null;
}
export const f = (a: number) => a + 1;
function g() { return 1; }
`,
    [
      "1 imports a",
      "2-17 export abstract class K extends B",
      "3   readonly x = 1;",
      "4   constructor(a: string) { super(); }",
      "5   abstract foo(): void;",
      "6   get y() { return 1; }",
      "8   static of(a: number): K { return new K(a); }",
      '9   #error = "";',
      "10-14   end(a: string): void",
      "15   catch(): void {}",
      "16   z = () => 5;",
      "18-21 export type G = Pick<",
      "22-27 interface I",
      "23   [k: string]: unknown;",
      "24-26   on:",
      "28 export const f = (a: number) => a + 1;",
      "29 function g() { return 1; }",
    ],
  ],
  [
    "p.py",
    `import os

class Empty(Exception):
    """Nothing

    here."""

class A:
    x: int = 1
    def __init__(self): self.x = 1
    @property
    def y(self): return 1
    def long(self):
        text = """
def no(): pass
"""
        return text

        # after

def one(): return 1
def two(a=(
    1,
)):
    return a
`,
    [
      "1 imports os",
      "3-6 class Empty(Exception):",
      "8-17 class A:",
      "9   x: int = 1",
      "10   def __init__(self): self.x = 1",
      "12   def y(self): return 1",
      "13-17   def long(self):",
      "21 def one(): return 1",
      "22-25 def two(a=(1)):",
    ],
  ],
  [
    "j.java",
    `package a.b;
import java.util.List;
public class K {
    private int x = 1;
    public K() { this.x = 1; }
    @Override public int getX() { return x; }
    @Override
    public String toString() { return "x}"; }
    public void m() throws X {
        x++;
        x++;
    }
    interface J { void a(); }
    enum E { A, B; }
    record R(int a, int b) {}
}
`,
    [
      "1 package a.b;",
      "2 imports java.util.List",
      "3-16 public class K",
      "4   private int x = 1;",
      "5   public K() { this.x = 1; }",
      "6   @Override public int getX() { return x; }",
      '8   public String toString() { return "x}"; }',
      "9-12   public void m() throws X",
      "13   interface J { void a(); }",
      "14   enum E { A, B; }",
      "15   record R(int a, int b) {}",
    ],
  ],
  [
    "k.kt",
    `package a
import b.c

class K(val x: Int) : B() {
    var y = 1
        private set
    @Test
    fun one() = 5
    fun two(a: String = "}"): Int {
        return 1
    }
    init { y = 2 }
    companion object {
        fun of() = K(1)
    }
}

fun three() = 3
`,
    [
      "1 package a",
      "2 imports b.c",
      "4-16 class K(val x: Int) : B()",
      "5-6   var y = 1",
      "8   fun one() = 5",
      '9-11   fun two(a: String = "}"): Int',
      "12   init { y = 2 }",
      "13-15   companion object",
      "14     fun of() = K(1)",
      "18 fun three() = 3",
    ],
  ],
  [
    "ok.sh",
    `#!/bin/sh
set -e
one() { echo 1; }

two() {
  for i in 1 2; do
    echo \${i#*}
  done
  case $1 in
  a) echo 2 ;;
  esac
}
`,
    [
      "2 set -e",
      "3 one() { echo 1; }",
      "5-12 two()",
    ],
  ],
];
