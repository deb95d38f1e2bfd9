/** A tool that takes free text, for formats that know functions alone: a function of one string, unwrapped when it is called. */
import { asObject, asString, type JsonObject, parseJson } from '../../core/json.ts'
import type { ChatRequest } from '../neutral.ts'

export const FREE_TEXT_SCHEMA: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

/** Names as sent of a request's tools of free text, as `EncodedRequest.customTools` has them. */
export function freeTextTools(
  { tools }: ChatRequest,
  sentNames: ReadonlyMap<string, string>,
): { readonly customTools?: ReadonlySet<string> } {
  const names = tools.filter(({ kind }) => kind === 'custom').map(({ name }) => sentNames.get(name) ?? name)
  return names.length === 0 ? {} : { customTools: new Set(names) }
}

/** The text inside `{"input": …}`; arguments of another shape are given as they are. */
export function unwrapFreeText(argumentsText: string): string {
  return asString(asObject(parseJson(argumentsText))?.['input']) ?? argumentsText
}
