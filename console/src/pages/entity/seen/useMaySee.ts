import { useMay } from '../../../session/caller.ts'
import { SEEN_TYPES } from './seen.ts'

/** Whether telemetry can have an entity of this type, and the caller has a right to telemetry. */
export function useMaySee(type: string): boolean {
  const may = useMay('user')
  return may && SEEN_TYPES.includes(type)
}
