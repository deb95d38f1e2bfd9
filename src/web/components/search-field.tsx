import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearch } from '../address.ts'
import { Input } from './input.tsx'

const PAUSE_MS = 250

/** Free text in the address (`?q=`), a moment after typing stops. `/` brings the focus here. */
export function SearchField({ label, name = 'q' }: { label: string; name?: string }) {
  const [search, setSearch] = useSearch()
  const asked = search[name] ?? ''
  const [text, setText] = useState(asked)
  useEffect(() => setText(asked), [asked])
  useEffect(() => {
    if (text === asked) return undefined
    const timer = setTimeout(() => setSearch({ [name]: text, offset: null }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, asked, name, setSearch])
  return (
    <div role="search" className="w-full sm:w-72">
      <Input
        type="search"
        icon={Search}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}
