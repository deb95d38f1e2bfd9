import type { Message } from '../neutral.ts'

/** System text inside a conversation, for formats that have no place for it there: models know it in this form. */
export function asReminder(message: Message): Message {
  if (message.role !== 'system') return message
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
  return { role: 'user', parts: [{ type: 'text', text: `<system-reminder>\n${text}\n</system-reminder>` }] }
}
