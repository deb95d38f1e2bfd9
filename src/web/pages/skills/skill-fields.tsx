import { Field } from '../../components/field.tsx'
import { Input, Textarea } from '../../components/input.tsx'
import type { FormState } from '../../components/use-form.ts'
import { bytesText, countText, plural } from '../../format/count.ts'

/** What a form for a skill edits. */
export interface SkillText {
  readonly name: string
  readonly description: string
  readonly content: string
}

export const NO_TEXT: SkillText = { name: '', description: '', content: '' }

const NAME_MAX = 64
const DESCRIPTION_MAX = 1_024
const CONTENT_BYTES_MAX = 256 * 1024
/** The server's own estimate. */
const CHARACTERS_PER_TOKEN = 4

export function SkillFields({ form, saved }: { form: FormState<SkillText>; saved?: SkillText }) {
  const { name, description, content } = form.value
  return (
    <>
      <Field
        label="Name"
        name="name"
        aside={<Count of={name.length} max={NAME_MAX} />}
        hint="One line, such as house-style."
      >
        <Input {...form.text('name')} />
      </Field>
      <Field
        label="Description"
        name="description"
        aside={<Count of={description.length} max={DESCRIPTION_MAX} />}
        hint="For people and agents that choose among skills. It is not sent with requests."
      >
        <Textarea rows={2} {...form.text('description')} />
      </Field>
      <Field
        label="Content"
        name="content"
        aside="Markdown"
        hint={<Measures content={content} saved={saved?.content} />}
      >
        <Textarea
          mono
          rows={18}
          spellCheck={false}
          className="[field-sizing:content] max-h-[64dvh] min-h-88 leading-5"
          {...form.text('content')}
        />
      </Field>
    </>
  )
}

function Count({ of, max }: { of: number; max: number }) {
  return (
    <span className={of > max ? 'text-danger' : undefined}>
      {countText(of)} of {countText(max)}
    </span>
  )
}

/** The size of the text in every unit that somebody limits or pays for. */
function Measures({ content, saved }: { content: string; saved: string | undefined }) {
  const bytes = new TextEncoder().encode(content).length
  const grown = saved === undefined ? 0 : tokensOf(content) - tokensOf(saved)
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-0.5">
      <span className="font-medium text-ink">≈ {plural(tokensOf(content), 'token')}</span>
      {grown !== 0 && (
        <span>
          {grown > 0 ? '+' : '−'}
          {countText(Math.abs(grown))} since it was saved
        </span>
      )}
      <span>{plural(content.length, 'character')}</span>
      <span>{plural(content === '' ? 0 : content.split('\n').length, 'line')}</span>
      <span className={bytes > CONTENT_BYTES_MAX ? 'text-danger' : undefined}>
        {bytesText(bytes)} of {bytesText(CONTENT_BYTES_MAX)}
      </span>
    </span>
  )
}

function tokensOf(content: string): number {
  return Math.ceil(content.length / CHARACTERS_PER_TOKEN)
}
