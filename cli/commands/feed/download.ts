import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { asking, pathOf } from '../admin/context.ts'
import type { Download } from '../admin/server-context.ts'
import { jsonLines, LINES, withJson } from '../output.ts'
import { relativeTime } from '../values/relative-time.ts'
import { unusable } from '../values/values.ts'

export type DownloadContext = {
  open: () => Promise<Download>
  stdout: { write(text: string | Uint8Array): unknown }
  stderr: { write(text: string): unknown }
  /** Aborted when the caller does not need the result any more. */
  signal: AbortSignal
  /** Unix milliseconds. */
  now: () => number
}

type Delta = { seq: number; op: 'add' | 'update' | 'remove'; type: string; value: string; reason: string; at: string }
type Page = { items: Delta[]; cursor: string; more: boolean }

const SIGNS = { add: '+', update: '~', remove: '-' } as const
const PAGE = 10_000
/** Seconds that one question waits for deltas. */
const WAIT = 20

/** Adds `get` and `diff` to `feed`: the list of a published feed, and what changed in it (decisions 11.7). */
export function registerDownloads(feed: Command, context: DownloadContext): void {
  asking(feed.command('get <id>'))
    .description('print the list of a published feed, or write it to a file')
    .option('--format <name>', 'one of GET /api/feeds/v1/formats', 'text')
    .option('--output <file>', 'file for the list, replaced once the list is complete')
    .action(async (id: string, { format, output }: { format: string; output?: string }) => {
      const { signal } = context
      const download = await context.open()
      const response = await download(itemsOf(id, format))
      const bytes = Readable.fromWeb(response.body as never)
      await (output === undefined ? pipeline(bytes, into(context.stdout), { signal }) : replace(output, bytes, signal))
      context.stderr.write(`${told(response)}\n`)
    })
  withJson(asking(feed.command('diff <id>')), `${LINES} for every change`)
    .description('print what changed in a published feed since a cursor: + added, ~ changed, - removed')
    .option('--from <cursor>', 'as `feed get` or this command printed it; default: the current list')
    .option('--follow', 'continue until interrupted')
    .action(async (id: string, flags: { from?: string; follow?: true; json?: true }) => {
      const download = await context.open()
      let cursor = flags.from ?? (await download(itemsOf(id, 'text'))).headers.get('x-feed-cursor')!
      for (let goesOn = true; goesOn && !context.signal.aborted; ) {
        const query = new URLSearchParams({ from: cursor, limit: String(PAGE), wait: String(flags.follow ? WAIT : 0) })
        const page = (await (await download(`${pathTo(id)}/delta?${query}`)).json()) as Page
        for (const delta of page.items)
          context.stdout.write(flags.json ? jsonLines([delta]) : lineOf(delta, context.now()))
        cursor = page.cursor
        goesOn = page.more || flags.follow === true
      }
      context.stderr.write(`cursor ${cursor}\n`)
      if (context.signal.aborted)
        throw new Interrupted(
          `all changes up to the cursor ${cursor} are printed`,
          `harrier feed diff ${id}${flags.follow ? ' --follow' : ''}${flags.json ? ' --json' : ''} --from ${cursor}`,
        )
    })
}

const pathTo = (id: string): string => pathOf`/api/feeds/v1/feeds/${id}`

const itemsOf = (id: string, format: string): string => `${pathTo(id)}/items.${encodeURIComponent(format)}`

/** Values may come from anybody: nothing in them may move the cursor of a terminal. */
const lineOf = ({ seq, op, type, value, reason, at }: Delta, now: number): string =>
  `${SIGNS[op]} ${value.replace(/\p{C}/gu, '?')}\t${type}\t${reason}\t${relativeTime(Date.parse(at), now)}\t${seq}\n`

function told({ headers }: Response): string {
  const { items, skipped, cursor } = {
    items: headers.get('x-feed-items'),
    skipped: headers.get('x-feed-skipped'),
    cursor: headers.get('x-feed-cursor'),
  }
  const left = skipped === '0' ? '' : `, ${skipped} of them not in this format`
  const age = headers.get('age')
  const old = age === null ? '' : `, ${age} s old: the store of the lists is unavailable`
  const held = headers.get('x-feed-held') === null ? '' : ', held'
  return `${items} ${items === '1' ? 'item' : 'items'}${left}${held}${old}\ncursor ${cursor}`
}

/** The standard output as the end of a pipe. */
export const into = (stdout: DownloadContext['stdout']): Writable =>
  new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      stdout.write(chunk)
      done()
    },
  })

/** Writes a file; whoever reads it meanwhile has the old one or the new one, whole. @throws UsageError that names it */
export async function replace(file: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  const part = `${file}.${randomBytes(6).toString('hex')}.part`
  try {
    const opened = await open(part, 'wx').catch(unusable(file))
    await pipeline(bytes, opened.createWriteStream(), { signal })
    await rename(part, file).catch(unusable(file))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
