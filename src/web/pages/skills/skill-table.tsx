import { useMemo } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { type Column, DataTable, type DataTableProps, RowControl } from '../../components/data-table.tsx'
import { Tokens } from '../../components/quantity.tsx'
import { Switch } from '../../components/switch.tsx'
import { RelativeTime } from '../../components/time.tsx'
import type { Key, Skill } from '../../wire.ts'
import { reachOf, reachText } from './reach.ts'

interface SkillTableProps extends Omit<DataTableProps<Skill>, 'label' | 'columns' | 'hrefOf'> {
  /** Undefined until they are known. */
  readonly keys: readonly Key[] | undefined
  /** Called when a switch is used. Keep it the same between renders. */
  readonly onToggle: (skill: Skill, enabled: boolean) => void
}

export function SkillTable({ keys, onToggle, ...table }: SkillTableProps) {
  const columns = useMemo(() => columnsOf(keys, onToggle), [keys, onToggle])
  return <DataTable label="Skills" columns={columns} hrefOf={(skill) => `/skills/${skill.id}`} {...table} />
}

function columnsOf(keys: SkillTableProps['keys'], onToggle: SkillTableProps['onToggle']): readonly Column<Skill>[] {
  return [
    { id: 'name', header: 'Name', sort: 'name', cell: (skill) => <Name skill={skill} /> },
    {
      id: 'enabled',
      header: 'For everyone',
      cell: (skill) => (
        <RowControl>
          <Switch
            hideLabel
            label={`${skill.name} for everyone`}
            checked={skill.enabled}
            onChange={(enabled) => onToggle(skill, enabled)}
          />
        </RowControl>
      ),
    },
    { id: 'tokens', header: '≈ Tokens', align: 'end', cell: ({ tokens }) => <Tokens count={tokens} /> },
    {
      id: 'reach',
      header: 'Carried by',
      from: 'sm',
      cell: (skill) => (
        <span className="whitespace-nowrap text-muted">{keys && reachText(reachOf(skill, keys), skill.enabled)}</span>
      ),
    },
    { id: 'url', header: 'Public address', from: 'lg', cell: (skill) => <Address skill={skill} /> },
    {
      id: 'updated_at',
      header: 'Changed',
      sort: 'updated_at',
      align: 'end',
      from: 'md',
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    },
  ]
}

function Name({ skill: { name, description } }: { skill: Skill }) {
  return (
    <>
      <span className="line-clamp-1 break-all">{name}</span>
      {description !== '' && <span className="line-clamp-1 max-w-[72ch] font-normal text-muted">{description}</span>}
    </>
  )
}

function Address({ skill: { name, url } }: { skill: Skill }) {
  return (
    <RowControl>
      <code className="text-caption text-muted" title={url}>
        {shortened(new URL(url).pathname)}
      </code>
      <CopyButton text={url} label={`Copy the address of ${name}`} />
    </RowControl>
  )
}

/** The random middle says nothing: `/skills/skl_9vK2…xQtA/SKILL.md`. */
function shortened(path: string): string {
  return path.replace(/^(\/skills\/.{8}).+(.{4}\/SKILL\.md)$/, '$1…$2')
}
