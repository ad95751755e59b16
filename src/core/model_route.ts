/** Rules that ask another model than the client wants. @module */

/** One rule. All its conditions must hold. */
export interface ModelRule {
  /** For logs and reports. */
  readonly name: string;
  /** Models that it is for, `*` stands for any text; `undefined` for all. */
  readonly fromModels: readonly string[] | undefined;
  /** The model that is asked. */
  readonly toModel: string;
  /** Tokens of the prompt, by its length, inclusive; `undefined` for no bound. */
  readonly minTokens: number | undefined;
  /** See `minTokens`. */
  readonly maxTokens: number | undefined;
  /** Whether the request must have tools. */
  readonly needsTools: boolean;
  /** Whether it must have none. */
  readonly needsNoTools: boolean;
  /** Whether it holds for requests of conversations that have begun, too. */
  readonly isMidway: boolean;
}

/** What a rule is held against. */
export interface RouteFacts {
  /** Model that the client wants. */
  readonly model: string;
  /** Tokens of messages, tools and instructions: their bytes divided by four. */
  readonly tokens: number;
  /** Whether it has tools. */
  readonly hasTools: boolean;
  /** Whether its conversation has begun before. */
  readonly begun: boolean;
}

/** A model that is asked instead. */
export interface ModelRoute {
  /** The client's. */
  readonly from: string;
  /** The one that is asked. */
  readonly to: string;
  /** Name of the rule. */
  readonly rule: string;
}

/** What the rules say of one request. */
export interface RouteDecision {
  /** `undefined`: the client's model is asked. */
  readonly route: ModelRoute | undefined;
  /** Why, a slug. */
  readonly reason: string;
}

/**
 * Looks for the first rule that fits. In a conversation that has begun only a rule that is meant for it changes the
 * model: the provider's cache of the prompt is lost with it.
 */
export function routeBy(
  rules: readonly ModelRule[],
  facts: RouteFacts,
): RouteDecision {
  if (facts.model === "") return { route: undefined, reason: "no_model" };
  const rule = rules.find((one) => fits(one, facts));
  if (rule === undefined) return { route: undefined, reason: "no_rule_fits" };
  if (facts.begun && !rule.isMidway) {
    return { route: undefined, reason: "conversation_has_begun" };
  }
  const { name, toModel } = rule;
  if (toModel === facts.model) {
    return { route: undefined, reason: "same_model" };
  }
  return {
    route: { from: facts.model, to: toModel, rule: name },
    reason: "rule_fits",
  };
}

function fits(
  { fromModels, minTokens = 0, maxTokens = Infinity, ...rule }: ModelRule,
  { model, tokens, hasTools }: RouteFacts,
): boolean {
  return tokens >= minTokens && tokens <= maxTokens &&
    !(rule.needsTools && !hasTools) && !(rule.needsNoTools && hasTools) &&
    (fromModels === undefined ||
      fromModels.some((pattern) => isLike(model, pattern)));
}

function isLike(model: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return model === pattern;
  if (!model.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop()!;
  for (const part of rest) {
    const found = model.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return model.length - at >= last.length && model.endsWith(last);
}
