/**
 * The values of options. Each function is for the parser, which refuses what does not have the form by the name of the
 * option, before anything is opened or sent.
 */

import { readFile } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { date, datetime } from '../../../schemas/intelligence/entities/datatypes/time.ts'
import { UsageError } from '../../wiring/process/usage.ts'

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A whole number in decimal digits. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value + 0
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }

/** Of a list that the API gives in pages. */
export const pageNumber = wholeNumber(1, 1_000_000_000)
export const pageSize = wholeNumber(1, 100)

/** The weight of claims: above 0, at most 1. */
export function weight(text: string): number {
  const value = /^\d?(?:\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  if (value > 0 && value <= 1) return value
  throw new InvalidArgumentError('Expected a number above 0, at most 1, such as 0.7.')
}

/** A moment as a person writes it, in unix milliseconds: a day (UTC), an RFC 3339 time, or `90m`, `24h`, `7d` before now. */
export const moment =
  (now: () => number) =>
  (text: string): number => {
    const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
    if (count !== undefined) return now() - Number(count) * UNITS[unit as keyof typeof UNITS]
    const written = [date(text), datetime(text)].find((read) => typeof read === 'string')
    if (written !== undefined) return Date.parse(written)
    throw new InvalidArgumentError(
      'Expected a day such as 2026-05-01, a time such as 2026-05-01T12:30:00Z, or a duration before now such as 90m, 24h, 7d.',
    )
  }

/** A function that throws Errors, for the parser. */
export const parsed =
  <T>(read: (text: string) => T) =>
  (text: string): T => {
    try {
      return read(text)
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message)
    }
  }

/** The text of a file that was named. @throws UsageError that names it, when it cannot be read */
export const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(unusable(file))

const WHY: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
}

/** For the failure of a file that was named: throws a UsageError with its name and the reason, and any other failure as it is. */
export const unusable =
  (file: string) =>
  (cause: NodeJS.ErrnoException): never => {
    const why = WHY[cause.code ?? '']
    throw why === undefined ? cause : new UsageError(`${file}: ${why}`, { cause })
  }
