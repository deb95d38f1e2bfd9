/** The agents, each started headless with the gateway as its only provider, in a folder and a home of its own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolCallPart } from '../../src/dialects/neutral.ts'

import type { Programs } from './programs.ts'
import type { Calls } from './vendors.ts'

export interface Stage {
  readonly programs: Programs
  readonly gatewayUrl: string
  readonly key: string
  /** `<provider>/<model>` */
  readonly model: string
  /** Empty, and the only place where the agent may write. */
  readonly folder: string
  readonly home: string
}

export interface Agent {
  readonly name: string
  /** What a provider has to call, with the agent's own tools, to get both files written. */
  calls(folder: string): Calls
  start(stage: Stage): Started
}

export interface Started {
  readonly command: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
}

export const FILES = { 'first.txt': 'one\n', 'second.txt': 'two\n' } as const
const TASK = 'Write the files first.txt and second.txt.'
export const IDS = ['call_first0001', 'call_second002'] as const

const PATCH: ToolCallPart = {
  type: 'tool-call',
  id: IDS[1],
  name: 'apply_patch',
  kind: 'custom',
  argumentsText: '*** Begin Patch\n*** Add File: second.txt\n+two\n*** End Patch\n',
}

export const AGENTS: readonly Agent[] = [
  {
    name: 'Claude Code',
    calls: (folder) => () => [
      call(IDS[0], 'Write', { file_path: join(folder, 'first.txt'), content: FILES['first.txt'] }),
      call(IDS[1], 'Write', { file_path: join(folder, 'second.txt'), content: FILES['second.txt'] }),
    ],
    start: ({ programs, gatewayUrl, key, model }) => ({
      command: [programs.claude, '-p', TASK, '--model', model, '--permission-mode', 'acceptEdits'],
      env: {
        ANTHROPIC_BASE_URL: gatewayUrl,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_SMALL_FAST_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        MAX_THINKING_TOKENS: '4000',
      },
    }),
  },
  {
    name: 'Codex',
    // It offers its tool of free text to models that it knows.
    calls: () => (offers) => [
      call(IDS[0], 'exec_command', { cmd: "printf 'one\\n' > first.txt" }),
      offers('apply_patch') ? PATCH : call(IDS[1], 'exec_command', { cmd: "printf 'two\\n' > second.txt" }),
    ],
    start: ({ programs, gatewayUrl, key, model, home }) => {
      mkdirSync(join(home, 'codex'))
      writeFileSync(join(home, 'codex', 'config.toml'), codexSettings(gatewayUrl, model))
      const unattended = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
      return {
        command: [programs.codex, 'exec', ...unattended, TASK],
        env: { CODEX_HOME: join(home, 'codex'), SIGNALBOX_KEY: key },
      }
    },
  },
  {
    name: 'opencode',
    calls: (folder) => () => [
      call(IDS[0], 'write', { filePath: join(folder, 'first.txt'), content: FILES['first.txt'] }),
      call(IDS[1], 'write', { filePath: join(folder, 'second.txt'), content: FILES['second.txt'] }),
    ],
    start: ({ programs, gatewayUrl, key, model, home }) => {
      mkdirSync(join(home, '.config', 'opencode'), { recursive: true })
      writeFileSync(join(home, '.config', 'opencode', 'opencode.json'), opencodeSettings(gatewayUrl, key, model))
      return {
        command: [programs.opencode, 'run', '--model', `signalbox/${model}`, TASK],
        env: {
          OPENCODE_DISABLE_AUTOUPDATE: '1',
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        },
      }
    },
  },
]

function call(id: string, name: string, input: object): ToolCallPart {
  return { type: 'tool-call', id, name, kind: 'function', argumentsText: JSON.stringify(input) }
}

function codexSettings(gatewayUrl: string, model: string): string {
  return `model = "${model}"
model_provider = "signalbox"
[model_providers.signalbox]
name = "Signalbox"
base_url = "${gatewayUrl}/v1"
env_key = "SIGNALBOX_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`
}

function opencodeSettings(gatewayUrl: string, key: string, model: string): string {
  const models = {
    [model]: { name: model, tool_call: true, reasoning: true, limit: { context: 200_000, output: 8_000 } },
  }
  const options = { baseURL: `${gatewayUrl}/v1`, apiKey: key }
  const provider = { signalbox: { npm: '@ai-sdk/openai-compatible', name: 'Signalbox', options, models } }
  return JSON.stringify({ autoupdate: false, share: 'disabled', provider })
}
