/** Which program a file comes from, by what is in it. */
import { YAML } from 'bun'
import { asArray, isObject, type JsonObject, parseJson } from '../../core/json.ts'
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
  const root = rootOf(text)
  if (root !== undefined && asArray(root['model_list']) !== undefined) return ok(readLitellm(root, variables))
  if (root !== undefined && asArray(root['providerConnections']) !== undefined) return ok(readNineRouter(root))
  const set = root === undefined ? parseVariables(text) : undefined
  return set === undefined ? err(UNKNOWN) : ok(readEnvFile(set))
}

const UNKNOWN =
  'is neither a LiteLLM configuration (model_list), nor a 9router backup (providerConnections), nor a file of variables'

/** Undefined where the text is no object in JSON or YAML. */
function rootOf(text: string): JsonObject | undefined {
  const json = parseJson(text)
  if (json !== undefined) return isObject(json) ? json : undefined
  try {
    const yaml: unknown = YAML.parse(text)
    return isObject(yaml) ? yaml : undefined
  } catch {
    return undefined // it may be a file of variables
  }
}
