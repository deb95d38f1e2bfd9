import { FileX, KeyRound, Link2Off, ScrollText } from 'lucide-react'
import type { RefObject } from 'react'
import { useGo } from '../../address.ts'
import { useToasts } from '../../app-context.ts'
import { type Consequence, ConfirmDestructive } from '../../components/confirm-destructive.tsx'
import { plural } from '../../format/count.ts'
import type { Key, Skill } from '../../wire.ts'
import { skills, useRenewKeys } from './data.ts'
import type { Reach } from './reach.ts'

const NAMED_FIRST = 3

export interface DeleteSkillProps {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly skill: Skill
  readonly reach: Reach | undefined
  readonly onSwitchOff: () => void
}

/** Says which keys lose the skill. Its name has to be typed only when some do. */
export function DeleteSkill({ dialog, skill, reach, onSwitchOff }: DeleteSkillProps) {
  const remove = skills.useRemove()
  const renewKeys = useRenewKeys()
  const toasts = useToasts()
  const go = useGo()
  return (
    <ConfirmDestructive
      dialog={dialog}
      title={`Delete skill “${skill.name}”?`}
      consequences={consequencesOf(skill, reach)}
      act="Delete"
      onConfirm={async () => {
        await remove.mutateAsync(skill.id)
        toasts.done(`Skill “${skill.name}” deleted`)
        go('/skills', { replace: true })
        await renewKeys()
      }}
      {...((reach?.naming.length ?? 0) > 0 && { typeToConfirm: skill.name })}
      {...(skill.enabled && { instead: { label: 'Switch off instead', onClick: onSwitchOff } })}
    />
  )
}

function consequencesOf({ enabled, tokens }: Skill, reach: Reach | undefined): Consequence[] {
  return [
    namingConsequence(reach),
    {
      icon: ScrollText,
      tone: enabled ? 'caution' : 'plain',
      text: enabled
        ? `It is on for everyone: requests go on without its ${plural(tokens, 'token')}.`
        : 'It is off for everyone: other keys notice nothing.',
    },
    { icon: Link2Off, tone: 'caution', text: 'Its public address is gone: agents that read it there find nothing.' },
    { icon: FileX, tone: 'caution', text: 'Its text cannot be brought back.' },
  ]
}

function namingConsequence(reach: Reach | undefined): Consequence {
  if (reach === undefined) return { icon: KeyRound, tone: 'caution', text: 'Keys that name it lose it.' }
  const { naming } = reach
  if (naming.length === 0) return { icon: KeyRound, tone: 'plain', text: 'No key names it.' }
  const verb = naming.length === 1 ? 'loses it, and goes' : 'lose it, and go'
  return { icon: KeyRound, tone: 'danger', text: `${namesOf(naming)} ${verb} on without it.` }
}

/** `laptop, ci-bot and 3 more keys`. */
function namesOf(keys: readonly Key[]): string {
  const names = keys.slice(0, NAMED_FIRST).map(({ name }) => name)
  const rest = keys.length - names.length
  const last = rest > 0 ? `${plural(rest, 'more key')}` : names.pop()
  return names.length === 0 ? `The key ${last}` : `${names.join(', ')} and ${last}`
}
