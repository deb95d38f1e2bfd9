/** Which program a file comes from, by what is in it. */
import { YAML } from 'bun'
import { asArray, isObject, parseJson } from '../../core/json.ts'
import { err, ok, type Result } from '../../core/result.ts'
import { parseVariables, readEnvFile } from './env-file.ts'
import type { Found, Variables } from './found.ts'
import { readLitellm } from './litellm.ts'
import { readNineRouter } from './nine-router.ts'

/** A configuration of thousands of models is smaller. */
export const FILE_BYTES_MAX = 8 * 1_024 * 1_024

/** `variables`: what the file leaves to the environment. The error is one sentence. */
export function readFound(text: string, variables: Variables): Result<Found, string> {
  if (Buffer.byteLength(text) > FILE_BYTES_MAX) return err(`is larger than ${FILE_BYTES_MAX / 1_024 / 1_024} MiB`)
  const parsed = parsedFrom(text)
  const root = parsed.ok && isObject(parsed.value) ? parsed.value : undefined
  if (root !== undefined && asArray(root['model_list']) !== undefined) return ok(readLitellm(root, variables))
  if (root !== undefined && asArray(root['providerConnections']) !== undefined) return ok(readNineRouter(root))
  const set = root === undefined ? parseVariables(text) : undefined
  if (set !== undefined) return ok(readEnvFile(set))
  return err(
    parsed.ok ? UNKNOWN : `is neither JSON nor YAML that can be read (${parsed.error}), nor a file of variables`,
  )
}

const UNKNOWN =
  'is neither a LiteLLM configuration (model_list), nor a 9router backup (providerConnections), nor a file of variables'

/** The error is the parser's, which repeats nothing of the text. */
function parsedFrom(text: string): Result<unknown, string> {
  const json = parseJson(text)
  if (json !== undefined) return ok(json)
  try {
    return ok(YAML.parse(text))
  } catch (thrown) {
    return err(thrown instanceof Error ? thrown.message : String(thrown))
  }
}
