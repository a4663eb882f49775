/** The blocks of a page of the documents, run as a reader types them. */

import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ran } from '../platform/command.ts'
import { HARRIER } from '../platform/command.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Longest time of one block, in milliseconds; and of one that never ends by itself. */
const MOST_MS = 60_000
const FOLLOWED_MS = 3_000

/**
 * One fence: its language, the words after it, what is in it, the heading above it, and `follows`: the shell block that
 * comes right before it.
 */
export type Block = { language: string; info: string; code: string; section: string; follows: Block | null }

const FENCE = /^( *)```([a-z]*)([^\n]*)\n([\s\S]*?)^ *```$/gm

/** The fences of a page, in their order. @param path from the root of the tree */
export function fencesOf(path: string): Block[] {
  const page = readFileSync(join(ROOT, path), 'utf8')
  const blocks: Block[] = []
  let end = 0
  for (const match of page.matchAll(FENCE)) {
    const [whole, indent, language, info, code] = match as unknown as [string, string, string, string, string]
    const between = page.slice(end, match.index).trim()
    const last = blocks.at(-1)
    blocks.push({
      language,
      info: info.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      section: [...page.slice(0, match.index).matchAll(/^#{1,4} (.*)$/gm)].at(-1)?.[1] ?? '',
      follows: between === '' && last?.language === 'sh' ? last : null,
    })
    end = match.index + whole.length
  }
  return blocks
}

/** Shell commands that run against a platform which is up. */
export const isRun = ({ language, info }: Block): boolean => language === 'sh' && ['', 'until-stopped'].includes(info)

/** A reader at a shell: what one block sets, the next ones find. `folder`: an empty one to work in. */
export function readerIn(folder: string, env: Record<string, string>) {
  const bin = join(folder, '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'harrier'), `#!/bin/sh\nexec '${process.execPath}' '${HARRIER}' "$@"\n`)
  chmodSync(join(bin, 'harrier'), 0o700)
  const home = { ...process.env, HARRIER_LOG_LEVEL: 'warn', ...env, PATH: `${bin}:${process.env.PATH}` }
  return async ({ language, info, code }: Pick<Block, 'language' | 'info' | 'code'>): Promise<Ran> => {
    const kept = 'if [ -f .kept ]; then . ./.kept; fi'
    const keep = '{ export -p; declare -f; } > .kept'
    const script =
      language === 'python'
        ? `set -eu; ${kept}; python3 - <<'END_OF_BLOCK'\n${code}\nEND_OF_BLOCK`
        : `set -euo pipefail; ${kept}; set -a\n${code}\nset +a; ${keep}`
    const child = spawn('bash', ['-c', script], {
      cwd: folder,
      env: home,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const ran: Ran = { code: null, stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (ran.stdout += chunk))
    child.stderr.on('data', (chunk) => (ran.stderr += chunk))
    const isFollowed = info === 'until-stopped'
    // The whole group: a pipe of several programs ends together.
    const end = () => child.pid !== undefined && process.kill(-child.pid, isFollowed ? 'SIGTERM' : 'SIGKILL')
    const timer = setTimeout(end, isFollowed ? FOLLOWED_MS : MOST_MS)
    const ended = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    }).finally(() => clearTimeout(timer))
    return { ...ran, code: isFollowed && ended === null ? 0 : ended }
  }
}
