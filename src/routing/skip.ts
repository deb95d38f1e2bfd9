/** Why a candidate is passed over: one closed list of words, which the request log, simulations and pages show as they are. */

/** Each with its meaning, as a sentence for people. */
export const SKIP_MEANINGS = {
  disabled: 'The operator switched the step or the account off.',
  no_account: 'The provider has no account.',
  no_credentials: 'The account has no credentials.',
  expired: 'The account has expired.',
  auth_error: 'The provider does not accept the credentials of the account.',
  exhausted: 'The account is out of money or quota.',
  cooldown: 'The account is limited for this model and rests.',
  not_entitled: 'The provider does not let the account use this model.',
  model_not_allowed: 'The lists of the account do not allow this model.',
  not_this_account: 'The step names other accounts, or only another one can go on with the conversation.',
  not_permitted: 'The gateway key may not use this model.',
  account_not_permitted: 'The gateway key may use none of these accounts.',
  unknown_target: 'The step names nothing that exists.',
  other_capability: 'The step names a rule for requests of another kind.',
  cycle: 'The step leads back to a rule that it came from.',
  too_deep: 'The step is nested deeper than rules may be.',
  ensemble_inside: 'The step names an ensemble, which answers only under its own name.',
  not_in_ensemble: 'The step is neither on the panel of the ensemble nor its judge.',
  cannot_continue: 'The model is not known to go on with an answer that another request began.',
  condition_false: 'The condition of the step does not hold.',
  condition_unknown: 'Nothing tells whether the condition of the step holds.',
  too_expensive: 'The model costs more than the rule allows.',
  other_region: 'The account is not in a region that the rule allows, or nobody says where it is.',
  may_train: 'Its provider may learn from requests, which the rule forbids, or nobody says that it does not.',
  price_unknown: 'The rule limits the price, and that of the model is not known.',
  no_tools: 'The model cannot call tools.',
  no_images: 'The model cannot read images.',
  no_documents: 'The model cannot read documents.',
  no_audio: 'The model cannot hear audio.',
  no_json_schema: 'The answers of the model cannot be held to a schema.',
  no_thinking: 'The model cannot think.',
  context_too_short: 'The request does not fit into the context of the model.',
  at_rate: 'The account has reached its own limit of requests or tokens per minute.',
  at_concurrency: 'The account has reached its own limit of requests at once.',
  quota_spent: 'A quota of the account is used up.',
  account_spent: 'The budget of the account is spent.',
  quota_reserved: 'What a quota of the account has left is kept for keys of a higher priority.',
  circuit_open: 'The provider failed too often and is left alone for a while.',
  retries_spent: 'The provider fails, and enough requests have tried it again already.',
  over_budget: 'A budget has nothing left that would cover the request.',
  budget_reserved: 'The rest of a budget is reserved by requests under way.',
  budget_unpriced: 'A budget counts what requests cost, and the price of the model is not known.',
  not_for_failure: 'The failure before it is not one after which it may be tried.',
  budget_of_attempts: 'The request has used up its attempts.',
  maybe_billed: 'Earlier attempts may have been answered and billed, which is not risked again.',
} as const

export type SkipReason = keyof typeof SKIP_MEANINGS

/** Reasons that pass by themselves, so that a later request may find the candidate usable again. */
const PASSING: ReadonlySet<SkipReason> = new Set([
  'cooldown',
  'not_entitled',
  'exhausted',
  'at_rate',
  'at_concurrency',
  'quota_spent',
  'account_spent',
  'quota_reserved',
  'circuit_open',
  'retries_spent',
])

export function passesByItself(reason: SkipReason): boolean {
  return PASSING.has(reason)
}
