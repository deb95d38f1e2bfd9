/**
 * Puts text on the clipboard. Pages that are not served from this machine or over HTTPS have no clipboard interface; there the
 * older way through a selection is taken. False when neither works.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard !== undefined) {
    const isDone = await clipboard.writeText(text).then(
      () => true,
      () => false, // refused by a permission: the selection still may
    )
    if (isDone) return true
  }
  return copySelection(text)
}

function copySelection(text: string): boolean {
  const opener = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('aria-hidden', 'true')
  area.className = 'fixed top-0 left-0 size-px opacity-0'
  // A modal dialog makes everything outside it inert, selections included.
  const host = opener?.closest('dialog') ?? document.body
  host.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  if (opener instanceof HTMLElement) opener.focus()
  return isDone
}
