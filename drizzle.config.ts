import { defineConfig } from 'drizzle-kit'

/** `bunx drizzle-kit generate` writes the migrations of config.sqlite: what operators manage. */
export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/db/table.ts', './src/resources/*/table.ts'],
  out: './drizzle/config',
})
