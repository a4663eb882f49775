import { type Command, InvalidArgumentError, Option } from 'commander'
import { readHead } from '../../../schemas/audit/heads.ts'
import { ocsfEvent } from '../../../schemas/audit/ocsf.ts'
import type { Head } from '../../../schemas/audit/record.ts'
import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { version } from '../../wiring/process/version.ts'
import { json, jsonLines, LINES, withJson } from '../output.ts'
import { amount } from '../values/amount.ts'
import { exactTime } from '../values/relative-time.ts'
import { moment } from '../values/values.ts'
import { type AuditContext, auditDecoder, shownRecord } from './records.ts'
import { shownVerified, verifiedText, verifyChains } from './verify.ts'

const FORMATS = ['ocsf', 'ndjson'] as const

type ExportOptions = {
  format: (typeof FORMATS)[number]
  /** Unix milliseconds; null: all. `until` is the first that is left out. */
  since: number | null
  until: number | null
  write: (text: string) => Promise<void>
  signal: AbortSignal
}

/** A record is sealed and sent a moment after it was made: what comes so much later than a time is not of before it. */
const LATE_MS = 24 * 60 * 60 * 1000

const tool = { version }

/** Writes records one a line, partition by partition, each in the order of its chain. Returns how many. */
export async function exportRecords(
  { log, registry }: AuditContext,
  { format, since, until, write, signal }: ExportOptions,
): Promise<number> {
  const decode = auditDecoder(registry)
  const ends = await log.offsets(AUDIT_EVENTS)
  const from = since === null ? null : await log.offsetsAt(AUDIT_EVENTS, since)
  const seen = lastSequences()
  let written = 0
  for (const { partition, low, high } of ends.toSorted((a, b) => a.partition - b.partition)) {
    const first = from?.find((one) => one.partition === partition)?.offset ?? low
    scan: for await (const messages of log.scan(AUDIT_EVENTS, partition, Math.max(first, low), high)) {
      signal.throwIfAborted()
      const decoded = await decode(messages)
      let text = ''
      for (let i = 0; i < messages.length; i++) {
        const { offset, timestamp } = messages[i]!
        const read = decoded[i]!
        if (!read.ok)
          throw new Error(`partition ${partition} offset ${offset}: ${read.reason}; run harrier audit verify`)
        const { record } = read
        if (until !== null && timestamp >= until + LATE_MS) {
          await write(text)
          break scan
        }
        if (seen.isRepeat(partition, record.sequence)) continue
        if ((since !== null && record.at < since) || (until !== null && record.at >= until)) continue
        const shown = format === 'ocsf' ? ocsfEvent(record, offset, tool) : shownRecord(record, offset)
        text += `${json(shown)}\n`
        written++
      }
      await write(text)
    }
  }
  return written
}

/** A record that stands twice is written once. */
function lastSequences() {
  const last = new Map<number, number>()
  return {
    isRepeat(partition: number, sequence: number): boolean {
      if (sequence <= (last.get(partition) ?? -1)) return true
      last.set(partition, sequence)
      return false
    },
  }
}

const PORTION = { maxRecords: 500, maxBytes: 1024 * 1024 }

/** Writes each record that comes from now on, one a line, until the signal is aborted. Returns how many. */
async function tailRecords(
  { log, registry }: AuditContext,
  { write, signal }: { write: (text: string) => Promise<void>; signal: AbortSignal },
): Promise<number> {
  let printed = 0
  const decode = auditDecoder(registry)
  const stopped = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => stopped.resolve(), { once: true })
  if (signal.aborted) return printed
  const tail = await log.tail({ topic: AUDIT_EVENTS, from: [], ...PORTION }, async ({ partition, messages }) => {
    const decoded = await decode(messages)
    const lines = decoded.map((read, i) => {
      const { offset } = messages[i]!
      const shown = read.ok ? shownRecord(read.record, offset) : { partition, offset, unreadable: read.reason }
      return `${json(shown)}\n`
    })
    await write(lines.join(''))
    printed += lines.length
  })
  try {
    await Promise.race([tail.closed, stopped.promise])
  } finally {
    await tail.stop()
  }
  return printed
}

export type AuditProcess = {
  open: () => Promise<AuditContext & { close(): Promise<void> }>
  stdout: NodeJS.WritableStream
  /** Unix milliseconds. */
  now: () => number
  signal: AbortSignal
}

function headsWith(text: string, before: readonly Head[]): Head[] {
  const head = readHead(text)
  if (head === null) throw new InvalidArgumentError('Expected <partition:count:hash>, as verify prints it.')
  return [...before, head]
}

/** Adds `audit` to the program: it reads the topic itself, beside a running platform or without one (decisions 16.2). */
export function registerAudit(program: Command, { open, stdout, now, signal }: AuditProcess): void {
  const within = async <T>(work: (context: AuditContext) => Promise<T>): Promise<T> => {
    const { close, ...context } = await open()
    return work(context).finally(close)
  }
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      if (text === '') return resolve()
      stdout.write(text, (error) => (error ? reject(error) : resolve()))
    })

  const audit = program.command('audit').description('read and verify the audit log')
  withJson(audit.command('tail'), `${LINES}; this is also the default`)
    .description('print new audit records, one line of JSON each, until interrupted')
    .action(async () => {
      const began = now()
      const printed = await within((context) => tailRecords(context, { write, signal }))
      if (!signal.aborted) return
      const rest = `harrier audit tail\nRecords that are written in between: harrier audit export --since ${exactTime(now())}`
      throw new Interrupted(`${printed} records printed since ${exactTime(began)}`, rest)
    })
  withJson(audit.command('export'), `${LINES}; this is also the default`)
    .description('print audit records, one line of JSON each')
    .addOption(new Option('--format <format>', 'form of the lines').choices(FORMATS).default('ndjson'))
    .option('--since <time>', 'made at this time or later', moment(now))
    .option('--until <time>', 'made before this time', moment(now))
    .action(async ({ format, since = null, until = null }) => {
      const lines = { count: 0 }
      await within((context) =>
        exportRecords(context, { format, since, until, write: counted(write, lines), signal }),
      ).catch((cause: Error) => {
        if (!signal.aborted) throw cause
        throw new Interrupted(`${lines.count} records printed; the next export starts from the beginning`, null, {
          cause,
        })
      })
    })
  const verify = withJson(audit.command('verify'), `${LINES} for every partition`)
    .description(
      'check that no record of the audit log was changed or removed; print the number of records and the head of each partition',
    )
    .option(
      '--head <partition:count:hash>',
      'a head that an earlier run printed: the log must continue from it; may be repeated',
      headsWith,
      [],
    )
  verify.action(async ({ head, json }: { head: Head[]; json?: true }) => {
    const verified = await within((context) => verifyChains(context, { kept: head, signal }))
    for (const one of verified) await write(json ? jsonLines([shownVerified(one)]) : verifiedText(one))
    const wrong = verified.filter(({ faults }) => faults.length > 0).length
    if (wrong > 0) verify.error(`${amount(wrong, 'partition is', 'partitions are')} not as written`, { exitCode: 1 })
  })
}

/** Counts the lines that pass. */
const counted =
  (write: (text: string) => Promise<void>, lines: { count: number }) =>
  async (text: string): Promise<void> => {
    await write(text)
    lines.count += text.split('\n').length - 1
  }
