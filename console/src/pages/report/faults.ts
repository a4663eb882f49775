import type { Problem } from '../../api/problem.ts'

/** What the platform says of the field at `param`, or of what is inside of it; undefined when nothing. */
export function faultAt(fault: Pick<Problem, 'param' | 'message'> | null, param: string): string | undefined {
  if (!fault?.param) return undefined
  const inside = fault.param.startsWith(`${param}[`) && !fault.param.slice(param.length).includes('.')
  if (inside) return fault.message
  if (fault.param !== param) return undefined
  // The field is named by its label already.
  return fault.message.startsWith(`${param} `) ? fault.message.slice(param.length + 1) : fault.message
}
