import { useState } from 'react'

/** Has it been so since this appeared? What was opened because of it stays open while somebody is at work there. */
export function useEver(is: boolean): boolean {
  const [was, setWas] = useState(is)
  if (is && !was) setWas(true)
  return is || was
}
