import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { Card } from '../../components/card.tsx'
import { DESTINATIONS } from '../../shell/destinations.ts'
import type { SectionId } from '../../shell/sections.ts'

/** What people do once the first answer is there; what this build lacks is left out. */
const STEPS: readonly { readonly section: SectionId; readonly title: string; readonly detail: string }[] = [
  { section: 'chains', title: 'Put two accounts in a chain', detail: 'When one refuses, the next answers' },
  { section: 'providers', title: 'Look after your accounts', detail: 'Test them, order them, see what rests' },
  { section: 'keys', title: 'Bound a key', detail: 'Which models, from where, until when' },
  { section: 'skills', title: 'Add a skill', detail: 'Text for the system prompt of every tool' },
]

export function NextSteps() {
  const offered = STEPS.flatMap((step) => {
    const destination = DESTINATIONS.find(({ id }) => id === step.section)
    return destination === undefined ? [] : [{ ...step, to: destination.to, icon: destination.icon }]
  })
  if (offered.length === 0) return null
  return (
    <Card title="Then" flush>
      <ul>
        {offered.map(({ section, title, detail, to, icon: Icon }) => (
          <li key={section} className="border-b border-line last:border-b-0">
            <Link
              to={to}
              className="flex min-h-13 items-center gap-3 px-4 py-2 text-dense hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-accent" />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{title}</span>
                <span className="block text-caption text-muted">{detail}</span>
              </span>
              <ChevronRight aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
