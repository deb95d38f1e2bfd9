/** Three ways to damage a stream: its bytes, the order of its frames, the values of their JSON. */
import type { Frame } from '../../src/core/framing/frame.ts'
import type { Dice } from './dice.ts'

const DAMAGES_MAX = 4
const INSERTED_BYTES_MAX = 12
/** Deeper than what can be walked by recursion. */
const DEPTH = 20_000
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`
/** Stands for `DEEP` until the value around it is text: nothing that deep can be written as JSON. */
const DEEP_MARK = '\u0001deep'
/** A longer text is not taken apart: it is what an earlier damage made. */
const TEXT_LENGTH_MAX = 30_000
const NOTHING = new Uint8Array(0)

/** `other` is a stream of the same kind, to take pieces from. */
export function damagedBytes(dice: Dice, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  let damaged = bytes
  for (let left = dice.below(DAMAGES_MAX) + 1; left > 0; left--) damaged = damageBytes(dice, damaged, other)
  return damaged
}

function damageBytes(dice: Dice, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  const from = dice.below(bytes.length)
  const to = from + dice.below(Math.min(64, bytes.length - from) + 1)
  const [before, middle, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
  switch (dice.below(7)) {
    case 0:
      return Buffer.concat([before, after])
    case 1:
      return Buffer.concat([before, middle, middle, after])
    case 2:
      return Buffer.concat([before, noise(dice), after])
    case 3:
      return before
    case 4:
      return Buffer.concat([before, other.subarray(dice.below(other.length))])
    case 5:
      return Buffer.concat([after, middle, before])
    default:
      return flipped(dice, bytes)
  }
}

function noise(dice: Dice): Uint8Array {
  const ends = ['\n', '\r', '\r\n\r\n', 'data:', ': ', '\uFEFF', '[DONE]', '\0', ',', ']', '{"', '\ud83d']
  if (dice.once(2)) return Buffer.from(dice.of(ends))
  return Uint8Array.from({ length: dice.below(INSERTED_BYTES_MAX) }, () => dice.below(256))
}

function flipped(dice: Dice, bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const at = dice.below(copy.length)
  copy[at] = (copy[at] ?? 0) ^ (1 << dice.below(8))
  return copy
}

export function damagedFrames(dice: Dice, frames: readonly Frame[], others: readonly Frame[]): readonly Frame[] {
  const damaged = [...frames]
  for (let left = dice.below(DAMAGES_MAX) + 1; left > 0; left--) damageFrames(dice, damaged, others)
  return damaged
}

function damageFrames(dice: Dice, frames: Frame[], others: readonly Frame[]): void {
  const at = dice.below(frames.length)
  const frame = frames[at]
  if (frame === undefined) return
  switch (dice.below(6)) {
    case 0:
      frames.splice(at, 1)
      break
    case 1:
      frames.splice(at, 0, frame)
      break
    case 2:
      frames.splice(at, 1)
      frames.splice(dice.below(frames.length + 1), 0, frame)
      break
    case 3:
      frames.splice(at, 0, ...others.slice(dice.below(others.length), dice.below(others.length + 1)))
      break
    default:
      frames[at] = withChangedJson(dice, frame)
  }
}

function withChangedJson(dice: Dice, { event, data }: Frame): Frame {
  const name = dice.once(8) ? dice.of(['', 'error', 'ping', 'message_stop', 'response.completed']) : event
  return { event: name, data: changedJson(dice, data), bytes: NOTHING }
}

/** The text of a JSON value with one value in it replaced, doubled under another name, or taken out. */
export function changedJson(dice: Dice, text: string): string {
  const value = text.length > TEXT_LENGTH_MAX ? undefined : parsed(text)
  if (value === undefined || dice.once(16)) return oddText(dice)
  const places = placesIn(value)
  const place = places[dice.below(places.length)]
  if (place === undefined) return JSON.stringify(oddValue(dice))
  const { holder, name } = place
  if (dice.once(5)) delete holder[name]
  else if (dice.once(6)) holder[`${name}_`] = holder[name]
  else holder[name] = dice.once(6) ? places[dice.below(places.length)]?.holder[name] : oddValue(dice)
  return stringified(value)
}

interface Place {
  readonly holder: Record<string, unknown>
  readonly name: string
}

function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return []
  // Arrays have their places by name as objects do.
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])])
}

function oddValue(dice: Dice): unknown {
  return dice.of<unknown>([
    null,
    '',
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER + 2,
    true,
    [],
    {},
    [null],
    [[]],
    { type: 'text' },
    'error',
    '\ud83d',
    '"\\',
    '__proto__',
    'constructor',
    'x'.repeat(5_000),
    DEEP_MARK,
  ])
}

function oddText(dice: Dice): string {
  return dice.of([
    '',
    '[DONE]',
    'null',
    '[]',
    '{}',
    '0',
    '"text"',
    '{"error":"x"}',
    '{"error":{"message":1}}',
    '{"__proto__":{"type":"error"}}',
    DEEP,
    `${'{"type":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`,
  ])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a mark, or what was damaged before
  }
}

function stringified(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? '').replace(JSON.stringify(DEEP_MARK), DEEP)
  } catch {
    return '{}' // a value that a copy made part of itself
  }
}
