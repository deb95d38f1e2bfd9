import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiError } from '../../api-error.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { classNames } from '../../components/class-names.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Switch } from '../../components/switch.tsx'
import { TextLink } from '../../components/text-link.tsx'
import type { Key, List, Skill } from '../../wire.ts'
import { type Reach, reachOf, switchSentence } from './reach.ts'

const NAMED_FIRST = 8

interface EveryoneCardProps {
  readonly skill: Skill
  /** Undefined until the keys are known. */
  readonly reach: Reach | undefined
  readonly onToggle: (enabled: boolean) => void
}

/** The switch, and what it does to every request. */
export function EveryoneCard({ skill, reach, onToggle }: EveryoneCardProps) {
  return (
    <Card
      title="For everyone"
      action={<Switch hideLabel label="For everyone" checked={skill.enabled} onChange={onToggle} />}
    >
      <p className="text-dense text-muted">{reach ? switchSentence(reach, skill) : plainSentence(skill)}</p>
    </Card>
  )
}

function plainSentence({ enabled }: Skill): string {
  return enabled ? 'Added to every request.' : 'Off: only requests of keys that name it carry it.'
}

/** The keys that name the skill themselves. */
export function UsedByCard({ skill, keys }: { skill: Skill; keys: UseQueryResult<List<Key>, ApiError> }) {
  return (
    <Card title="Keys that name it" aside={keys.data && String(reachOf(skill, keys.data.data).naming.length)}>
      <Loaded query={keys} what="The keys could not be read">
        {({ data }) => <NamingKeys naming={reachOf(skill, data).naming} />}
      </Loaded>
    </Card>
  )
}

function NamingKeys({ naming }: { naming: readonly Key[] }) {
  const [isWhole, setWhole] = useState(false)
  if (naming.length === 0) {
    return <p className="text-dense text-muted">None. A key carries it without the switch once it names it.</p>
  }
  const shown = isWhole ? naming : naming.slice(0, NAMED_FIRST)
  return (
    <>
      <ul className="grid gap-1.5 text-dense">
        {shown.map((key) => (
          <li key={key.id} className="flex items-center gap-2">
            <TextLink to={`/keys/${key.id}`} className="min-w-0 truncate">
              {key.name}
            </TextLink>
            {key.skills_mode === 'none' && <Badge tone="caution">uses no skills</Badge>}
            {key.skills_mode === 'only' && <Badge>only its own</Badge>}
          </li>
        ))}
      </ul>
      {shown.length < naming.length && (
        <Button small tone="quiet" className="mt-2" onClick={() => setWhole(true)}>
          Show all {naming.length}
        </Button>
      )}
    </>
  )
}

/** The place of the text in the prompt that a provider gets. */
export function PlaceCard({ name }: { name: string }) {
  const parts = ['Tools', 'System prompt of the client', name, 'Messages']
  return (
    <Card title="Where it goes">
      <ol className="grid gap-1 text-caption">
        {parts.map((part, at) => (
          <li
            key={at}
            className={classNames(
              'truncate rounded-chip border px-2 py-1',
              part === name
                ? 'border-accent bg-accent-soft font-medium text-accent-ink'
                : 'border-line bg-sunken text-muted',
            )}
          >
            {part}
          </li>
        ))}
      </ol>
      <p className="mt-2 text-caption text-muted">
        After the client’s own text, so that its cache survives. A change of the skill costs each session one cache
        write.
      </p>
    </Card>
  )
}
