import { asProblem } from '../../api/problem.ts'

/** Fields of a form, each with the parameter of the API that it is. */
export type FieldParams = { readonly [field: string]: string }

/** What is wrong, by the field that it is about. */
export type FaultsOf<Params extends FieldParams> = { readonly [Field in keyof Params]?: string }

/**
 * The field that a refusal is about, with the reason; empty for any other error. A fault belongs to the field with the
 * longest name that fits.
 */
export function faultsOf<Params extends FieldParams>(params: Params, error: unknown): FaultsOf<Params> {
  const { param, message, status } = asProblem(error)
  if (error === null || param === null || (status !== 400 && status !== 403)) return {}
  const fitting = Object.entries(params)
    .filter(([, name]) => param === name || param.startsWith(`${name}.`) || param.startsWith(`${name}[`))
    .sort(([, a], [, b]) => b.length - a.length)
  const field = fitting[0]?.[0]
  if (field === undefined) return {}
  const place = /\[(\d+)\]$/.exec(param)?.[1]
  const reason = message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message
  const text = place === undefined ? reason : `entry ${Number(place) + 1}: ${reason}`
  return { [field]: text } as FaultsOf<Params>
}
