import { useState } from 'react'
import { useApp } from '../app-context.ts'
import { Kbd } from '../components/kbd.tsx'
import { Switch } from '../components/switch.tsx'
import { useStore } from '../store.ts'
import { DESTINATIONS } from './destinations.ts'
import { areShortcutsOn, setShortcuts } from './shortcuts.ts'

const EVERYWHERE = [
  { keys: 'Ctrl+K', what: 'Search or run anything' },
  { keys: '?', what: 'This help' },
  { keys: '/', what: 'Search this page' },
  { keys: 'J K', what: 'Next and previous row' },
  { keys: 'Enter', what: 'Open the row' },
  { keys: 'F6', what: 'To the notices' },
]

/** Every key that does something now, and the switch for those without Ctrl. */
export default function ShortcutList() {
  const { commands } = useApp()
  const offered = useStore(commands.offered).flatMap(({ shortcut, label }) =>
    shortcut === undefined ? [] : [{ keys: shortcut, what: label }],
  )
  const [isOn, setOn] = useState(areShortcutsOn)
  return (
    <>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <div className="grid content-start gap-5">
          <List title="Everywhere" items={EVERYWHERE} />
          {offered.length > 0 && <List title="On this page" items={offered} />}
        </div>
        <List title="Go to" items={DESTINATIONS.map(({ letter, label }) => ({ keys: `G ${letter}`, what: label }))} />
      </div>
      <div className="mt-5 border-t border-line pt-4">
        <Switch
          label="Single-key shortcuts"
          checked={isOn}
          onChange={(on) => {
            setShortcuts(on)
            setOn(on)
          }}
        />
      </div>
    </>
  )
}

function List({ title, items }: { title: string; items: readonly { readonly keys: string; readonly what: string }[] }) {
  return (
    <section>
      <h3 className="pb-1 text-caption font-medium text-muted">{title}</h3>
      <dl className="text-dense">
        {items.map(({ keys, what }) => (
          <div key={keys + what} className="flex items-center gap-3 py-1">
            <dt className="w-16 shrink-0">
              <Kbd keys={keys} />
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
