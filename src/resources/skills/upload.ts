import { err, ok, type Result } from '../../core/result.ts'
import { readBytes } from '../../http/json-body.ts'
import { invalid, type Refusal, refusal } from '../../http/refusal.ts'
import { decodeDocument } from './document.ts'
import { type SkillDocument, skillProblems } from './skill.ts'

export const UPLOAD_BYTES_MAX = 1024 * 1024
const PARTS_MAX = 16

/**
 * The skill in an uploaded SKILL.md: `text/markdown`, or the part `file` of a form, whose file name is ignored. Nothing is
 * saved. Refusals: `too_large`, `media_type`, `malformed`, `invalid` with the line.
 */
export async function readUpload(request: Request): Promise<Result<SkillDocument, Refusal>> {
  const contentType = request.headers.get('content-type') ?? ''
  const isForm = /^multipart\/form-data\s*;/i.test(contentType)
  if (!isForm && !/^text\/markdown\s*(?:;|$)/i.test(contentType)) {
    return err(refusal('media_type', 'send text/markdown, or multipart/form-data with the document as "file"'))
  }
  const body = await readBytes(request, UPLOAD_BYTES_MAX)
  if (!body.ok) return body
  const bytes = isForm ? await filePart(body.value, contentType) : body
  if (!bytes.ok) return bytes
  const text = decodeUtf8(bytes.value)
  return text.ok ? readDocument(text.value) : text
}

function readDocument(text: string): Result<SkillDocument, Refusal> {
  const document = decodeDocument(text)
  if (!document.ok) {
    const { line, field, message } = document.error
    return err(invalid({ [field]: [`line ${line}: ${message}`] }))
  }
  const problems = skillProblems(document.value)
  return Object.keys(problems).length > 0 ? err(invalid(problems)) : document
}

async function filePart(bytes: Uint8Array, contentType: string): Promise<Result<Uint8Array, Refusal>> {
  const form = await parseForm(bytes, contentType)
  if (form === undefined) return err(refusal('malformed', 'the form cannot be read'))
  const parts = [...form.entries()]
  if (parts.length > PARTS_MAX) return err(refusal('malformed', `the form has more than ${PARTS_MAX} parts`))
  const [file, ...more] = form.getAll('file')
  if (file === undefined || more.length > 0) return err(invalid({ file: ['must be there once'] }))
  return ok(typeof file === 'string' ? Buffer.from(file) : new Uint8Array(await file.arrayBuffer()))
}

type Form = Awaited<ReturnType<Response['formData']>>

async function parseForm(bytes: Uint8Array, contentType: string): Promise<Form | undefined> {
  try {
    return await new Response(Buffer.from(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch {
    return undefined // a boundary that is missing or never ends
  }
}

function decodeUtf8(bytes: Uint8Array): Result<string, Refusal> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return err(refusal('malformed', 'the document is not UTF-8'))
  }
}
