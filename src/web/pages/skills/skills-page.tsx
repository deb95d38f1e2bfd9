import { Plus } from 'lucide-react'
import { useCallback } from 'react'
import { useGo, useSearch } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useListAddress } from '../../components/use-list-address.ts'
import { plural } from '../../format/count.ts'
import { useNewCommand } from '../../shell/new-command.ts'
import { Page } from '../../shell/page.tsx'
import type { List, Skill } from '../../wire.ts'
import { type HandedOver, skills, useEveryKey, useHandOver, useToggle } from './data.ts'
import { ReferenceSkills } from './reference-skills.tsx'
import { SkillTable } from './skill-table.tsx'
import { DropArea, type SkillUpload, UploadButton, UploadFailure, useSkillUpload } from './upload.tsx'

export default function SkillsPage() {
  const list = useListAddress()
  const query = skills.useList(list.query)
  const keys = useEveryKey()
  const toggle = useToggle()
  const onToggle = useCallback((skill: Skill, enabled: boolean) => void toggle(skill, enabled), [toggle])
  const upload = useUploadToForm()
  useNewCommand('skill', '/skills/new')
  return (
    <Page title="Skills" docs="skills">
      <DropArea upload={upload}>
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center gap-2">
            <SearchField label="Find a skill" />
            <span className="flex flex-wrap gap-2 sm:ml-auto">
              <UploadButton upload={upload} />
              <NewSkillLink />
            </span>
          </div>
          <UploadFailure upload={upload} />
          <Card flush>
            <Loaded query={query} what="The skills could not be read">
              {(page) => (
                <>
                  {!list.isFiltered && <ForEveryone page={page} />}
                  <SkillTable
                    rows={page.data}
                    keys={keys.data?.data}
                    onToggle={onToggle}
                    order={list}
                    page={page.metadata}
                    onOffset={list.onOffset}
                    empty={list.isFiltered ? <NoMatch /> : <NoSkills upload={upload} />}
                  />
                </>
              )}
            </Loaded>
          </Card>
          <ReferenceSkills />
        </div>
      </DropArea>
    </Page>
  )
}

/** A document that was uploaded here is looked over in the form for a new skill. */
function useUploadToForm(): SkillUpload {
  const go = useGo()
  const { put } = useHandOver()
  const onRead = (upload: HandedOver): void => {
    put(upload)
    go('/skills/new')
  }
  return useSkillUpload(onRead)
}

/** What every request carries, when that can be added up from what is on screen. */
function ForEveryone({ page: { data, metadata } }: { page: List<Skill> }) {
  if (data.length === 0 || data.length < metadata.total) return null
  const on = data.filter(({ enabled }) => enabled)
  const tokens = on.reduce((sum, skill) => sum + skill.tokens, 0)
  return (
    <p className="border-b border-line px-4 py-2.5 text-caption text-muted">
      {plural(metadata.total, 'skill')} ·{' '}
      {on.length === 0
        ? 'none is on for everyone'
        : `${on.length} on for everyone, which adds about ${plural(tokens, 'token')} to the system prompt of every request`}
    </p>
  )
}

function NewSkillLink() {
  return (
    <ButtonLink to="/skills/new" tone="primary" icon={Plus}>
      New skill
    </ButtonLink>
  )
}

function NoSkills({ upload }: { upload: SkillUpload }) {
  return (
    <EmptyState
      title="No skills"
      action={
        <>
          <UploadButton upload={upload} />
          <NewSkillLink />
        </>
      }
    >
      A skill is text added to the system prompt.
    </EmptyState>
  )
}

function NoMatch() {
  const [search, setSearch] = useSearch()
  return (
    <EmptyState
      title={`No skill matches “${search['q'] ?? ''}”`}
      action={<Button onClick={() => setSearch({ q: null, offset: null })}>Clear the search</Button>}
    >
      Names and descriptions are searched.
    </EmptyState>
  )
}
