/** Settings and code for each tool, with this gateway's address, a key and a model in them. Pure. */

export interface SnippetValues {
  /** Without a trailing slash: `http://127.0.0.1:4680`. */
  readonly origin: string
  readonly key: string
  /** `<provider>/<model>`. */
  readonly model: string
}

export interface Snippet {
  /** One word or two, where there are several for a tool. */
  readonly tab: string
  /** The file it belongs in, or `Shell`. */
  readonly title: string
  readonly aside?: string
  readonly code: string
}

export interface Tool {
  readonly id: string
  readonly label: string
  /** As the log names it. */
  readonly client: string
  readonly snippets: (values: SnippetValues) => readonly [Snippet, ...Snippet[]]
}

export const TOOLS = [
  { id: 'claude-code', label: 'Claude Code', client: 'claude-code', snippets: claudeCode },
  { id: 'codex', label: 'Codex', client: 'codex', snippets: codex },
  { id: 'opencode', label: 'OpenCode', client: 'opencode', snippets: openCode },
  { id: 'anthropic-sdk', label: 'Anthropic SDK', client: 'anthropic-sdk', snippets: anthropicSdk },
  { id: 'openai-sdk', label: 'OpenAI SDK', client: 'openai-sdk', snippets: openAiSdk },
  { id: 'curl', label: 'curl', client: 'curl', snippets: curl },
] as const satisfies readonly [Tool, ...Tool[]]

const SHELL = { tab: 'Shell', title: 'Shell', aside: 'macOS, Linux' } as const

// https://code.claude.com/docs/de/llm-gateway-connect.md (read 2026-11-21)
function claudeCode({ origin, key, model }: SnippetValues): readonly [Snippet, Snippet] {
  const env = { ANTHROPIC_BASE_URL: origin, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_MODEL: model }
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${value}`)
  return [
    { ...SHELL, code: [...exports, 'claude'].join('\n') },
    {
      tab: 'Settings file',
      title: '~/.claude/settings.json',
      aside: 'for good',
      code: JSON.stringify({ env }, null, 2),
    },
  ]
}

// https://developers.openai.com/codex/config-sample (read 2026-11-21)
function codex({ origin, key, model }: SnippetValues): readonly [Snippet, Snippet] {
  const config = [
    `model = "${model}"`,
    'model_provider = "signalbox"',
    '',
    '[model_providers.signalbox]',
    'name = "Signalbox"',
    `base_url = "${origin}/v1"`,
    'env_key = "SIGNALBOX_API_KEY"',
    'wire_api = "responses"',
  ]
  return [
    { tab: 'Settings file', title: '~/.codex/config.toml', code: config.join('\n') },
    { ...SHELL, code: `export SIGNALBOX_API_KEY=${key}\ncodex` },
  ]
}

// https://deepwiki.com/sst/opencode/3.3-provider-and-model-configuration (read 2026-11-21)
function openCode({ origin, key, model }: SnippetValues): readonly [Snippet] {
  const signalbox = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Signalbox',
    options: { baseURL: `${origin}/v1`, apiKey: key },
    models: { [model]: {} },
  }
  const config = { $schema: 'https://opencode.ai/config.json', provider: { signalbox }, model: `signalbox/${model}` }
  return [{ tab: 'Settings file', title: '~/.config/opencode/opencode.json', code: JSON.stringify(config, null, 2) }]
}

function anthropicSdk({ origin, key, model }: SnippetValues): readonly [Snippet, Snippet] {
  const python = [
    'from anthropic import Anthropic',
    '',
    `client = Anthropic(base_url="${origin}", api_key="${key}")`,
    'message = client.messages.create(',
    `    model="${model}",`,
    '    max_tokens=1024,',
    '    messages=[{"role": "user", "content": "Hello"}],',
    ')',
    'print(message.content[0].text)',
  ]
  const typescript = [
    "import Anthropic from '@anthropic-ai/sdk'",
    '',
    `const client = new Anthropic({ baseURL: '${origin}', apiKey: '${key}' })`,
    'const message = await client.messages.create({',
    `  model: '${model}',`,
    '  max_tokens: 1024,',
    "  messages: [{ role: 'user', content: 'Hello' }],",
    '})',
    'console.log(message.content)',
  ]
  return [
    { tab: 'Python', title: 'Python', code: python.join('\n') },
    { tab: 'TypeScript', title: 'TypeScript', code: typescript.join('\n') },
  ]
}

function openAiSdk({ origin, key, model }: SnippetValues): readonly [Snippet, Snippet] {
  const python = [
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url="${origin}/v1", api_key="${key}")`,
    'answer = client.chat.completions.create(',
    `    model="${model}",`,
    '    messages=[{"role": "user", "content": "Hello"}],',
    ')',
    'print(answer.choices[0].message.content)',
  ]
  const typescript = [
    "import OpenAI from 'openai'",
    '',
    `const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: '${key}' })`,
    'const answer = await client.chat.completions.create({',
    `  model: '${model}',`,
    "  messages: [{ role: 'user', content: 'Hello' }],",
    '})',
    'console.log(answer.choices[0].message.content)',
  ]
  return [
    { tab: 'Python', title: 'Python', code: python.join('\n') },
    { tab: 'TypeScript', title: 'TypeScript', code: typescript.join('\n') },
  ]
}

function curl({ origin, key, model }: SnippetValues): readonly [Snippet] {
  const body = JSON.stringify({ model, max_tokens: 1024, messages: [{ role: 'user', content: 'Hello' }] })
  const lines = [
    `curl ${origin}/v1/messages \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    "  -H 'content-type: application/json' \\",
    `  -d '${body}'`,
  ]
  return [{ ...SHELL, code: lines.join('\n') }]
}
