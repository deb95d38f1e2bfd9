/**
 * The wire types come from the server's sources, which are therefore checked along with the dashboard's. There a `Worker` is
 * Bun's; beside the browser's own these two methods are missing.
 */
interface Worker {
  ref(): void
  unref(): void
}
