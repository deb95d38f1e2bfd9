/**
 * The arguments of a call that come in pieces, each with the place where it belongs. Only hosts that are asked for it send them so.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling (read 2026-11-21)
 */
import { asArray, asString, isObject, type Json, type JsonObject } from '../../core/json.ts'

const DEPTH_MAX = 64
const INDEX_MAX = 10_000
/** Places of all lists together that no piece was for when a later one was filled. */
const GAPS_MAX = 10_000
/** Names that mean something else than a member to whoever reads the arguments carelessly. */
const DANGEROUS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

type Step = string | number
type Node = Map<Step, Node | Json>

export class PartialArgs {
  readonly #root: Node = new Map()
  #gapsLeft = GAPS_MAX

  /** A piece whose place is none is left out. */
  add(pieces: Json | undefined): void {
    for (const piece of (asArray(pieces) ?? []).filter(isObject)) {
      const steps = stepsOf(asString(piece['jsonPath']) ?? '')
      const value = valueOf(piece)
      if (steps !== undefined && value !== undefined && this.#gapsLeft >= 0) this.#put(steps, value)
    }
  }

  object(): JsonObject {
    const value = plain(this.#root)
    return isObject(value) ? value : {}
  }

  /** Texts of one place belong behind one another. */
  #put(steps: readonly Step[], value: Json): void {
    let node = this.#root
    for (const step of steps.slice(0, -1)) {
      this.#countGap(node, step)
      const next = node.get(step)
      const inner: Node = next instanceof Map ? next : new Map()
      if (inner !== next) node.set(step, inner)
      node = inner
    }
    const last = steps.at(-1)
    if (last === undefined) return
    this.#countGap(node, last)
    const before = node.get(last)
    node.set(last, typeof before === 'string' && typeof value === 'string' ? before + value : value)
  }

  #countGap(node: Node, step: Step): void {
    if (typeof step === 'number' && !node.has(step)) this.#gapsLeft -= Math.max(0, step - node.size)
  }
}

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y

/** `$.a[0]['b']` as steps; undefined when it is something else, too deep, or dangerous. */
function stepsOf(path: string): readonly Step[] | undefined {
  if (!path.startsWith('$')) return undefined
  const steps: Step[] = []
  const pattern = new RegExp(STEP)
  for (pattern.lastIndex = 1; pattern.lastIndex < path.length;) {
    const match = pattern.exec(path)
    if (match === null || steps.length >= DEPTH_MAX) return undefined
    const [, dotted, index, single, double] = match
    const step = index === undefined ? (dotted ?? single ?? double ?? '') : Number(index)
    if (typeof step === 'number' ? step > INDEX_MAX : DANGEROUS.has(step)) return undefined
    steps.push(step)
  }
  return steps.length === 0 ? undefined : steps
}

function valueOf(piece: JsonObject): Json | undefined {
  const { stringValue, numberValue, boolValue } = piece
  return stringValue ?? numberValue ?? boolValue ?? ('nullValue' in piece ? null : undefined)
}

/** Numbered members are a list; gaps in it are null. */
function plain(value: Node | Json): Json {
  if (!(value instanceof Map)) return value
  const entries = [...value].map(([step, inner]) => [step, plain(inner)] as const)
  if (!entries.every(([step]) => typeof step === 'number') || entries.length === 0)
    return Object.fromEntries(entries.map(([step, inner]) => [String(step), inner]))
  const list: Json[] = Array.from({ length: Math.max(...entries.map(([step]) => Number(step))) + 1 }, () => null)
  for (const [step, inner] of entries) list[Number(step)] = inner
  return list
}
