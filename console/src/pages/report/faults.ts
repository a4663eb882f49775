import type { Problem } from '../../api/problem.ts'

/** The platform's message about the field at `param` or a field inside it; undefined when there is none. */
export function faultAt(fault: Pick<Problem, 'param' | 'message'> | null, param: string): string | undefined {
  if (!fault?.param) return undefined
  const inside = fault.param.startsWith(`${param}[`) && !fault.param.slice(param.length).includes('.')
  if (inside) return fault.message
  if (fault.param !== param) return undefined
  // The field is named by its label already.
  return fault.message.startsWith(`${param} `) ? fault.message.slice(param.length + 1) : fault.message
}
