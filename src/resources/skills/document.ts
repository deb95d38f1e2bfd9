/**
 * SKILL.md ↔ skill, pure. What is served parses back to the same skill, whatever its texts hold. Reading trusts nothing: the
 * parser's own engines (one of which runs JavaScript) are replaced, its cache is off, and the fences are checked before it.
 */
import matter from 'gray-matter'
import { isObject } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import type { SkillDocument } from './skill.ts'

const FENCE = '---'
export const FRONT_MATTER_LENGTH_MAX = 65_536
/** Longer front matter is not searched for the broken line: each line costs a parse. */
const SEARCHED_LINES_MAX = 100

export interface DocumentProblem {
  /** 1-based, in the whole document. */
  readonly line: number
  readonly field: 'name' | 'description' | 'document'
  readonly message: string
}

export function encodeDocument({ name, description, content }: SkillDocument): string {
  return `${FENCE}\nname: ${quoted(name)}\ndescription: ${quoted(description)}\n${FENCE}\n${content}`
}

/** JSON is YAML, but for characters that YAML reads as line breaks or refuses. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u00a0\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Reads a SKILL.md. The error names the line; bounds of name, description and content are the caller's. */
export function decodeDocument(text: string): Result<SkillDocument, DocumentProblem> {
  const document = text.replace(/^\ufeff/, '')
  const front = frontMatterOf(document)
  if (!front.ok) return front
  const data = parseYaml(front.value)
  if (!data.ok) return data
  const name = readText(data.value, 'name', front.value)
  if (!name.ok) return name
  const description = readText(data.value, 'description', front.value)
  if (!description.ok) return description
  return ok({ name: name.value, description: description.value, content: contentOf(document) })
}

/** The lines between the fences. */
function frontMatterOf(document: string): Result<readonly string[], DocumentProblem> {
  const head = document.slice(0, FRONT_MATTER_LENGTH_MAX + 2 * FENCE.length).split(/\r?\n/)
  const [first = '', ...lines] = head
  if (first !== FENCE) return problem(1, 'document', openingProblem(first))
  const end = lines.findIndex((line) => line.startsWith(FENCE)) // where the parser, too, would see the end
  if (end === -1) {
    const isLong = document.length > FRONT_MATTER_LENGTH_MAX
    return problem(
      1,
      'document',
      isLong ? 'the front matter is longer than 64 KB' : 'the front matter is never closed by ---',
    )
  }
  if (lines[end] !== FENCE) return problem(end + 2, 'document', 'the closing fence must be exactly ---')
  return ok(lines.slice(0, end))
}

function openingProblem(first: string): string {
  return first.startsWith(FENCE) && first.trim() !== FENCE
    ? 'the opening fence must be exactly ---, without a language'
    : 'the document must begin with a line ---'
}

type Data = Readonly<Record<string, unknown>>

function parseYaml(lines: readonly string[]): Result<Data, DocumentProblem> {
  const alias = lines.findIndex((line) => /^\s*(?:- +)*(?:[^'"#\s][^:]*: +)?[&*]\S/.test(line))
  if (alias !== -1) return problem(alias + 2, 'document', 'anchors and aliases are not allowed')
  const parsed = tryYaml(lines)
  if (parsed === undefined) return problem(brokenLine(lines), 'document', 'the front matter is not valid YAML')
  if (Array.isArray(parsed.value))
    return problem(2, 'document', 'the front matter must be one YAML document with fields')
  return isObject(parsed.value) ? ok(parsed.value) : problem(1, 'document', 'the front matter has no fields')
}

function tryYaml(lines: readonly string[]): { readonly value: unknown } | undefined {
  try {
    return { value: Bun.YAML.parse(lines.join('\n')) }
  } catch {
    return undefined // its message says neither line nor column
  }
}

/** The first line that no longer parses with those before it. */
function brokenLine(lines: readonly string[]): number {
  if (lines.length > SEARCHED_LINES_MAX) return 2
  const good = lines.findLastIndex((_, index) => tryYaml(lines.slice(0, index)) !== undefined)
  return Math.max(good, 0) + 2
}

function readText(
  data: Data,
  field: 'name' | 'description',
  lines: readonly string[],
): Result<string, DocumentProblem> {
  const isField = (line: string) =>
    new Set([field, `"${field}"`, `'${field}'`]).has(line.split(':')[0]?.trimEnd() ?? '')
  const first = lines.findIndex(isField)
  const second = lines.findLastIndex(isField)
  if (second > first) return problem(second + 2, field, `${field} is there twice`)
  const value = data[field]
  if (value === undefined) return problem(1, field, `the front matter has no ${field}`)
  if (typeof value === 'string') return ok(value)
  const kind = value === null ? 'empty' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
  return problem(first + 2, field, `${field} must be text, but it is ${kind}; put it in quotes`)
}

function contentOf(document: string): string {
  const refuse = () => ({})
  const engines = { yaml: refuse, json: refuse, javascript: refuse, js: refuse, coffee: refuse } // fields are read above
  return matter(document, { language: 'yaml', delimiters: FENCE, engines }).content
}

function problem(line: number, field: DocumentProblem['field'], message: string): Result<never, DocumentProblem> {
  return err({ line, field, message })
}
