import { LoaderCircle } from 'lucide-react'

/** Something runs. Beside the word that says what. */
export function Spinner({ className = '' }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" size={16} strokeWidth={1.75} className={`spin-slow ${className}`} />
}
