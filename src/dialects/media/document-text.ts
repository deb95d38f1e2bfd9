import type { DocumentPart } from '../neutral.ts'

/** A document of text, under its title; undefined when it is not text. */
export function documentText({ source, title, context }: DocumentPart): string | undefined {
  const text =
    source.kind === 'text'
      ? source.text
      : source.kind === 'base64' && source.mime.startsWith('text/')
        ? Buffer.from(source.data, 'base64').toString('utf8')
        : undefined
  if (text === undefined) return undefined
  const name = title ?? source.filename
  return [name, context, text].filter((piece) => piece !== undefined && piece !== '').join('\n\n')
}
