import type { SkillDocument } from '../skill.ts'

/** What a guide is written for: the address it was asked from, and what this build answers there. */
export interface GuideContext {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly servedPaths: ReadonlySet<string>
}

/** A guide for agents, ready-made. Its slug is its address: `/skills/<slug>/SKILL.md`. */
export interface ReferenceSkill {
  readonly slug: string
  readonly title: string
  readonly description: string
  /** The endpoints that it explains. */
  readonly paths: readonly string[]
  readonly body: (context: GuideContext) => string
}

/** The guide as a document; a first line says which of its endpoints this build does not serve yet. */
export function renderGuide(guide: ReferenceSkill, context: GuideContext): SkillDocument {
  const missing = guide.paths.filter((path) => !context.servedPaths.has(path))
  const notice = missing.length === 0 ? '' : `> This build does not serve ${missing.join(', ')} yet.\n\n`
  const content = `# ${guide.title}\n\n${notice}${guide.body(context).trim()}\n`
  return { name: guide.slug, description: guide.description, content }
}

/** How every call authenticates; the same few lines in each guide, so that one alone is enough. */
export function authentication(baseUrl: string): string {
  return `Base URL: \`${baseUrl}\`. Send the gateway key as \`Authorization: Bearer $SIGNALBOX_KEY\` or \`x-api-key: $SIGNALBOX_KEY\`.
The key begins with \`sk-sbx-\`; whoever runs this gateway issues it. Never print it.
Models are named \`<provider>/<model>\`; \`GET ${baseUrl}/v1/models\` lists those that the key may use.`
}
