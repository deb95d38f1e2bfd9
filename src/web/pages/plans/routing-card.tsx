import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { contentText } from '../../content-words.ts'
import { useNames } from '../../names.tsx'
import { planHref } from '../../plans.ts'
import { skills, SKILLS_LIMIT } from '../../skills.ts'
import type { Plan } from '../../wire.ts'

/** Where its requests go, what they bring along and what is kept of them. */
export function RoutingCard({ plan }: { plan: Plan }) {
  const { default_model: model, priority, log_content: logging } = plan
  return (
    <Card title="Routing and more" action={<TextLink to={`${planHref(plan)}/edit`}>Edit</TextLink>}>
      <Facts
        items={[
          ['Chain', <ChainLink key="chain" id={plan.chain_id} />],
          ['Auto', model === null ? 'as the settings say' : <code key="auto">{model}</code>],
          ['Priority', String(priority).replace('-', '−')],
          ['Skills', <SkillLinks key="skills" ids={plan.skill_ids} />],
          ['Words kept', contentText(logging)],
        ]}
      />
    </Card>
  )
}

function ChainLink({ id }: { id: string | null }) {
  const chains = useNames('/v1/chains')
  if (id === null) return <>none: where they ask to go</>
  const name = chains.find((chain) => chain.id === id)?.name ?? id
  return <TextLink to={`/chains/${encodeURIComponent(id)}`}>{name}</TextLink>
}

function SkillLinks({ ids }: { ids: readonly string[] }) {
  const listed = skills.useList({ limit: SKILLS_LIMIT }).data?.data ?? []
  if (ids.length === 0) return <>none beside the key’s own</>
  return (
    <span className="flex flex-wrap gap-x-3">
      {ids.map((id) => (
        <TextLink key={id} to={`/skills/${encodeURIComponent(id)}`}>
          {listed.find((skill) => skill.id === id)?.name ?? id}
        </TextLink>
      ))}
    </span>
  )
}
