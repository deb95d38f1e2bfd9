import { defineConfig } from 'drizzle-kit'

/** `bunx drizzle-kit generate --config drizzle.telemetry.config.ts` writes the migrations of telemetry.sqlite: the ledger. */
export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/ledger/table.ts'],
  out: './drizzle/telemetry',
})
