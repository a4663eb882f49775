import { type Normalised, refuse } from '../refusal.ts'
import { hasControl } from './bounds.ts'

const BLANK = refuse('must not be blank')
const CONTROL = refuse('must be a path without control characters')
const A_URL = refuse('must be a path, not a URL')

/** Lower case; a file-system, process or URL path of either slash. */
export function path(raw: string): Normalised {
  if (raw === '') return BLANK
  if (raw.includes('://')) return A_URL
  return hasControl(raw) ? CONTROL : raw.toLowerCase()
}
