/** Lint rules of this project, run by `deno lint`. @module */

/** Parameters that an exported function may have. */
const MAX_PARAMETERS = 3;
const CONTRACTION = /\b(?:can't|couldn't|don't|doesn't|isn't|wasn't|won't)\b/i;

/** An exported function is a declaration, unless a contract gives the value its type. */
const noTopLevelArrowSyntax: Deno.lint.Rule = {
  create(context) {
    return {
      "Program > ExportNamedDeclaration > VariableDeclaration > VariableDeclarator"(
        node: Deno.lint.VariableDeclarator,
      ) {
        const isTyped = node.id.type === "Identifier" && node.id.typeAnnotation;
        if (node.init?.type !== "ArrowFunctionExpression" || isTyped) return;
        context.report({
          node,
          message: "An exported arrow function has no declared type",
          hint: "Write a function declaration, or name the contract it obeys",
        });
      },
    };
  },
};

/** `#x` is private at run time too. */
const preferPrivateField: Deno.lint.Rule = {
  create(context) {
    const report = (range: Deno.lint.Range) =>
      context.report({
        range,
        message: "A `private` member is private to the type checker only",
        hint: "Name it with #",
      });
    return {
      "PropertyDefinition[accessibility='private']"(node: Deno.lint.Node) {
        report(node.range);
      },
      "MethodDefinition[accessibility='private']"(node: Deno.lint.Node) {
        report(node.range);
      },
      // The tree does not hold the accessibility of a parameter.
      TSParameterProperty({ range }) {
        const text = context.sourceCode.text.slice(...range);
        if (/^private\b/.test(text)) report(range);
      },
    };
  },
};

/** `Cannot splice bytes 3..9: must lie in 0..5`: a sentence without its full stop. */
const errorMessage: Deno.lint.Rule = {
  create(context) {
    if (/[\\/]tests[\\/]/.test(context.filename)) return {};
    return {
      NewExpression(node) {
        const name = node.callee.type === "Identifier" ? node.callee.name : "";
        const message = node.arguments[name === "ServiceError" ? 1 : 0];
        if (!/^[A-Z]\w*Error$/.test(name) || message === undefined) return;
        const fault = messageFault(message);
        if (fault) context.report({ node: message, message: fault });
      },
    };
  },
};

function messageFault(node: Deno.lint.Node): string | undefined {
  const [first, last] = endsOf(node);
  if (first === undefined || last === undefined) return undefined;
  if (/^[a-z]/.test(first)) {
    return "An error message starts with a capital letter";
  }
  if (/\.$/.test(last)) return "An error message has no full stop";
  if (CONTRACTION.test(first)) {
    return "An error message has no contraction; write Cannot";
  }
  return undefined;
}

/** First and last literal part of a message; `undefined` where the part is not literal. */
function endsOf(node: Deno.lint.Node): (string | undefined)[] {
  if (node.type === "Literal" && typeof node.value === "string") {
    return [node.value, node.value];
  }
  if (node.type !== "TemplateLiteral") return [];
  return [node.quasis.at(0)?.cooked, node.quasis.at(-1)?.cooked];
}

/** More than three parameters are an options object that was not made. */
const exportedFunctionArgsMaximum: Deno.lint.Rule = {
  create(context) {
    return {
      "ExportNamedDeclaration > FunctionDeclaration"(
        node: Deno.lint.FunctionDeclaration,
      ) {
        if (node.params.length <= MAX_PARAMETERS) return;
        context.report({
          node,
          message:
            `An exported function takes at most ${MAX_PARAMETERS} parameters, this one ${node.params.length}`,
          hint: "Put the optional or related ones into one object",
        });
      },
    };
  },
};

/** How long something takes on a machine that does other work too is no property of the code. */
const noElapsedTime: Deno.lint.Rule = {
  create(context) {
    if (!/[\\/]tests[\\/](?!bench[\\/])/.test(context.filename)) return {};
    return {
      "BinaryExpression[operator='-']"(node: Deno.lint.BinaryExpression) {
        if (context.sourceCode.getText(node.left) !== "performance.now()") {
          return;
        }
        context.report({
          node,
          message: "A test measures how long something takes",
          hint:
            "Count what is done, compare with costRatio of tests/cpu_time.ts, or move it to tests/bench/",
        });
      },
    };
  },
};

const plugin: Deno.lint.Plugin = {
  name: "svc",
  rules: {
    "no-top-level-arrow-syntax": noTopLevelArrowSyntax,
    "prefer-private-field": preferPrivateField,
    "error-message": errorMessage,
    "exported-function-args-maximum": exportedFunctionArgsMaximum,
    "no-elapsed-time": noElapsedTime,
  },
};

export default plugin;
