/** The name that an answer carries, where a rule wants its own there: a splice of one value in bytes that pass through. */
import { bufferOf } from '../../core/json-scan.ts'

export type RenameModel = (bytes: Uint8Array) => Uint8Array

/** A key at its own place: a quote inside a text is escaped. */
const NAMED = /"(?:model|modelVersion)"\s*:\s*"((?:[^"\\]|\\.)*)"/g
const MARK = Buffer.from('"model')

/**
 * Puts `name` where the provider named the model that it was asked for, with its date or without; another model that an answer
 * mentions, such as a tool's, keeps its name.
 */
export function renameModel(asked: string, name: string): RenameModel {
  const isMeant = (said: string): boolean => said !== '' && (said.startsWith(asked) || asked.startsWith(said))
  const quoted = JSON.stringify(name)
  return (bytes) => {
    const buffer = bufferOf(bytes)
    if (!buffer.includes(MARK)) return bytes
    const text = buffer.toString('utf8')
    const renamed = text.replace(NAMED, (whole, said: string) =>
      isMeant(said) ? whole.slice(0, whole.length - said.length - 2) + quoted : whole,
    )
    return renamed === text ? bytes : Buffer.from(renamed, 'utf8')
  }
}
