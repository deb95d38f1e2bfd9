import { ScrollText } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { plural } from '../../format/count.ts'
import { skills, SKILLS_LIMIT } from '../../skills.ts'
import type { Key, Skill } from '../../wire.ts'
import { keyHref } from './data.ts'

/** The skills that this key brings along itself. */
export function SkillsCard({ stored }: { stored: Key }) {
  const query = skills.useList({ limit: SKILLS_LIMIT })
  const { skill_ids: ids, skills_mode: mode } = stored
  const own = (query.data?.data ?? []).filter(({ id }) => ids.includes(id))
  const tokens = own.filter(({ enabled }) => enabled).reduce((sum, skill) => sum + skill.tokens, 0)
  return (
    <Card
      title="Skills"
      aside={mode !== 'none' && tokens > 0 && `${plural(tokens, 'token')} in every request`}
      action={<TextLink to={`${keyHref(stored)}/edit`}>Edit</TextLink>}
    >
      {mode === 'none' ? (
        <p className="text-dense text-muted">None. Its requests pass without skills.</p>
      ) : (
        <>
          <p className="mb-1 text-dense text-muted">
            {mode === 'only' ? 'These alone.' : own.length > 0 ? 'Everybody’s, and these.' : 'Those of everybody.'}
          </p>
          <Loaded query={query} what="The skills could not be read">
            {() => <SkillLines skills={own} />}
          </Loaded>
        </>
      )}
    </Card>
  )
}

function SkillLines({ skills }: { skills: readonly Skill[] }) {
  return (
    <ul>
      {skills.map(({ id, name, tokens, enabled }) => (
        <li key={id} className="flex h-9 items-center gap-2.5 border-b border-line text-dense last:border-b-0">
          <ScrollText aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
          <TextLink to={`/skills/${id}`} className="min-w-0 truncate font-medium text-ink">
            {name}
          </TextLink>
          {!enabled && <Badge>switched off</Badge>}
          <span className="ml-auto text-muted">{plural(tokens, 'token')}</span>
        </li>
      ))}
    </ul>
  )
}
