/** Runs before every test file. Global `fetch` waits silently beyond its ceiling; the test script lifts it, this proves it. */
if (process.env['BUN_CONFIG_MAX_HTTP_REQUESTS'] === undefined) {
  process.stderr.write('note: run tests with `bun run test`, which lifts the ceiling of 256 simultaneous requests\n')
}
