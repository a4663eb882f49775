import type { Command } from 'commander'
import { plain } from '../table.ts'
import { type Check, examined } from './finding.ts'

export type DoctorContext = {
  open: () => Promise<{ checks: Check[]; close(): Promise<void> }>
  stdout: { write(text: string): unknown }
}

/** Adds `doctor` to the program. One failure ends it with exit code 1. */
export function registerDoctor(program: Command, { open, stdout }: DoctorContext): void {
  const doctor = program
    .command('doctor')
    .description('look at everything the platform needs, running or not, and say what to do')
    .option('--json', 'a line of JSON for each finding')
    .action(async ({ json }: { json?: boolean }) => {
      const { checks, close } = await open()
      const counted = { ok: 0, warn: 0, fail: 0 }
      try {
        for await (const finding of examined(checks)) {
          counted[finding.state]++
          const { check, state, what, todo } = finding
          if (json === true) stdout.write(`${JSON.stringify(finding)}\n`)
          else {
            stdout.write(`${state.padEnd(5)} ${check.padEnd(13)} ${plain(what)}\n`)
            if (todo !== undefined) stdout.write(`      ${''.padEnd(13)} -> ${plain(todo)}\n`)
          }
        }
      } finally {
        await close()
      }
      if (counted.fail > 0) doctor.error(`${counted.fail} of the checks failed`)
    })
}
