/** `1 request`, `2 requests`: for nouns whose plural is made so. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
