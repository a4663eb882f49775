import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openStore } from '../../../connectors/log/embedded/log-store.ts'

/** A commit that another process makes while a process opens the log (ADR 245). */
const STORE = new URL('../../../connectors/log/embedded/log-store.ts', import.meta.url).href
const OPENS = [
  '--input-type=module',
  '-e',
  `const { openStore } = await import('${STORE}')
  const store = openStore(process.argv[1])
  console.log([...store.frames.getKeys()].length)
  await store.close()
  process.exit(0)`,
]
/** Keeps an open for a fifth of a second between reading the number of the last commit and setting it for all processes. */
const SLOWLY = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=mmap', '-e', 'inject=mmap:delay_exit=200000']

/** Without the lock half of them lost something, or ended the process: every second number has the last commit in its place. */
const TIMES = 4

const traced = spawnSync('strace', [...SLOWLY.slice(0, 4), 'true']).status === 0
if (!traced) console.log('skipped: slowing down an open needs strace, and leave to trace processes')

test.skipIf(!traced)('what is acknowledged while another process opens the log is there, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harrier-opening-'))
  const path = join(folder, 'log')
  const store = openStore(path)
  const written: string[] = []
  const write = async (): Promise<void> => {
    const key = String(written.length).padStart(6, '0')
    await store.write(() => void store.frames.put(Buffer.from(key), Buffer.alloc(5_000)))
    written.push(key)
    // Between two commits: one that is under way would set the number right again.
    await sleep(5)
  }
  try {
    for (let times = 0; times < TIMES; times++) {
      await write()
      const before = written.length
      const args = [...SLOWLY, '-P', join(path, 'data.mdb'), process.execPath, ...OPENS, path]
      const opener = spawn('strace', args, { stdio: ['ignore', 'pipe', 'inherit'] })
      let found = ''
      opener.stdout.on('data', (chunk) => (found += chunk))
      const exited = once(opener, 'exit')
      while (opener.exitCode === null && opener.signalCode === null) await write()
      expect(await exited).toEqual([0, null])
      await write()
      store.refresh()
      expect([...store.frames.getKeys()].map(String)).toEqual(written)
      // It opened while there were writes.
      expect(Number(found)).toBeGreaterThan(before)
      expect(Number(found)).toBeLessThan(written.length)
    }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
})
