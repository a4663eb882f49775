import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { Command } from 'commander'
import { registerFeedImport } from '../../../../cli/commands/feed/import.ts'
import { importPorts, type TestPorts } from './ports.ts'

export type ImportRan = { fault: (Error & { exitCode?: number }) | null; out: string; err: string }

/** `harrier feed import` over a log in memory, and one data folder for all of its runs. */
export async function importer(ports: TestPorts = importPorts()) {
  const dataDir = await mkdtemp(join(tmpdir(), 'harrier-import-'))
  return {
    ports,
    dataDir,
    async run(args: readonly string[], signal = new AbortController().signal): Promise<ImportRan> {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()]
      const program = new Command().exitOverride().configureOutput({ writeErr: (text) => void stderr.write(text) })
      const open = async () => ({ ...ports, dataDir, close: async () => undefined })
      const stdin = Readable.from([Buffer.from('')])
      registerFeedImport(program.command('feed'), open, { stdin, stdout, stderr, now: Date.now, signal })
      const fault = await program.parseAsync(['node', 'harrier', 'feed', 'import', ...args]).then(
        () => null,
        (error: Error) => error,
      )
      const text = (stream: PassThrough): string => stream.read()?.toString() ?? ''
      return { fault, out: text(stdout), err: text(stderr) }
    },
  }
}
