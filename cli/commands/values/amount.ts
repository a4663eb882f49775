/** `1 line`, `2 lines`: a number with its word. `many` where the plural is more than an s. */
export const amount = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`
