import type { ConformanceReport } from '../../wire.ts'

type CheckId = ConformanceReport['checks'][number]['check']

export const CHECK_WORDS: Readonly<Record<CheckId, string>> = {
  text: 'Plain answer',
  usage: 'Usage of a plain answer',
  stream: 'Stream',
  stream_usage: 'Usage of a stream',
  system_prompt: 'System prompt',
  tool: 'Tool call',
  tool_result: 'Result of a tool',
  tool_without_arguments: 'Tool without arguments',
  parallel_tools: 'Two tool calls at once',
  structured_output: 'Structured output',
  stop_sequence: 'Stop sequence',
  image: 'Image',
  unknown_model: 'Error for an unknown model',
}

/** `max_tokens_field: max_tokens`, `no_system_role`, `strip_params: tool_choice, seed`. */
export function quirkText(name: string, value: unknown): string {
  if (value === true) return name
  return `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`
}
