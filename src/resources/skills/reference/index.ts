import type { SkillDocument } from '../skill.ts'
import { chat } from './chat.ts'
import { embeddings } from './embeddings.ts'
import { imageGeneration } from './image-generation.ts'
import { type GuideContext, type ReferenceSkill, renderGuide } from './reference-skill.ts'
import { routerSetup } from './router-setup.ts'
import { speechToText } from './speech-to-text.ts'
import { textToSpeech } from './text-to-speech.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'

const GUIDES: readonly ReferenceSkill[] = [
  chat,
  imageGeneration,
  textToSpeech,
  speechToText,
  embeddings,
  webSearch,
  webFetch,
]
const ALL: readonly ReferenceSkill[] = [routerSetup(GUIDES), ...GUIDES]

/** The guide with this slug, for this address; undefined when there is none. */
export function referenceSkill(slug: string, context: GuideContext): SkillDocument | undefined {
  const guide = ALL.find((candidate) => candidate.slug === slug)
  return guide === undefined ? undefined : renderGuide(guide, context)
}
