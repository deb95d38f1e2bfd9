import { createContext } from 'react'
import type { FieldErrors } from '../../http/envelope.ts'

/** A field of a form, as it has made itself known. */
export interface KnownField {
  readonly name: string
  readonly label: string
  /** Of the control. */
  readonly id: string
}

export interface FormRegistry {
  /** Until the returned function is called. */
  register(field: KnownField): () => void
  /** What is wrong with the field of this name, or inside it. */
  errorOf(name: string): string | undefined
}

export const FormContext = createContext<FormRegistry | undefined>(undefined)

/** Does the error at `path` belong to the field `name`? It does when it is about something inside it, too. */
export function belongsTo(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`)
}

/** The messages of the field and of what is inside it, as one sentence each. */
export function messageFor(errors: FieldErrors, name: string): string | undefined {
  const messages = Object.entries(errors)
    .filter(([path]) => belongsTo(path, name))
    .flatMap(([path, texts]) => texts.map((text) => placed(path.slice(name.length + 1), text)))
  return messages.length === 0 ? undefined : messages.join(' ')
}

/** A path in words: `steps.1.model` is `Steps, 2: model`. */
export function pathInWords(path: string): string {
  const parts = path
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part.replaceAll('_', ' ')))
  const [first = '', ...others] = parts
  const head = first.charAt(0).toUpperCase() + first.slice(1)
  const last = others.length > 1 ? others.pop() : undefined
  const middle = [head, ...others].join(', ')
  return last === undefined ? middle : `${middle}: ${last}`
}

function placed(inside: string, text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return `${inside === '' ? '' : `${pathInWords(inside)}: `}${sentence}${/[.!?]$/.test(sentence) ? '' : '.'}`
}
