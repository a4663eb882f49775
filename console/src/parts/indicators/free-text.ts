import { extractIndicators } from '../../../../schemas/intelligence/extract/extract.ts'
import { recognise } from './recognise.ts'

/** Whether a line has indicators among other words: it is of a log, a mail or a report, and no value itself. */
export function isFreeText(line: string): boolean {
  const { kind } = recognise(line)
  // A URL may have spaces in it; in a log it ends before them.
  const isValue = kind !== 'text' && !(kind === 'url' && /\s/.test(line))
  return !isValue && extractIndicators(line, { most: 1 }).indicators.length > 0
}
