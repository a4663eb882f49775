import { asProblem } from '../../api/problem.ts'

/** Whether the caller is refused because it is not in all groups of the settings of matching. */
export const isUnreadable = (error: unknown): boolean => error !== null && asProblem(error).status === 404
