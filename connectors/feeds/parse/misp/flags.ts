import type { Json } from '../document.ts'

/** A yes of MISP: `true`, or `1` and `"1"` as older exports and other writers have it. */
export const isYes = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true'

/** Whether an attribute, object or reference was taken back. */
export const isDeleted = ({ deleted }: Json): boolean => isYes(deleted)
