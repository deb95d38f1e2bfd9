import { type Command, EXIT, JSON_FLAG } from './command.ts'

export const version: Command = {
  name: 'version',
  summary: 'show which build this is',
  settings: [],
  flags: { json: JSON_FLAG },
  async run({ config, flags, terminal }) {
    const { version: number, commit } = config.build
    const json = JSON.stringify({
      version: number,
      commit,
      bun: Bun.version,
      platform: process.platform,
      arch: process.arch,
    })
    terminal.print(flags['json'] === true ? json : `signalbox ${number} (${commit}, bun ${Bun.version})`)
    return EXIT.ok
  },
}
