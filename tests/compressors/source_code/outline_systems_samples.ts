/** More files, in languages near C, and each declaration in them with its lines. @module */
import type { Listed } from "./outline_samples.ts";

/** Macros, namespaces, brackets on lines of their own, groups. */
export const LISTED_SYSTEMS: readonly Listed[] = [
  [
    "g.go",
    `package main

import (
	"fmt"
	"os"
)

type S struct {
	x int
}

func (s *S) Len() int { return s.x }

type I interface {
	Len() int
	Cap() int
}

const (
	A = 1
	B = 2
)

var text = \`
}
func no() {
\`

func main() {
	fmt.Println(os.Args)
	x := func() int { return 1 }
	x()
}
`,
    [
      "1 package main",
      "3-6 imports fmt, os",
      "8-10 type S struct",
      "9   x int",
      "12 func (s *S) Len() int { return s.x }",
      "14-17 type I interface",
      "15   Len() int",
      "16   Cap() int",
      "19-22 const (",
      "20   A = 1",
      "21   B = 2",
      "24-27 var text = `",
      "29-33 func main()",
    ],
  ],
  [
    "r.rs",
    `use std::io;
pub struct S<'a> {
    x: &'a str,
}
impl<'a> S<'a> {
    pub fn new(x: &'a str) -> Self { Self { x } }
    pub fn len(&self) -> usize { self.x.len() }
    #[inline]
    pub fn is_empty(&self) -> bool {
        let c = '{';
        self.x.is_empty()
    }
}
trait T {
    fn a(&self) -> u8;
    fn b(&self) -> u8 { 1 }
}
fn one() -> u8 { 1 }
macro_rules! m {
    ($a:expr) => { $a };
}
`,
    [
      "1 imports std::io",
      "2-4 pub struct S<'a>",
      "3   x: &'a str,",
      "5-13 impl<'a> S<'a>",
      "6   pub fn new(x: &'a str) -> Self { Self { x } }",
      "7   pub fn len(&self) -> usize { self.x.len() }",
      "9-12   pub fn is_empty(&self) -> bool",
      "14-17 trait T",
      "15   fn a(&self) -> u8;",
      "16   fn b(&self) -> u8 { 1 }",
      "18 fn one() -> u8 { 1 }",
      "19-21 macro_rules! m",
      "20   ($a:expr) => { $a };",
    ],
  ],
  [
    "n.cs",
    `using System;
namespace N
{
    [Serializable]
    public class K : I
    {
        private readonly int x;
        public K(int x) { this.x = x; }
        public int P { get; set; }
        public int Q
        { get; set; }
        public int E => 5;
        [Test]
        public void M()
        {
            x++;
        }
        public int L =>
            5;
    }
}
`,
    [
      "1 imports System",
      "2-21 namespace N",
      "5-20   public class K : I",
      "7   private readonly int x;",
      "8   public K(int x) { this.x = x; }",
      "9   public int P { get; set; }",
      "10-11   public int Q",
      "12   public int E => 5;",
      "14-17   public void M()",
      "18-19   public int L =>",
    ],
  ],
  [
    "d.c",
    `#include <stdio.h>
#define X(a) do { \\
  a; \\
  b; \\
} while (0)

struct s {
  int a;
  int b;
};
int one(void) { return 1; }

static int
two(int a)
{
#define LOCAL(a) \\
a; \\
b
  return a;
}
#define A 1
#define B 1

int three(void) {
  return 3;
}
#endif
`,
    [
      "7-10 struct s",
      "8   int a;",
      "9   int b;",
      "11 int one(void) { return 1; }",
      "13-20 static int two(int a)",
      "24-26 int three(void)",
    ],
  ],
  [
    "ns.cpp",
    `#include <x>
namespace n {

class K
{
public:
  int a() const { return 1; }
  int b()
  {
    return 2;
  }
};

int f(int a) {
  return 1;
}

}  // namespace n
extern "C" {
void g(void);
}
`,
    [
      "2-18 namespace n {",
      "4-12 class K",
      "7   int a() const { return 1; }",
      "8-11   int b()",
      "14-16 int f(int a)",
      '19-21 extern "C" {',
      "20 void g(void);",
    ],
  ],
];
