/** What the form shows of the settings. A test compares the paths and defaults with the server's own. */

interface Common {
  /** The API's dotted name. */
  readonly path: string
  readonly label: string
  readonly hint: string
}

export interface NumberField extends Common {
  readonly kind: 'number'
  readonly unit: string
  readonly standard: number
}
export interface SwitchField extends Common {
  readonly kind: 'switch'
  readonly standard: boolean
  /** What saving it switched off cannot take back. */
  readonly offWarning?: string
}
export interface ListField extends Common {
  readonly kind: 'list'
  readonly standard: readonly string[]
  /** What one entry is. */
  readonly entry: string
  readonly placeholder: string
}
export interface TextField extends Common {
  readonly kind: 'text'
  readonly standard: string | null
  readonly placeholder: string
}
interface Option {
  readonly value: string
  readonly label: string
}
export interface ChoiceField extends Common {
  readonly kind: 'choice'
  readonly standard: string
  readonly options: readonly Option[]
}
/** Any of the options; values are in their order. */
export interface ChoicesField extends Common {
  readonly kind: 'choices'
  readonly standard: readonly string[]
  readonly options: readonly Option[]
}
/** What a million tokens cost: the value is two texts, input and output, or empty for none. */
export interface PriceField extends Common {
  readonly kind: 'price'
  readonly standard: null
}
export type SettingField = NumberField | SwitchField | ListField | TextField | ChoiceField | ChoicesField | PriceField

export interface SettingGroup {
  /** The first part of its fields' paths. */
  readonly id: string
  readonly title: string
  readonly fields: readonly SettingField[]
}

const server: readonly SettingField[] = [
  {
    kind: 'number',
    path: 'server.max_body_mib',
    label: 'Largest request',
    hint: 'Larger bodies are refused with 413. 1 to 512.',
    unit: 'MiB',
    standard: 32,
  },
  {
    kind: 'number',
    path: 'server.shutdown_grace_s',
    label: 'Grace at a stop',
    hint: 'How long streams may finish once the server is told to stop. Up to an hour.',
    unit: 's',
    standard: 30,
  },
  {
    kind: 'list',
    path: 'server.trusted_proxies',
    label: 'Trusted proxies',
    hint: 'Their X-Forwarded headers are believed: they say who asks, and at which address.',
    entry: 'address or block',
    placeholder: '10.0.0.0/8',
    standard: [],
  },
]

const auth: readonly SettingField[] = [
  {
    kind: 'text',
    path: 'auth.anonymous_key_id',
    label: 'Key for clients that cannot send one',
    hint: 'Requests without a credential from this machine count as sent with the key of this id. Empty, they are refused.',
    placeholder: 'key_…',
    standard: null,
  },
  {
    kind: 'switch',
    path: 'auth.keys_revealable',
    label: 'Keep keys revealable',
    hint: 'Sealed copies of gateway keys are kept, so that a key can be shown again.',
    offWarning: 'Saving forgets every sealed copy for good. Keys go on working, but none can be shown again.',
    standard: true,
  },
  {
    kind: 'number',
    path: 'auth.sign_in_attempts',
    label: 'Sign-in attempts',
    hint: 'Before an address has to wait. 1 to 100.',
    unit: 'in 15 min',
    standard: 5,
  },
]

const PASSING_FAILURES: readonly Option[] = [
  { value: 'rate_limit', label: 'Rate limit' },
  { value: 'overloaded', label: 'Overloaded' },
  { value: 'server', label: 'Provider error' },
  { value: 'connect', label: 'Not reachable' },
  { value: 'timeout', label: 'No answer in time' },
]

const FAILURES: readonly Option[] = [
  { value: 'unsupported', label: 'Not supported by the model' },
  { value: 'context_too_long', label: 'Context too long' },
  { value: 'refused_content', label: 'Content refused' },
  { value: 'auth', label: 'Sign-in refused' },
  { value: 'billing', label: 'Out of money' },
  { value: 'not_entitled', label: 'Not allowed for the account' },
  ...PASSING_FAILURES,
  { value: 'empty', label: 'Empty answer' },
]

const routing: readonly SettingField[] = [
  {
    kind: 'text',
    path: 'routing.default_model',
    label: 'Default model',
    hint: 'Answers requests that ask for the model auto. Empty, those are refused.',
    placeholder: 'anthropic/claude-sonnet-4-5',
    standard: null,
  },
  {
    kind: 'switch',
    path: 'routing.infer_provider',
    label: 'Accept model names without a provider',
    hint: 'The gateway finds the provider that has the model.',
    standard: true,
  },
  {
    kind: 'switch',
    path: 'routing.strict_params',
    label: 'Refuse what a model cannot take',
    hint: 'Off, a quality hint that cannot be carried to a model is left out and listed in x-gateway-dropped.',
    standard: false,
  },
  {
    kind: 'choice',
    path: 'routing.account_strategy',
    label: 'Among accounts of one priority',
    hint: 'Who is asked first. Accounts with a lower priority number always come before, those without weight after all others.',
    options: [
      { value: 'priority', label: 'The heaviest' },
      { value: 'round_robin', label: 'Each in turn' },
      { value: 'sticky_n', label: 'In turn, after every few requests' },
      { value: 'weighted', label: 'By weight' },
      { value: 'least_busy', label: 'The least busy' },
      { value: 'p2c', label: 'The less busy of two' },
      { value: 'quota_aware', label: 'With most quota left' },
      { value: 'random', label: 'At random' },
    ],
    standard: 'priority',
  },
  {
    kind: 'number',
    path: 'routing.sticky_requests',
    label: 'Requests before the next account',
    hint: 'Where accounts take turns after every few requests. 1 to 10,000.',
    unit: 'requests',
    standard: 3,
  },
  {
    kind: 'choice',
    path: 'routing.affinity',
    label: 'Keep at one account',
    hint: 'The beginning of a prompt is in the cache of the account that saw it last. Requests move when it cannot be used or is much busier.',
    options: [
      { value: 'prompt_prefix', label: 'What begins alike' },
      { value: 'session', label: 'A session' },
      { value: 'user', label: 'A user' },
      { value: 'key', label: 'A gateway key' },
      { value: 'none', label: 'Nothing' },
    ],
    standard: 'prompt_prefix',
  },
  {
    kind: 'number',
    path: 'routing.affinity_ttl_s',
    label: 'For how long',
    hint: 'After the last request that was kept there. Up to a day; 0: not at all.',
    unit: 's',
    standard: 300,
  },
  {
    kind: 'switch',
    path: 'routing.demo',
    label: 'Demo provider',
    hint: 'Its models, such as demo/echo, answer inside the gateway and cost nothing.',
    standard: true,
  },
  {
    kind: 'number',
    path: 'routing.timeouts.connect_ms',
    label: 'Time to connect',
    hint: 'To a provider, before another target is tried.',
    unit: 'ms',
    standard: 10_000,
  },
  {
    kind: 'number',
    path: 'routing.timeouts.first_token_ms',
    label: 'Time to the first token',
    hint: 'Of a stream. By default, 10 min where the provider shows signs of life; once set, this value stands for both.',
    unit: 'ms',
    standard: 180_000,
  },
  {
    kind: 'number',
    path: 'routing.timeouts.idle_ms',
    label: 'Longest silence',
    hint: 'Between two events of a stream.',
    unit: 'ms',
    standard: 300_000,
  },
  {
    kind: 'number',
    path: 'routing.timeouts.total_ms',
    label: 'Longest answer',
    hint: 'Of a request that does not stream.',
    unit: 'ms',
    standard: 900_000,
  },
  {
    kind: 'choices',
    path: 'routing.fallback_on',
    label: 'Try another target after',
    hint: 'Where no chain says it: another account, or another target of an alias. After any other failure the client gets it at once.',
    options: FAILURES,
    standard: FAILURES.map(({ value }) => value).filter((value) => value !== 'refused_content'),
  },
  {
    kind: 'number',
    path: 'routing.retry.total_attempts',
    label: 'Tries in all',
    hint: 'Of one request, where no chain says it. 1 to 20.',
    unit: 'tries',
    standard: 6,
  },
  {
    kind: 'number',
    path: 'routing.retry.per_step',
    label: 'Tries at one account',
    hint: 'Before the next. 1 to 10.',
    unit: 'tries',
    standard: 1,
  },
  {
    kind: 'choices',
    path: 'routing.retry.on',
    label: 'Try the same account again after',
    hint: 'As often as it may be tried. Never where the first try could have been billed.',
    options: PASSING_FAILURES,
    standard: PASSING_FAILURES.map(({ value }) => value),
  },
  {
    kind: 'number',
    path: 'routing.retry.base_ms',
    label: 'First wait',
    hint: 'Before the same account is tried again; each further wait is twice as long. 0 to 60,000.',
    unit: 'ms',
    standard: 300,
  },
  {
    kind: 'number',
    path: 'routing.retry.max_ms',
    label: 'Longest wait',
    hint: 'A provider that asks for more is not tried again. 0 to 600,000.',
    unit: 'ms',
    standard: 5_000,
  },
  {
    kind: 'number',
    path: 'routing.retry.jitter',
    label: 'Left to chance',
    hint: 'The share of a wait that chance takes away, so that clients do not come back together. 0 to 1.',
    unit: 'of a wait',
    standard: 0.2,
  },
]

const resilience: readonly SettingField[] = [
  {
    kind: 'number',
    path: 'resilience.queue_ms',
    label: 'Wait for an account',
    hint: 'How long a request waits in line for accounts that are at their own limits. 0: not at all. Up to 60,000.',
    unit: 'ms',
    standard: 0,
  },
  {
    kind: 'number',
    path: 'resilience.circuit.errors',
    label: 'Failures until a provider is left alone',
    hint: 'Only its own, and only if a tenth of all calls fail. 1 to 100.',
    unit: 'failures',
    standard: 5,
  },
  {
    kind: 'number',
    path: 'resilience.circuit.window_s',
    label: 'Within',
    hint: 'The time in which they count. 1 to 600.',
    unit: 's',
    standard: 30,
  },
  {
    kind: 'number',
    path: 'resilience.circuit.open_s',
    label: 'Left alone for',
    hint: 'Then it is tried again. 1 to 600.',
    unit: 's',
    standard: 30,
  },
  {
    kind: 'number',
    path: 'resilience.circuit.half_open',
    label: 'Requests that try it at once',
    hint: 'The first that is answered lets all others in again. 1 to 10.',
    unit: 'requests',
    standard: 1,
  },
  {
    kind: 'number',
    path: 'resilience.cooldown.base_ms',
    label: 'Rest after a limit',
    hint: 'Where the provider does not say how long. 100 to 600,000.',
    unit: 'ms',
    standard: 2_000,
  },
  {
    kind: 'number',
    path: 'resilience.cooldown.factor',
    label: 'Longer each time by',
    hint: 'For limits in a row. 1 to 10.',
    unit: 'times',
    standard: 2,
  },
  {
    kind: 'number',
    path: 'resilience.cooldown.max_ms',
    label: 'Longest such rest',
    hint: 'A limit that its provider says lasts longer counts as used up. 100 to 3,600,000.',
    unit: 'ms',
    standard: 300_000,
  },
  {
    kind: 'switch',
    path: 'resilience.cooldown.reprobe',
    label: 'Try before the end of a long limit',
    hint: 'One request at a time tries after a tenth of the time, ten minutes at most.',
    standard: true,
  },
  {
    kind: 'number',
    path: 'resilience.cooldown.cap_provider_s',
    label: 'Longest rest without trying',
    hint: 'Whatever the provider says. 1 to 86,400.',
    unit: 's',
    standard: 1_800,
  },
]

const streaming: readonly SettingField[] = [
  {
    kind: 'number',
    path: 'streaming.keepalive_s',
    label: 'Keep-alive',
    hint: 'A silent stream gets a sign of life this often, so that proxies leave it open. 1 to 60.',
    unit: 's',
    standard: 15,
  },
  {
    kind: 'choice',
    path: 'streaming.commit',
    label: 'An answer belongs to its target',
    hint: 'Until then another one is tried when it fails. Thinking that is held back reaches the client later.',
    options: [
      { value: 'first_content', label: 'With its first content, thinking included' },
      { value: 'first_text_or_tool', label: 'With its first text or call' },
      { value: 'immediate', label: 'With its first event' },
    ],
    standard: 'first_content',
  },
  {
    kind: 'number',
    path: 'streaming.buffer_kib',
    label: 'Held back until then',
    hint: 'An answer that is longer belongs to its target as it is. 1 to 4,096.',
    unit: 'KiB',
    standard: 256,
  },
  {
    kind: 'choice',
    path: 'streaming.on_cut',
    label: 'When an answer is cut',
    hint: 'Models that are known to go on with the beginning of an answer are asked for the rest of its text, twice at most. Chains say it for themselves.',
    options: [
      { value: 'error', label: 'Tell the client' },
      { value: 'continue', label: 'Go on, where a model can' },
    ],
    standard: 'error',
  },
  {
    kind: 'number',
    path: 'streaming.drain_for_usage_s',
    label: 'Read on for clients that have gone',
    hint: 'For so long a stream is read on that nobody waits for, so that its exact usage is known. It is paid meanwhile. 0 to 3,600.',
    unit: 's',
    standard: 0,
  },
  {
    kind: 'choice',
    path: 'streaming.responses_store',
    label: 'Keep answers of the Responses format',
    hint: 'Clients go on from an answer by its id. Kept are 1,000 for each key and 64 MiB in all, for a day, never on disk.',
    options: [
      { value: 'memory', label: 'In memory' },
      { value: 'off', label: 'Off' },
    ],
    standard: 'memory',
  },
]

const logging: readonly SettingField[] = [
  {
    kind: 'choice',
    path: 'logging.log_content',
    label: 'Keep prompts and answers',
    hint: 'Sealed in the database and shown with their request. Whoever may see requests then reads what people wrote.',
    options: [
      { value: 'never', label: 'Never' },
      { value: 'errors', label: 'Of requests that fail' },
      { value: 'always', label: 'Of every request' },
    ],
    standard: 'never',
  },
  {
    kind: 'number',
    path: 'logging.body_max_kib',
    label: 'Kept of each side',
    hint: 'Of each request and each answer; the rest is cut off. 1 to 4,096.',
    unit: 'KiB',
    standard: 256,
  },
  {
    kind: 'number',
    path: 'logging.retain_bodies_days',
    label: 'Forget them after',
    hint: '1 to 365. Beyond 1 GiB the oldest go sooner.',
    unit: 'days',
    standard: 7,
  },
  {
    kind: 'number',
    path: 'logging.retain_rows_days',
    label: 'Request log',
    hint: 'Each request with its route and attempts. 1 to 3,650.',
    unit: 'days',
    standard: 90,
  },
  {
    kind: 'number',
    path: 'logging.retain_daily_days',
    label: 'Sums by day',
    hint: 'What Overview is drawn from once the requests themselves are gone. 62 to 36,500.',
    unit: 'days',
    standard: 730,
  },
  {
    kind: 'number',
    path: 'logging.db_max_mib',
    label: 'Log and sums, at most',
    hint: 'Beyond that the oldest requests go sooner. 16 to 1,048,576.',
    unit: 'MiB',
    standard: 2_048,
  },
  {
    kind: 'number',
    path: 'logging.crash_charge_pct',
    label: 'Charged after a crash',
    hint: 'Of what a budget had set aside for a request that died with the process. 0 to 100.',
    unit: '%',
    standard: 100,
  },
]

const pricing: readonly SettingField[] = [
  {
    kind: 'choice',
    path: 'pricing.sync',
    label: 'Newer prices',
    hint: 'Daily fetches the price file by itself. Prices that would change more than tenfold stay as they are.',
    options: [
      { value: 'manual', label: 'When somebody asks' },
      { value: 'daily', label: 'Every day' },
    ],
    standard: 'manual',
  },
  {
    kind: 'text',
    path: 'pricing.sync_url',
    label: 'Price file',
    hint: 'An https address on the internet with a file in the format of genai-prices.',
    placeholder: 'https://prices.example.com/data.json',
    standard: 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json',
  },
  {
    kind: 'price',
    path: 'pricing.unknown_price_usd',
    label: 'Models without a price',
    hint: 'What they are counted at. Without it they count as nothing, and blocking budgets refuse them.',
    standard: null,
  },
]

export const GROUPS: readonly SettingGroup[] = [
  { id: 'routing', title: 'Routing and timeouts', fields: routing },
  { id: 'server', title: 'Server', fields: server },
  { id: 'auth', title: 'Sign-in and keys', fields: auth },
  { id: 'streaming', title: 'Streaming', fields: streaming },
  { id: 'resilience', title: 'Limits and failures', fields: resilience },
  { id: 'logging', title: 'What is kept', fields: logging },
  { id: 'pricing', title: 'Prices', fields: pricing },
]

export const FIELDS: readonly SettingField[] = GROUPS.flatMap(({ fields }) => fields)
