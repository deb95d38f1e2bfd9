/** Why a candidate was or would be passed over, in a few words, for the request log and for simulations alike. */
import type { SkipReason } from '../routing/skip.ts'

/** Of a newer server's reason its own words are shown. */
const SKIPS: Readonly<Record<SkipReason, string>> = {
  disabled: 'switched off',
  no_account: 'its provider has no account',
  no_credentials: 'the account has no credentials',
  expired: 'the account has expired',
  auth_error: 'the provider refuses the sign-in',
  exhausted: 'the account is out of money or quota',
  cooldown: 'the account rests',
  not_entitled: 'its provider does not allow the account this model',
  model_not_allowed: 'the account does not allow this model',
  not_this_account: 'the step names other accounts',
  not_permitted: 'the key may not use this model',
  account_not_permitted: 'the key may use none of the accounts',
  unknown_target: 'nothing has this name',
  other_capability: 'it is for requests of another kind',
  cycle: 'it leads back to where it came from',
  too_deep: 'it is nested too deep',
  ensemble_inside: 'an ensemble answers under its own name alone',
  not_in_ensemble: 'it is neither on the panel nor the judge',
  cannot_continue: 'it is not known to go on with answers of others',
  condition_false: 'its condition does not hold',
  condition_unknown: 'nothing tells whether its condition holds',
  too_expensive: 'it costs more than the chain allows',
  other_region: 'it is not in a region that the chain allows',
  may_train: 'its provider may learn from requests',
  price_unknown: 'its price is not known',
  no_tools: 'it cannot call tools',
  no_images: 'it cannot read images',
  no_documents: 'it cannot read documents',
  no_audio: 'it cannot hear audio',
  no_json_schema: 'its answers cannot be held to a schema',
  no_thinking: 'it cannot think',
  context_too_short: 'the request does not fit',
  at_rate: 'the account has reached its rate',
  at_concurrency: 'the account is busy',
  quota_spent: 'a quota is used up',
  account_spent: 'its budget is spent',
  quota_reserved: 'the rest of a quota is kept for others',
  circuit_open: 'the provider fails too often',
  retries_spent: 'enough has been tried again already',
  over_budget: 'a budget is spent',
  budget_reserved: 'a budget is reserved',
  budget_unpriced: 'its price is not known to a budget',
  not_for_failure: 'the chain does not move on after that failure',
  budget_of_attempts: 'no attempts are left',
  maybe_billed: 'tries before it may be billed already',
}

interface Skip {
  readonly reason: string | null
  readonly detail: string | null
}

/** `detail` stands in where the reason has no words here. */
export function skipText({ reason, detail }: Skip): string {
  const known = (SKIPS as Readonly<Record<string, string>>)[reason ?? '']
  return known ?? detail ?? reason?.replaceAll('_', ' ') ?? 'no reason is known'
}
