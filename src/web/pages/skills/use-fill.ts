import { useCallback, useState } from 'react'
import { useAnnounce, useToasts } from '../../app-context.ts'
import type { FormState } from '../../components/use-form.ts'
import type { HandedOver } from './data.ts'
import type { SkillText } from './skill-fields.tsx'

/** Puts an uploaded document into a form for review, and offers to take that back. Returns the file's name once it is there. */
export function useFill(form: FormState<SkillText>): readonly [string | undefined, (upload: HandedOver) => void] {
  const [fileName, setFileName] = useState<string>()
  const toasts = useToasts()
  const announce = useAnnounce()
  const { set, value } = form
  const fill = useCallback(
    ({ fileName, document }: HandedOver) => {
      const before = value
      const put = ({ name, description, content }: SkillText): void => {
        set('name', name)
        set('description', description)
        set('content', content)
      }
      put(document)
      setFileName(fileName)
      announce(`The form is filled from ${fileName}`)
      if (before.content === '') return
      toasts.done(`The text was replaced by ${fileName}, and is not saved yet`, () => {
        put(before)
        setFileName(undefined)
      })
    },
    [set, value, toasts, announce],
  )
  return [fileName, fill]
}
