/** A named place where a process may die. */
export class Died extends Error {
  constructor(point: string) {
    super(`died ${point}`)
    this.name = 'Died'
  }
}

type Methods = Record<string, (...args: never[]) => Promise<unknown>>

/**
 * The same port, telling `at` of every moment before and after each of the named calls. `at` throws to die there:
 * before a call nothing of it happened, after it all of it did and the caller never heard.
 */
export function watched<T extends object>(
  port: T,
  names: readonly (keyof T & string)[],
  at: (point: string) => void,
): T {
  const copy = { ...port }
  for (const name of names) {
    const call = port[name] as Methods[string]
    copy[name] = (async (...args: never[]) => {
      at(`before ${name}`)
      const result = await call(...args)
      at(`after ${name}`)
      return result
    }) as T[typeof name]
  }
  return copy
}
