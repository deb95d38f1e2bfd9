import { Command as Cmdk } from 'cmdk'
import { CircleUser, CornerDownLeft, Keyboard, LogOut, Monitor, Moon, Search, Sun } from 'lucide-react'
import { useState } from 'react'
import { useGo } from '../address.ts'
import { useApp } from '../app-context.ts'
import { Kbd } from '../components/kbd.tsx'
import { useStore } from '../store.ts'
import type { Command } from './commands.ts'
import { DESTINATIONS } from './destinations.ts'
import { setTheme } from './theme.ts'
import { useSignOut } from './user-menu.tsx'

const RECENT_AS = 'signalbox.recent-commands'
const RECENT_MAX = 5
const GROUPS = ['Go to', 'Show', 'Do'] as const

interface PaletteListProps {
  readonly onClose: () => void
  readonly onHelp: () => void
}

/** Pages, what the page offers, and acts; what was used last comes first. */
export default function PaletteList({ onClose, onHelp }: PaletteListProps) {
  const commands = useAllCommands(onHelp)
  const [recent] = useState(readRecent)
  const used = recent.flatMap((id) => commands.filter((command) => command.id === id))
  const [text, setText] = useState('')
  const run = (command: Command): void => {
    noteRecent(command.id, recent)
    onClose()
    command.run()
  }
  return (
    <Cmdk label="Search or run" loop filter={rank} className="flex max-h-[min(70dvh,30rem)] flex-col">
      <div className="flex h-13 shrink-0 items-center gap-3 border-b border-line px-4">
        <Search aria-hidden="true" size={16} strokeWidth={1.75} className="text-muted" />
        <Cmdk.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder="Search or run"
          className="min-w-0 flex-1 bg-transparent text-body outline-none"
        />
        <Kbd keys="Esc" />
      </div>
      <Cmdk.List className="min-h-0 flex-1 overflow-y-auto p-2">
        <Cmdk.Empty className="px-2 py-6 text-center text-dense text-muted">Nothing by that name.</Cmdk.Empty>
        {text === '' && used.length > 0 && <Group heading="Recent" commands={used} prefix="recent " onRun={run} />}
        {GROUPS.map((group) => (
          <Group
            key={group}
            heading={group}
            commands={commands.filter((command) => command.group === group)}
            onRun={run}
          />
        ))}
      </Cmdk.List>
    </Cmdk>
  )
}

/** Every word has to occur; where a name begins with the text it comes first. */
function rank(_value: string, text: string, keywords: string[] = []): number {
  const names = keywords.map((name) => name.toLowerCase())
  const words = text.toLowerCase().split(/\s+/)
  if (!words.every((word) => names.some((name) => name.includes(word)))) return 0
  if (names[0]?.startsWith(text.toLowerCase()) === true) return 1
  return names.some((name) => name.split(' ').some((part) => part.startsWith(words[0] ?? ''))) ? 0.8 : 0.5
}

interface GroupProps {
  readonly heading: string
  readonly commands: readonly Command[]
  readonly prefix?: string
  readonly onRun: (command: Command) => void
}

function Group({ heading, commands, prefix = '', onRun }: GroupProps) {
  if (commands.length === 0) return null
  return (
    <Cmdk.Group
      heading={heading}
      className="[&>[cmdk-group-heading]]:px-2 [&>[cmdk-group-heading]]:py-1.5 [&>[cmdk-group-heading]]:text-caption [&>[cmdk-group-heading]]:text-muted"
    >
      {commands.map((command) => (
        <Item key={command.id} command={command} value={prefix + command.id} onRun={onRun} />
      ))}
    </Cmdk.Group>
  )
}

function Item({ command, value, onRun }: { command: Command; value: string; onRun: (command: Command) => void }) {
  const { label, detail, keywords = [], icon: Icon, shortcut } = command
  return (
    <Cmdk.Item
      value={value}
      keywords={[label, ...keywords]}
      onSelect={() => onRun(command)}
      className="group touch flex h-10 cursor-pointer items-center gap-3 rounded-control px-2 text-dense text-muted data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent-ink"
    >
      {Icon && <Icon aria-hidden="true" size={16} strokeWidth={1.75} />}
      <span className="shrink-0 font-medium text-ink group-data-[selected=true]:text-accent-ink">{label}</span>
      <span className="min-w-0 flex-1 truncate">{detail}</span>
      {shortcut && <Kbd keys={shortcut} />}
      <CornerDownLeft aria-hidden="true" size={14} className="hidden group-data-[selected=true]:block" />
    </Cmdk.Item>
  )
}

function useAllCommands(onHelp: () => void): readonly Command[] {
  const { commands } = useApp()
  const offered = useStore(commands.offered)
  const go = useGo()
  const signOut = useSignOut()
  const places = DESTINATIONS.map(({ id, label, group, icon, letter, keywords = [], to }): Command => ({
    id: `go ${id}`,
    group: 'Go to',
    label,
    ...(group && { detail: group }),
    keywords: [...keywords],
    icon,
    shortcut: `G ${letter}`,
    run: () => go(to),
  }))
  const acts: readonly Command[] = [
    {
      id: 'profile',
      group: 'Go to',
      label: 'Profile',
      detail: 'E-mail and password',
      icon: CircleUser,
      run: () => go('/profile'),
    },
    { id: 'theme light', group: 'Do', label: 'Use the light theme', icon: Sun, run: () => setTheme('light') },
    { id: 'theme dark', group: 'Do', label: 'Use the dark theme', icon: Moon, run: () => setTheme('dark') },
    { id: 'theme system', group: 'Do', label: 'Use the system’s theme', icon: Monitor, run: () => setTheme('system') },
    { id: 'shortcuts', group: 'Do', label: 'Show keyboard shortcuts', icon: Keyboard, shortcut: '?', run: onHelp },
    { id: 'sign out', group: 'Do', label: 'Sign out everywhere', icon: LogOut, run: () => void signOut() },
  ]
  return [...places, ...offered, ...acts]
}

function readRecent(): readonly string[] {
  return (localStorage.getItem(RECENT_AS) ?? '').split('\n').filter((id) => id !== '')
}

function noteRecent(id: string, recent: readonly string[]): void {
  localStorage.setItem(RECENT_AS, [id, ...recent.filter((other) => other !== id)].slice(0, RECENT_MAX).join('\n'))
}
