/** Replies and streams as the two main dialects' providers send them, with as many deltas as a test wants. */

export function sseFrame(event: string | undefined, data: unknown): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`
}

/** An event whose single line is `bytes` long: legal, and a trap for buffers. */
export function longFrame(bytes: number): string {
  return `data: ${'x'.repeat(bytes - 'data: '.length)}\n\n`
}

export interface Told {
  readonly model?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
}

// https://platform.claude.com/docs/en/build-with-claude/streaming (read 2026-11-21)
export function anthropicStream(deltas: readonly string[], told: Told = {}): string[] {
  const usage = { input_tokens: told.inputTokens ?? 10, output_tokens: 1 }
  const message = { ...anthropicReply('', told), content: [], stop_reason: null, usage }
  const end = { stop_reason: 'end_turn', stop_sequence: null }
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...deltas.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: end, usage: { output_tokens: told.outputTokens ?? 5 } },
    { type: 'message_stop' },
  ]
  return events.map((event) => sseFrame(event.type, event))
}

export function anthropicReply(text: string, told: Told = {}) {
  return {
    id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
    type: 'message',
    role: 'assistant',
    model: told.model ?? 'claude-sonnet-4-5',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn' as string | null,
    stop_sequence: null,
    usage: { input_tokens: told.inputTokens ?? 10, output_tokens: told.outputTokens ?? 5 },
  }
}

// https://platform.openai.com/docs/api-reference/chat-streaming (read 2026-11-21)
export function chatStream(deltas: readonly string[], told: Told = {}): string[] {
  const chunk = (choices: unknown[], usage: unknown = null) =>
    sseFrame(undefined, {
      id: 'chatcmpl-123',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: told.model ?? 'gpt-4o',
      choices,
      usage,
    })
  const choice = (delta: unknown, finish: string | null = null) => [{ index: 0, delta, finish_reason: finish }]
  return [
    chunk(choice({ role: 'assistant', content: '' })),
    ...deltas.map((content) => chunk(choice({ content }))),
    chunk(choice({}, 'stop')),
    chunk([], chatUsage(told)),
    sseFrame(undefined, '[DONE]'),
  ]
}

export function chatReply(content: string, told: Told = {}) {
  return {
    id: 'chatcmpl-123',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: told.model ?? 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: chatUsage(told),
  }
}

function chatUsage(told: Told) {
  const prompt_tokens = told.inputTokens ?? 10
  const completion_tokens = told.outputTokens ?? 5
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
