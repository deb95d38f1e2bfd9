/** The order that a Converse conversation must have, and the ids that its models take for calls. */
import type { Message } from '../neutral.ts'
import { pairedTurns, type CallIdRule } from '../turns/paired-turns.ts'
import { asReminder } from '../turns/reminder.ts'
import type { ModelTraits } from './model.ts'

// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html (read 2026-11-21)
const CALL_IDS: CallIdRule = { legal: /^[a-zA-Z0-9_-]{1,64}$/, prefix: 'tooluse_' }
const SHORT_CALL_IDS: CallIdRule = { legal: /^[a-zA-Z0-9]{9}$/, prefix: '', hashLength: 9 }

export function orderedTurns(messages: readonly Message[], { shortCallIds }: ModelTraits): readonly Message[] {
  return pairedTurns(messages.map(asReminder), shortCallIds ? SHORT_CALL_IDS : CALL_IDS)
}
