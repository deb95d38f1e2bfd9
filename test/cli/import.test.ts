import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../../src/app.ts'
import { FILE_BYTES_MAX } from '../../src/cli/import/read.ts'
import { importFile } from '../../src/cli/import.ts'
import { openApp, runCommand } from './terminal.ts'

const SAMPLES = join(import.meta.dir, 'samples')
const LITELLM = join(SAMPLES, 'litellm.yaml')
const NINE_ROUTER = join(SAMPLES, '9router.json')
const ENV = join(SAMPLES, 'keys.env')

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'signalbox-import-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const run = (argv: readonly string[], answer?: boolean) => runCommand(importFile, argv, dataDir, answer)

/** A file with this text. */
function file(text: string): string {
  const path = join(dataDir, 'file')
  writeFileSync(path, text)
  return path
}

interface Item {
  readonly kind: string
  readonly name: string
  readonly detail: string
  readonly outcome: string
  readonly reason: string | null
}

/** What `--json` says: each thing by kind and name with its outcome, and what is left out with why. */
async function imported(path: string, ...flags: readonly string[]) {
  const { code, printed } = await run([path, '--json', ...flags])
  const { source, items, left_out: leftOut } = JSON.parse(printed)
  return {
    code,
    source,
    items: (items as Item[]).map(({ kind, name, detail, outcome }) => `${outcome} ${kind} ${name}: ${detail}`),
    reasons: (items as Item[]).flatMap(({ name, reason }) => (reason === null ? [] : [`${name}: ${reason}`])),
    leftOut: (leftOut as { what: string; why: string }[]).map(({ what, why }) => `${what}: ${why}`),
  }
}

async function withApp<T>(look: (app: App) => T | Promise<T>): Promise<T> {
  const app = await openApp(dataDir)
  try {
    return await look(app)
  } finally {
    await app.close()
  }
}

describe('a LiteLLM configuration', () => {
  test('becomes accounts, custom providers, aliases, a chain for what falls back, and a key; all else is named', async () => {
    const { code, source, items, leftOut } = await imported(LITELLM, '--yes')
    expect([code, source]).toEqual([0, 'a LiteLLM configuration'])
    expect(items).toEqual([
      'created provider 192-168-1-20-8000: openai_chat at http://192.168.1.20:8000/v1, on a private network',
      'created account azure-deployments: cana…cdef',
      'created account 192-168-1-20-8000: none…cdef',
      'created account anthropic: sk-a…cdef',
      'created account groq: gsk_…0123',
      'created account openai: sk-o…cdef',
      'created alias gpt-4o: least_busy: azure-deployments/gpt-4o-ca',
      'created alias vllm-models: least_busy: 192-168-1-20-8000/facebook/opt-125m',
      'created chain claude: priority: anthropic/claude-sonnet-4-5, azure-deployments/gpt-4o-ca',
      'left_out alias Big One: least_busy: anthropic/claude-opus-4-5',
      'created alias gpt-4: least_busy: gpt-4o',
      'created alias best: least_busy: chain/claude',
      'created key LiteLLM master key: sk-l…6789',
    ])
    expect(leftOut).toEqual([
      'gpt-4o (azure/gpt-4o-eu): AZURE_API_KEY_EU has no value; name a file that gives it one with --env-file',
      'embed (openai/text-embedding-3-small): is for embedding, and names here are for chats',
      'sagemaker-model (sagemaker/berri-benchmarking-llama): no provider here is sagemaker',
      'no-key (mistral/mistral-large-latest): has no api_key, and MISTRAL_API_KEY is not in the file',
      'no-variable (xai/grok-4): XAI_KEY_OF_MINE has no value; name a file that gives it one with --env-file',
      'prices of one deployment: set them under Prices',
      'the fallback of claude to lost: no such model is taken over',
      'the alias none: lost is not taken over',
      'settings of its library (drop_params): what has a place here is set under Settings',
    ])
  })

  test('is hidden from lists here where it is there', async () => {
    await run([LITELLM, '--yes'])
    await withApp(({ aliases }) => {
      const listed = aliases.all().map(({ alias, listed }) => [alias, listed])
      expect(Object.fromEntries(listed)).toMatchObject({ 'gpt-4': true, best: false })
    })
  })

  test('may say credentials once for several models', async () => {
    const config = {
      model_list: ['gpt-4o', 'gpt-4.1'].map((model) => ({
        model_name: model,
        litellm_params: { model: `azure/${model}`, litellm_credential_name: 'shared' },
      })),
      credential_list: [
        {
          credential_name: 'shared',
          credential_values: { api_key: 'os.environ/KEY', api_base: 'https://mine.openai.azure.com' },
        },
      ],
    }
    const env = join(dataDir, 'env')
    writeFileSync(env, 'KEY=azure-0123456789abcdef\n')
    const { items, leftOut } = await imported(file(JSON.stringify(config)), '--env-file', env, '--dry-run')
    expect([items.slice(0, 1), items.length, leftOut]).toEqual([['would_create account azure: azur…cdef'], 3, []])
  })

  test('loses no setting quietly', async () => {
    const config = {
      model_list: [
        { model_name: 'a', litellm_params: { model: 'vertex_ai/gemini-x' } },
        { model_name: 'b', litellm_params: { model: 'groq/llama', litellm_credential_name: 'gone' } },
        { model_name: 'c', litellm_params: { model: 'groq/llama', api_key: 'os.environ/EMPTY' } },
      ],
      router_settings: { num_retries: 2, redis_host: 'cache' },
      litellm_settings: { cache: true, success_callback: ['langfuse'] },
      general_settings: { database_url: 'os.environ/DATABASE_URL', alerting: ['slack'], master_key: 'sk-1234' },
      environment_variables: { EMPTY: '' },
    }
    const { items, reasons, leftOut } = await imported(file(JSON.stringify(config)), '--dry-run')
    expect(items).toEqual(['left_out key LiteLLM master key: ••••'])
    expect(reasons[0]).toEndWith('issue another one to its clients')
    expect(leftOut).toEqual([
      'a (vertex_ai/gemini-x): signs in with a service account; add an account of Vertex AI with it',
      'b (groq/llama): the credentials gone that it names are not in the file',
      'c (groq/llama): EMPTY has no value; name a file that gives it one with --env-file',
      'what is in its database: is not in this file; issue keys here, and set plans and budgets',
      'settings of its router (num_retries, redis_host): what has a place here is set under Settings',
      'settings of its library (cache, success_callback): what has a place here is set under Settings',
      'settings of its server (alerting): what has a place here is set under Settings',
    ])
  })

  test('counts at once: clients ask by the same names with the same key', async () => {
    await run([LITELLM, '--yes'])
    await withApp(async ({ accounts, aliases, chains, customProviders, keys }) => {
      expect(accounts.all().every(({ account }) => account.source === 'import')).toBe(true)
      expect(customProviders.all()).toMatchObject([{ slug: '192-168-1-20-8000', allowPrivateNetwork: true }])
      expect(aliases.all().find(({ alias }) => alias === 'gpt-4o')?.targets).toMatchObject([
        { weight: 3, accountIds: null },
      ])
      expect(chains.all()[0]?.steps.map(({ priority }) => priority)).toEqual([0, 1])
      const page = { offset: 0, limit: 10, q: undefined, sort: 'created_at', order: 'asc' } as const
      expect((await keys.page(page, {})).items.map(({ name }) => name)).toEqual(['LiteLLM master key'])
    })
  })

  test('takes what it leaves to the environment from a file that is named', async () => {
    const env = file('AZURE_API_KEY_EU=europe-0123456789abcdef\nXAI_KEY_OF_MINE=xai-0123456789abcdef\n')
    const { items, leftOut } = await imported(LITELLM, '--env-file', env, '--dry-run')
    expect(items).toContain('would_create account azure: euro…cdef')
    expect(items).toContain('would_create alias gpt-4o: least_busy: azure/gpt-4o-eu, azure-deployments/gpt-4o-ca')
    expect(leftOut.join()).not.toContain('has no value')
  })

  test('with two accounts of one provider says which one each deployment means', async () => {
    const entry = (key: string) => ({
      model_name: 'm',
      litellm_params: { model: 'groq/llama', api_key: `${key}-0123456789abcdef` },
    })
    await run([file(JSON.stringify({ model_list: [entry('one'), entry('two')] })), '--yes'])
    await withApp(({ accounts, aliases }) => {
      const ids = accounts.all().map(({ account }) => account.id)
      expect(aliases.all()[0]?.targets.map(({ accountIds }) => accountIds)).toEqual(ids.map((id) => [id]))
    })
  })
})

test.each<[string, object, readonly string[]]>([
  [
    'a host of its own without a key never gets that of the provider whose format it speaks',
    { model: 'openai/llama', api_base: 'http://localhost:9000/v1' },
    [
      'provider localhost-9000: openai_chat at http://localhost:9000/v1, on a private network',
      'account localhost-9000: without a key',
    ],
  ],
  [
    'another host of Messages has its key in the header of Messages',
    { model: 'anthropic/claude-x', api_base: 'https://claude.example.com', api_key: 'host-0123456789abcdef' },
    [
      'provider claude-example-com: anthropic_messages at https://claude.example.com/v1',
      'account claude-example-com: host…cdef',
    ],
  ],
  [
    'the provider’s own address is the provider',
    { model: 'openai/gpt-4.1', api_base: 'https://api.openai.com/v1' },
    ['account openai: sk-o…cdef'],
  ],
  [
    'Ollama at home needs no key',
    { model: 'ollama_chat/llama3', api_base: 'http://localhost:11434' },
    ['account ollama: without a key'],
  ],
  [
    'Bedrock has its region and both halves of its key',
    {
      model: 'bedrock/anthropic.claude-x',
      aws_region_name: 'eu-central-1',
      aws_access_key_id: 'AKIA0123456789ABCDEF',
      aws_secret_access_key: 'abcdefghijklmnopqrstuvwxyz0123456789ABCD',
    },
    ['account bedrock: abcd…ABCD'],
  ],
])('of LiteLLM: %s', async (_, params, expected) => {
  const env = join(dataDir, 'env')
  writeFileSync(env, 'OPENAI_API_KEY=sk-openai-0123456789abcdef\n')
  const config = { model_list: [{ model_name: 'm', litellm_params: params }] }
  const { items, leftOut } = await imported(file(JSON.stringify(config)), '--env-file', env, '--yes')
  expect([items.slice(0, -1), leftOut]).toEqual([expected.map((item) => `created ${item}`), []])
})

describe('a 9router backup', () => {
  test('becomes accounts, hosts, aliases, chains and keys; sign-ins of other programs stay there', async () => {
    const { code, items, leftOut, reasons } = await imported(NINE_ROUTER, '--yes')
    expect(code).toBe(0)
    expect(items).toEqual([
      'created provider rack: openai_chat at https://rack.example.com/v1',
      'created account deepseek "work": sk-d…cdef',
      'created account rack "rack": rack…0123, switched off',
      'created alias fast: priority: deepseek/deepseek-chat',
      'created chain best-first: priority: fast, rack/llama-3',
      'created key laptop: sk-0…c3d4',
      'left_out key old: ••••, switched off',
    ])
    expect(reasons).toEqual([
      'old: its secret must be 24 to 200 visible ASCII characters; issue another one to its clients',
    ])
    expect(leftOut).toEqual([
      'the host Vectors: is of a kind that is not known here: custom-embedding',
      'the connection me of claude: signs in by oauth as another program does; only API keys are taken over',
      'the connection glm of glm: no provider here is glm; add a custom one',
      'cc/claude-opus-4-5 in Best First: its provider is not taken over',
      'cc/claude-opus-4-5 in lost: its provider is not taken over',
      'the combo lost: nothing is left that it could stand for',
      '1 of proxyPools: add them under Proxy pools',
    ])
  })
})

describe('a file of variables', () => {
  test('becomes an account for each key that a provider of the catalogue has there', async () => {
    const { code, items, leftOut } = await imported(ENV, '--yes')
    expect(code).toBe(0)
    expect(items.toSorted()).toEqual([
      'created account anthropic: sk-a…cdef',
      'created account bedrock: abcd…ABCD',
      'created account google: AIza…cdef',
      'created account openai: sk-o…cdef',
    ])
    expect(leftOut.toSorted()).toEqual([
      'AZURE_OPENAI_API_KEY for Azure OpenAI (deployments): AZURE_OPENAI_ENDPOINT is not in the file',
      'AZURE_OPENAI_API_KEY for Azure OpenAI: AZURE_RESOURCE_NAME is not in the file',
      'BRAVE_API_KEY: no provider that is built in has its key there',
      'GOOGLE_APPLICATION_CREDENTIALS: names a file; add an account of Vertex AI with what is in it',
    ])
  })
})

test('a resource of Azure is named, or in its address', async () => {
  const { items } = await imported(
    file('AZURE_OPENAI_API_KEY=azure-0123456789abcdef\nAZURE_OPENAI_ENDPOINT=https://mine.openai.azure.com/\n'),
    '--yes',
  )
  expect(items).toEqual(['created account azure-deployments: azur…cdef'])
  await withApp(({ accounts }) => expect(accounts.all()[0]?.credentials).toMatchObject({ resource: 'mine' }))
})

test.each([LITELLM, NINE_ROUTER, ENV])('%s a second time creates nothing', async (path) => {
  await run([path, '--yes'])
  const { items } = await imported(path, '--yes')
  expect(items.filter((item) => !item.startsWith('there_already') && !/key old|Big One/.test(item))).toEqual([])
})

test('a name that stands for something else here is kept as it is', async () => {
  const config = (model: string) => ({
    model_list: [{ model_name: 'fast', litellm_params: { model, api_key: 'gsk_0123456789abcdef' } }],
  })
  await run([file(JSON.stringify(config('groq/llama'))), '--yes'])
  const { code, items } = await imported(file(JSON.stringify(config('groq/qwen'))), '--yes')
  expect([code, items[1]]).toEqual([0, 'name_taken alias fast: weighted: groq/qwen'])
  await withApp(({ aliases }) => expect(aliases.all()[0]?.targets[0]?.model).toBe('groq/llama'))
})

describe('before anything is created', () => {
  const accountsNow = () => withApp(({ accounts }) => accounts.all().length)

  test('a person is asked, with secrets masked', async () => {
    const { code, printed, told } = await run([ENV], true)
    expect([code, told, await accountsNow()]).toEqual([0, 'Create 4 of these?', 4])
    expect(printed).toContain('  create              account openai (sk-o…cdef)')
    expect(printed).toContain('  leave out           BRAVE_API_KEY: no provider')
    expect(printed).toEndWith('created 4')
    expect(printed).not.toContain('0123456789abcdef')
  })

  test('a dry run ends with what would happen', async () => {
    expect((await run([ENV, '--dry-run'])).printed).toEndWith('would create 4; nothing was created')
    await run([ENV, '--yes'])
    for (const flag of ['--dry-run', '--yes']) expect((await run([ENV, flag])).printed).toEndWith('nothing is new')
  })

  test.each<[string, readonly string[], boolean | undefined, number]>([
    ['a no ends it', [], false, 1],
    ['where nobody can be asked, --yes is needed', [], undefined, 2],
    ['a dry run only shows it', ['--dry-run'], undefined, 0],
  ])('%s', async (_, flags, answer, code) => {
    expect((await run([ENV, ...flags], answer)).code).toBe(code)
    expect(await accountsNow()).toBe(0)
  })
})

describe('what cannot be read is said', () => {
  test.each<[string, () => string, string]>([
    ['no such file', () => join(dataDir, 'nothing'), 'cannot be read'],
    ['a page', () => file('<html><body>404</body></html>'), 'is neither a LiteLLM configuration'],
    ['other JSON', () => file('{"a": 1}'), 'is neither a LiteLLM configuration'],
    ['other YAML', () => file('a:\n  - b\n'), 'is neither a LiteLLM configuration'],
    ['broken JSON', () => file('{"model_list": ['), 'is neither JSON nor YAML that can be read'],
    [
      'broken YAML',
      () => file('model_list:\n  - model_name: [\n    api_key: a\n'),
      'is neither JSON nor YAML that can be read',
    ],
    [
      'a file that is too large',
      () => (truncateSync(file('A=b\n'), FILE_BYTES_MAX + 1), join(dataDir, 'file')),
      'is larger than 8 MiB',
    ],
  ])('%s', async (_, make, words) => {
    const { code, told } = await run([make(), '--yes'])
    expect([code, told.includes(words)]).toEqual([1, true])
  })

  test('nothing that could be taken over', async () => {
    const { code, printed } = await run([file('EDITOR=vi\n'), '--yes'])
    expect([code, printed]).toEqual([0, 'It is a file of variables.\nThere is nothing in it to take over.'])
  })

  test('a data folder that a gateway has', async () => {
    const { code, told } = await withApp(() => run([ENV, '--yes']))
    expect(code).toBe(3)
    expect(told).toContain('signalbox: ')
  })

  test('odd things where LiteLLM has others are passed over', async () => {
    const odd = {
      model_list: [null, 7, {}, { model_name: 5 }, { litellm_params: [] }],
      router_settings: [],
      litellm_settings: { fallbacks: [null, { a: 7 }] },
    }
    const { code, items, leftOut } = await imported(file(JSON.stringify(odd)), '--yes')
    expect([code, items]).toEqual([0, []])
    expect(leftOut).toHaveLength(5)
  })
})
