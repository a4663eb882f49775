import { type Command, InvalidArgumentError, Option } from 'commander'
import { readHead } from '../../../schemas/audit/heads.ts'
import type { Head } from '../../../schemas/audit/record.ts'
import { AUDIT_EVENTS } from '../../../schemas/log/topics.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { json, jsonLines, LINES, withJson } from '../output.ts'
import { amount } from '../values/amount.ts'
import { exactTime } from '../values/relative-time.ts'
import { moment } from '../values/values.ts'
import { exportRecords, FORMATS } from './export.ts'
import { type AuditContext, auditDecoder, shownRecord } from './records.ts'
import { shownVerified, verifiedText, verifyChains } from './verify.ts'

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
