import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const FILE = resolve('.cache/reports/notes')

/** A test that passed has something to say: the end of the run shows it. */
export function note(line: string): void {
  mkdirSync(dirname(FILE), { recursive: true })
  appendFileSync(FILE, `${line}\n`)
}

/** What tests noted in this run. */
export function notes(): string[] {
  try {
    return readFileSync(FILE, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
