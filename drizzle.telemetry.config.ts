import { defineConfig } from 'drizzle-kit'

/** `bunx drizzle-kit generate --config drizzle.telemetry.config.ts` writes the migrations of telemetry.sqlite: what happened. */
export default defineConfig({
  dialect: 'sqlite',
  schema: [
    './src/ledger/table.ts',
    './src/ledger/reservation-table.ts',
    './src/ledger/rollup/rollup-table.ts',
    './src/ledger/spending/spend-table.ts',
    './src/resources/*/telemetry-table.ts',
  ],
  out: './drizzle/telemetry',
})
