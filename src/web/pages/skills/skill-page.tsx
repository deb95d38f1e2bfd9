import { Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { usePathParam } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { Form } from '../../components/form.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useForm } from '../../components/use-form.ts'
import { Page } from '../../shell/page.tsx'
import type { Skill } from '../../wire.ts'
import { AddressCard } from './address-card.tsx'
import { skills, useEveryKey, useToggle } from './data.ts'
import { DeleteSkill } from './delete-skill.tsx'
import { EveryoneCard, PlaceCard, UsedByCard } from './reach-cards.tsx'
import { reachOf } from './reach.ts'
import { SkillFields, type SkillText } from './skill-fields.tsx'
import { DropArea, UploadButton, UploadFailure, useSkillUpload } from './upload.tsx'
import { useFill } from './use-fill.ts'

const TRAIL = [{ label: 'Skills', to: '/skills' }] as const

export default function SkillPage() {
  const id = usePathParam('skillId')
  const query = skills.useOne(id)
  if (query.data === undefined) {
    return (
      <Page title="Skill" trail={TRAIL}>
        <Card>
          <Loaded query={query} what="This skill could not be read">
            {() => null}
          </Loaded>
        </Card>
      </Page>
    )
  }
  return <Shown key={id} skill={query.data} onReload={() => void query.refetch()} />
}

function Shown({ skill, onReload }: { skill: Skill; onReload: () => void }) {
  const keys = useEveryKey()
  const toggle = useToggle()
  const deletion = useRef<HTMLDialogElement>(null)
  const form = useSkillForm(skill)
  const [fileName, fill] = useFill(form)
  const upload = useSkillUpload(fill)
  const reach = keys.data && reachOf(skill, keys.data.data)
  return (
    <Page
      title={skill.name}
      docs="skills"
      trail={TRAIL}
      lead={
        <span className="text-caption text-muted">
          version {skill.version}, changed <RelativeTime at={skill.updated_at} />
        </span>
      }
      actions={
        <>
          <UploadButton upload={upload} />
          <IconButton icon={Trash2} label="Delete this skill" bordered onClick={() => deletion.current?.showModal()} />
        </>
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,105rem)_minmax(22rem,1fr)]">
        <DropArea upload={upload}>
          <Card>
            <Form form={form} onReload={onReload}>
              <UploadFailure upload={upload} />
              {fileName !== undefined && form.isDirty && (
                <Callout tone="info">Filled from {fileName}. Look it over: nothing is saved yet.</Callout>
              )}
              <SkillFields form={form} saved={skill} />
            </Form>
          </Card>
        </DropArea>
        <div className="grid min-w-0 gap-4">
          <EveryoneCard skill={skill} reach={reach} onToggle={(enabled) => void toggle(skill, enabled)} />
          <UsedByCard skill={skill} keys={keys} />
          <PlaceCard name={skill.name} />
          <AddressCard url={skill.url} />
        </div>
      </div>
      <DeleteSkill dialog={deletion} skill={skill} reach={reach} onSwitchOff={() => void toggle(skill, false)} />
    </Page>
  )
}

/**
 * A form that saves over the text it was begun from. Switching the skill on or off meanwhile changes its version but not its
 * text, and is no reason to refuse.
 */
function useSkillForm(skill: Skill) {
  const change = skills.useChange()
  const toasts = useToasts()
  const base = useRef(skill)
  const form = useForm<SkillText>({
    initial: textOf(skill),
    save: async ({ changes, overwrite }) => {
      const version = overwrite ? undefined : base.current.version
      const { name } = await change.mutateAsync({ id: skill.id, draft: changes, version })
      toasts.done(`Skill “${name}” saved. The next request carries the new text.`)
    },
  })
  useEffect(() => {
    if (!form.isDirty || isSameText(base.current, skill)) base.current = skill
  }, [form.isDirty, skill])
  return form
}

function textOf({ name, description, content }: Skill): SkillText {
  return { name, description, content }
}

function isSameText(a: SkillText, b: SkillText): boolean {
  return a.name === b.name && a.description === b.description && a.content === b.content
}
