import { useEffect, useRef, useState } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { Skill } from '../../wire.ts'
import { skills, useHandOver } from './data.ts'
import { NO_TEXT, SkillFields, type SkillText } from './skill-fields.tsx'
import { DropArea, UploadButton, UploadFailure, useSkillUpload } from './upload.tsx'
import { useFill } from './use-fill.ts'

/** Written here, or filled from a SKILL.md and looked over before anything is saved. */
export default function NewSkillPage() {
  const go = useGo()
  const toasts = useToasts()
  const create = skills.useCreate()
  const created = useRef<Skill>(undefined)
  const form = useForm<SkillText>({
    initial: NO_TEXT,
    save: async ({ value }) => {
      created.current = await create.mutateAsync(value)
    },
  })
  const [fileName, fill] = useFill(form)
  const upload = useSkillUpload(fill)
  useHandedOver(fill)
  function onSaved(): void {
    if (created.current === undefined) return
    toasts.done(`Skill “${created.current.name}” created, switched off`)
    go(`/skills/${created.current.id}`, { replace: true })
  }
  return (
    <Page
      title="New skill"
      docs="skills"
      trail={[{ label: 'Skills', to: '/skills' }]}
      actions={<UploadButton upload={upload} />}
      width="form"
    >
      <DropArea upload={upload}>
        <Card>
          <Form form={form} isNew saveLabel="Create skill" onCancel={() => go('/skills')} onSaved={onSaved}>
            <UploadFailure upload={upload} />
            {fileName === undefined ? (
              <p className="text-dense text-muted">
                A skill is text added to the system prompt. Write it here, or upload or drop a SKILL.md.
              </p>
            ) : (
              <Callout tone="info">Filled from {fileName}. Look it over: nothing is saved yet.</Callout>
            )}
            <SkillFields form={form} />
          </Form>
        </Card>
      </DropArea>
    </Page>
  )
}

/** Fills the form once with a document that was uploaded on the list. */
function useHandedOver(fill: ReturnType<typeof useFill>[1]): void {
  const handOver = useHandOver()
  const [upload] = useState(handOver.peek)
  const isTaken = useRef(false)
  useEffect(() => {
    if (upload === undefined || isTaken.current) return
    isTaken.current = true
    handOver.clear()
    fill(upload)
  }, [upload, handOver, fill])
}
