/** Hands a message to a thread, or from one to whoever started it. */
export function post<Message>(to: Pick<Worker, 'postMessage'>, message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin; that is for windows
  to.postMessage(message)
}
