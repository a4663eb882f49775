import type { Command } from 'commander'
import { jsonLines, LINES, withJson } from '../output.ts'
import { plain } from '../table.ts'
import { type Check, type Finding, runChecks } from './finding.ts'

/** `repair`: what can be put right is put right. */
export type DoctorOptions = { repair: boolean }

export type DoctorContext = {
  /** `url`: where the platform answers, and shows its documentation below `/help`. */
  open: (options: DoctorOptions) => Promise<{ checks: Check[]; url: string; close(): Promise<void> }>
  stdout: { write(text: string): unknown }
}

/** Adds `doctor` to the program. One failure ends it with exit code 1. */
export function registerDoctor(program: Command, { open, stdout }: DoctorContext): void {
  const doctor = withJson(program.command('doctor'), LINES)
    .description(
      'check everything that the platform needs and print what to do; works while the platform runs or is stopped',
    )
    .option('--repair', 'repair what can be repaired: the compatibility levels of the schema registry')
    .action(async ({ json, repair = false }: { json?: boolean; repair?: boolean }) => {
      const { checks, url, close } = await open({ repair })
      const base = url.replace(/\/+$/, '')
      const counted = { ok: 0, warn: 0, fail: 0 }
      try {
        for await (const found of runChecks(checks)) {
          const finding = withPages(found, base)
          counted[finding.state]++
          const { check, state, what, todo } = finding
          if (json === true) stdout.write(jsonLines([finding]))
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

/** Pages that a remedy names, as addresses that open. */
const withPages = (finding: Finding, base: string): Finding =>
  finding.todo === undefined
    ? finding
    : { ...finding, todo: finding.todo.replaceAll(/(?<![\w/])\/help\/[\w/-]+/g, (page) => `${base}${page}`) }
