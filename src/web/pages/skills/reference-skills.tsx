import { Card } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { OpenDocument } from './address-card.tsx'

/** The guides that the gateway writes itself, by the last part of their address. */
const GUIDES = [
  ['router-setup', 'Point a client at this gateway, and find the other guides'],
  ['chat', 'Talk to any model'],
  ['image-generation', 'Make images from text'],
  ['text-to-speech', 'Turn text into speech'],
  ['speech-to-text', 'Transcribe recordings'],
  ['embeddings', 'Turn texts into vectors'],
  ['web-search', 'Search the web'],
  ['web-fetch', 'Read a web page'],
] as const

/** Ready-made documents that teach an agent to use this gateway. They are never added to requests. */
export function ReferenceSkills() {
  return (
    <Card title="For agents, built in" aside={`${GUIDES.length} guides`} flush>
      <p className="px-4 pt-3 text-dense text-muted">
        Give an agent one of these addresses, and it can use this gateway. They name the address you are at, and are
        never added to requests. A guide to something that this build does not serve says so.
      </p>
      <ul className="grid grid-cols-1 gap-x-6 px-4 py-2 md:grid-cols-2 2xl:grid-cols-4">
        {GUIDES.map(([slug, purpose]) => (
          <Guide key={slug} path={`/skills/${slug}/SKILL.md`} slug={slug} purpose={purpose} />
        ))}
      </ul>
    </Card>
  )
}

function Guide({ path, slug, purpose }: { path: string; slug: string; purpose: string }) {
  const address = `${location.origin}${path}`
  return (
    <li className="flex min-h-11 items-center gap-2 py-1">
      <span className="min-w-0 flex-1">
        <span className="block truncate text-dense font-medium">{purpose}</span>
        <code className="block truncate text-caption text-muted">{path}</code>
      </span>
      <CopyButton text={address} label={`Copy the address of ${slug}`} />
      <OpenDocument href={address} label={`Open ${slug} in a new tab`} />
    </li>
  )
}
