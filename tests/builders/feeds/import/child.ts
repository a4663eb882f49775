/** A process of its own that imports a list into an embedded log, to be killed: `<log folder> <data folder> <file>`. */
import { PassThrough } from 'node:stream'
import { Command } from 'commander'
import { registerFeedImport } from '../../../../cli/commands/feed/import.ts'
import { embeddedLog } from '../../../../connectors/log/embedded/log.ts'
import { importPorts } from './ports.ts'

const [folder, dataDir, file] = process.argv.slice(2) as [string, string, string]
const program = new Command()
const open = async () => {
  const log = await embeddedLog({ folder })
  return { ...importPorts(), log, dataDir, close: () => log.close() }
}
registerFeedImport(program.command('feed'), open, {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: new PassThrough().resume(),
  now: Date.now,
  signal: new AbortController().signal,
})
await program.parseAsync([
  'node',
  'harrier',
  'feed',
  'import',
  file,
  '--format',
  'lines',
  '--feed',
  'f',
  '--batch',
  '500',
])
